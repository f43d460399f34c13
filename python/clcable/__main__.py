"""The program `clcable`, as `python -m clcable` and as the command that the wheel puts on the PATH."""

import os
import sys
from pathlib import Path


def main() -> None:
    """Becomes the program, with the same arguments."""
    program = Path(__file__).parent / "bin" / "clcable"
    try:
        os.execv(program, ["clcable", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"clcable: {program}: {error.strerror}")


if __name__ == "__main__":
    main()
