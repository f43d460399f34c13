"""What `run`, `to_error` and `environments` have in common: where the peers are, how one is run, and what machine this is."""
import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def python():
    """The peers' Python."""
    venv = pathlib.Path(os.environ.get("CLCABLE_PEERS_VENV", ROOT / "build" / "peers-venv"))
    found = venv / "bin" / "python"
    if not found.exists():
        sys.exit(f"no peers in {venv}: run benchmarks/peers/setup first")
    return str(found)


def run_peer(peer, words, timeout):
    """A peer's row and None, or None and why there is none. A peer is a process of its own."""
    try:
        done = subprocess.run([python(), str(HERE / f"peer_{peer}.py"), *words], capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return None, f"took more than {timeout} s"
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode or not lines:
        return None, (done.stderr.strip().splitlines() or ["no result"])[-1]
    return json.loads(lines[-1]), None


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def cpu_name():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown CPU"


def machine():
    return {"cpu": cpu_name(), "system": f"{platform.system()} {platform.release()} {platform.machine()}",
            "cores": os.cpu_count()}
