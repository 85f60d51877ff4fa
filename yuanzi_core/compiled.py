"""How rules become machine code: one decorator, and where its results are kept.

Compiled code lives in the user's cache folder (or a private temporary folder where that cannot be written), never
beside the sources: an installed package may be read-only. The folder carries a hash of the sources, because numba looks
only at the file of the caller and would keep running an old rule that a changed file defines.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
import platformdirs
from numba.core.caching import FunctionCache

from yuanzi_core.engine import code_version

#: A number as compiled code counts: 64 bits wide. Without it, small types wrap around or meet as floats.
wide = cast("Callable[[Any], int]", np.int64)

Function = TypeVar("Function", bound=Callable[..., Any])

# Some of what is used here numba does not declare.
_njit: Any = numba.njit
_config: Any = numba.config


#: Compiled code of other sources is given up after so many days.
_KEPT_DAYS = 30


def _sweep(folder: Path) -> None:
    """Remove what older versions left beside a new folder."""
    for other in folder.parent.iterdir():
        with suppress(OSError):
            if other != folder and time.time() - other.stat().st_mtime > _KEPT_DAYS * 86_400:
                shutil.rmtree(other)


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def cache_folder() -> Path:
    """The first folder that can be written: the user's cache, else a temporary one of this user's own."""
    name = code_version()
    settled = Path(platformdirs.user_cache_dir("yuanzi", appauthor=False)) / "compiled" / name
    is_new = not settled.exists()
    if _writable(settled):
        if is_new:
            _sweep(settled)
        return settled
    private = Path(tempfile.gettempdir()) / f"yuanzi-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    # A folder of that name that somebody else made could hold somebody else's code.
    if _writable(private) and (not hasattr(os, "getuid") or private.stat().st_uid == os.getuid()):
        return private / name
    return Path(tempfile.mkdtemp(prefix="yuanzi-"))


if not os.environ.get("NUMBA_CACHE_DIR"):
    _config.CACHE_DIR = str(cache_folder())


class _Ready(FunctionCache):
    """Where a function's machine code is kept, and from where it is loaded as it is.

    numba first fetches all that compiling could need, which takes as long as importing numba itself; linked code needs
    nothing of it. Where there is no code yet, compiling fetches it all the same.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        cache: Any = super()
        with cache._guard_against_spurious_io_errors():
            return cache._load_overload(sig, target_context)


def compiled(signature: str) -> Callable[[Function], Function]:
    """Compile to machine code for this one signature, without the interpreter's lock, and keep the result.

    Reference counting is off inside (``_nrt``): a rule that takes six arrays would spend twelve times as long on
    their counters as on its work. So compiled code allocates nothing; its working arrays are handed in.
    """

    def compile_or_load(function: Function) -> Function:
        made: Any = _njit(nogil=True, error_model="numpy", _nrt=False)(function)
        if not _config.DISABLE_JIT:
            ready: Any = _Ready
            made._cache = ready(function)
            made.compile(signature)
            made.disable_compile()
        return cast("Function", made)

    return compile_or_load


def part(function: Function) -> Function:
    """A larger piece of a compiled rule, left as a function of its own; compiled with its first caller."""
    options = {"nogil": True, "error_model": "numpy", "_nrt": False}
    return cast("Function", _njit(function, **options))


def inlined(function: Function) -> Function:
    """A piece of a compiled rule: compiled as part of each caller, and plain Python with the compiler off."""
    return cast("Function", _njit(function, inline="always"))


def plain(function: Function) -> Function:
    """The same rule as plain Python: for a single question, where compiling would cost more than the answer.

    Only for rules that call no other rule (an inlined one inside would be compiled after all).
    """
    return cast("Function", getattr(function, "py_func", function))
