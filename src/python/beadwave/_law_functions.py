"""Compiled functions in the formulas of laws."""
from __future__ import annotations

import ctypes
from typing import Any

from . import _beadwave
from ._settings import shown

_function: Any = ctypes.CFUNCTYPE(None).__base__  # what all functions of ctypes are
_kept: list[Any] = []  # code must stay as long as the process runs


def law_function(name: str, function: Any, arguments: int | None = None) -> None:
    """Lets formulas of the law `expression` call compiled code by this name, in chains, packings and mechanisms:

        @numba.cfunc("float64(float64, float64)")
        def dashpot(delta, delta_dot):
            return 5e9 * delta**1.5 * (1 + 0.2 * delta_dot)

        bw.law_function("dashpot", dashpot)
        chain = bw.Chain.load("configs/chain70.toml", overrides={"law": {"name": "expression", "force": "dashpot(delta, delta_dot)"}})

    `function`: of 1 to 3 doubles, which returns a double: what numba.cfunc made, a function of ctypes with `argtypes` and `restype`
    (of a shared library, or of ctypes.CFUNCTYPE), or its address with the number of `arguments`. It must return equal results for
    equal arguments, at any time and in any thread; of Python functions, which ctypes.CFUNCTYPE wraps, each call takes microseconds,
    and one that raises is not noticed: Python prints the exception, and the force is any number.
    Derivatives are differences, so the function must be smooth, and each argument may depend on delta or on delta_dot, not on both.
    A formula calls the last function of a name that was there when it was read. A scenario file cannot hold a function: who reads
    the scenario or the checkpoint of such a run must call law_function() first. Raises InputError."""
    found = getattr(function, "ctypes", function)  # of numba
    if isinstance(found, int) and not isinstance(found, bool):
        if arguments is None:
            raise _beadwave.InputError("law_function: an address needs `arguments`, the number of doubles that the function takes")
        if isinstance(arguments, bool) or not isinstance(arguments, int) or not 1 <= arguments <= 3 or not 0 < found < 2**64:
            raise _beadwave.InputError(f"law_function: {name} at {shown(found)} takes {shown(arguments)} arguments; expected an address "
                                       "and 1, 2 or 3")
        address, count = found, arguments
    elif isinstance(found, _function):
        types = list(found.argtypes or [])
        if not types or any(each is not ctypes.c_double for each in [found.restype, *types]):
            raise _beadwave.InputError(f"law_function: {shown(function)} needs argtypes and restype, which are all ctypes.c_double")
        address, count = ctypes.cast(found, ctypes.c_void_p).value or 0, len(types)
        if arguments not in (None, count):
            raise _beadwave.InputError(f"law_function: {name} takes {count} arguments, not {arguments}")
    else:
        raise _beadwave.InputError(f"law_function: {shown(function)} is neither a function of numba.cfunc or ctypes nor an address")
    _kept.append(function)
    _beadwave.law_function(name, address, count)
