"""Writes the C source of the extension `clcable._clcable`: make_glue.py OUTPUT HEADER..."""

import re
import sys
from pathlib import Path

import cffi

EXTRA = """
void free(void *memory);
extern "Python" void clcable_warn(void *user, const char *text);
extern "Python" cab_status clcable_fit_make(void *user, int clip, const char *const *changes, int count, cab_scene **scene,
                                            cab_error *error);
extern "Python" bool clcable_fit_stop(void *user);
"""


def declarations(header: str) -> str:
    """What of a header cffi can read: no comments, no preprocessor but plain numbers."""
    header = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    header = re.sub(r"#ifdef __cplusplus.*?#endif", "", header, flags=re.S)
    lines = header.splitlines()
    kept = [line for line in lines if not line.startswith("#") or re.fullmatch(r"#define \w+ \d+", line.strip())]
    return "\n".join(kept).replace("CAB_API ", "")


def main() -> None:
    output, *headers = map(Path, sys.argv[1:])
    ffi = cffi.FFI()
    ffi.cdef("".join(declarations(header.read_text()) for header in headers) + EXTRA)
    ffi.set_source("clcable._clcable", "#include <stdlib.h>\n#include <clcable/clcable.h>\n")
    ffi.emit_c_code(str(output))


if __name__ == "__main__":
    main()
