"""Compiled functions in the formulas of laws."""
from __future__ import annotations

import ctypes
import gc
import math
from typing import Any

from . import _beadwave
from ._settings import shown

_function: Any = ctypes.CFUNCTYPE(None).__base__  # what all functions of ctypes are
_kept: list[Any] = []  # code must stay as long as the process runs


def _telling(name: str, function: Any) -> Any:
    """The same function; if ctypes.CFUNCTYPE made it from one of Python, it tells the run what it raises, which ctypes would print and forget."""
    thunks = [each for each in (function._objects or {}).values() if type(each).__name__ == "CThunkObject"]
    own = [each for thunk in thunks for each in gc.get_referents(thunk) if callable(each) and each not in (type(thunk), function.restype)]
    if not own:
        return function

    def tell(*values: float) -> float:
        try:
            return float(own[0](*values))
        except BaseException as error:  # pylint: disable=broad-exception-caught
            if hasattr(error, "add_note"):  # from Python 3.11 on
                error.add_note(f"in {name}({', '.join(map(repr, values))}), which the formula of the law calls")
            _beadwave.law_function_raised(error)
            return math.nan
    return type(function)(tell)


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
    and one that raises ends the run with its exception.
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
        found = _telling(name, found)
        address, count = ctypes.cast(found, ctypes.c_void_p).value or 0, len(types)
        if arguments not in (None, count):
            raise _beadwave.InputError(f"law_function: {name} takes {count} arguments, not {arguments}")
    else:
        raise _beadwave.InputError(f"law_function: {shown(function)} is neither a function of numba.cfunc or ctypes nor an address")
    _kept.append((function, found))
    _beadwave.law_function(name, address, count)
