"""The extension: functions and structs of include/clcable, as cffi shows them."""

from typing import Any

class _FFI:
    NULL: Any
    def __getattr__(self, name: str) -> Any: ...

ffi: _FFI
lib: Any
