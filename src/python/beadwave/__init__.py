"""beadwave: waves and impacts in chains, packings and mechanisms of bodies that touch.

The package gives the same results as the command line, to the bit. SI units everywhere.

    import beadwave as bw

    chain = bw.Chain.load("configs/chain70.toml", overrides={"law.psi": 2.7})
    run = chain.run()
    run.sensor_force          # [N], samples x sensors, read-only, not a copy
    run.plot()                # the report's panels
    run.save("chain70.h5")    # the file that `beadwave run` writes

Wrong input raises InputError and a run that fails raises RunError, each with the message of the command line.
The package prints nothing. It logs to the logger "beadwave" of Python's `logging`: the start, progress and end of runs with the level
INFO, reasons to doubt a result as WARNING.
"""
import logging as _logging
from types import ModuleType

from ._beadwave import InputError, RunError, version as __version__
from ._chain import Chain, ChainState
from ._designs import Design, design
from ._exports import Citations, cite, export
from ._gradients import Gradient, gradient
from ._law_functions import law_function
from ._mechanism import Mechanism
from ._modes import LinearSystem, Modes, linearise, modes
from ._motions import Basins, Section, basins, poincare
from ._observed import Sample
from ._orbits import Branch, Lyapunov, Orbit, continuation, lyapunov, orbit
from ._packing import Contacts, Packing, PackingState, Region
from ._recorded import History, Recorded, Run, StepRecording
from ._scenario import Job, load, resume
from ._shared import SharedJob, load_shared, resume_shared
from ._tabulate import tabulate_law
from ._tasks import Collision, Fit, LawFit, Sweep, collide, compare, fit, keys, laws, report, sweep, watch
from ._waves import fit_pulse, sensor_spectrum, wave_spectrum

_logging.getLogger("beadwave").addHandler(_logging.NullHandler())

__all__ = ["Basins", "Branch", "Chain", "ChainState", "Citations", "Collision", "Contacts", "Design", "Fit", "Gradient",
           "History", "InputError", "Job", "LawFit", "LinearSystem", "Lyapunov", "Mechanism", "Modes", "Orbit", "Packing",
           "PackingState", "Recorded", "Region", "Run", "RunError", "Sample", "Section", "SharedJob", "StepRecording", "Sweep", "__version__", "basins",
           "cite",
           "collide", "compare", "continuation", "design", "export", "fit", "fit_pulse", "gradient", "keys", "law_function",
           "laws",
           "linearise", "load", "load_shared", "lyapunov", "modes", "orbit", "poincare", "report", "resume", "resume_shared", "sensor_spectrum", "sweep",
           "tabulate_law", "watch", "wave_spectrum"]


def __getattr__(name: str) -> ModuleType:
    """`bw.torch` and `bw.jax` are imported when they are first used, because they need PyTorch and JAX."""
    if name in ("torch", "jax"):
        from importlib import import_module
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
