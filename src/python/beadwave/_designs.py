"""Numbers of a chain's beads that make an objective of its run small or large."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _beadwave
from ._chain import Chain
from ._computed import Computed
from ._progress import ProgressCallback, progress_callback
from ._scenario import made
from ._settings import Name, file_name, set_options, toml_text

Floats = npt.NDArray[np.float64]


class Design(Computed[_beadwave.DesignResult]):
    """What `beadwave design` finds, as arrays."""

    @property
    def value(self) -> float:
        """Of the best design."""
        return self._result.value

    @property
    def start(self) -> float:
        """The value of the scenario."""
        return self._result.start

    @property
    def best(self) -> Chain:
        """The chain of the best design, ready to run."""
        return made(Chain, _beadwave.load_text(self.scenario, "the best scenario", self._result.folder, [], {}))

    @property
    def scenario(self) -> str:
        """The scenario of the best design, TOML."""
        return self._result.scenario

    @property
    def variables(self) -> list[dict[str, Any]]:
        """Of each [[variable]] its input, beads and range, and two arrays with a number per bead (of gaps per contact), values of the
        best design and start [kg, m, Pa or m/s]."""
        return self._result.variables

    @property
    def runs(self) -> Floats:
        """The value of each [[run]] of the best design, without its weight; empty without these."""
        return self._result.runs

    @property
    def history(self) -> dict[str, Any]:
        """Arrays with a row per evaluation, in order: value; runs, the value of each [[run]]; unknowns, 0 at the lower and 1 at the
        upper end of the range; gradient, by these. variables is a list of such arrays, one per [[variable]], with the numbers of its
        beads."""
        return self._result.history

    @property
    def stopped(self) -> str:
        """Why the search ended: "converged", "evaluations" or "no value"."""
        return self._result.stopped

    def __repr__(self) -> str:
        return f"<beadwave.Design: {self.value:.9g}, {self.start:.9g} at the start, {self.stopped}>"


def _texts(design: Mapping[str, Any]) -> tuple[str, str | None]:
    """The design as TOML, and its scenario if that is a dictionary."""
    head = design.get("design")
    if not isinstance(head, Mapping) or not isinstance(head.get("scenario"), Mapping):
        return toml_text(design), None
    return toml_text({**design, "design": {**head, "scenario": "scenario"}}), toml_text(head["scenario"])


def design(design: Name | Mapping[str, Any], overrides: Mapping[str, Any] | None = None, *, output: Name | None = None,
           overwrite: bool = False, progress: ProgressCallback | bool | None = None) -> Design:
    """Optimises masses, radii, moduli, gaps and velocities of a chain's beads by the exact gradient of an objective of its run.

    `design`: a file, or a dictionary with the same keys (docs/DESIGN_A_CHAIN.md), whose design.scenario is the name of a file or again
    a dictionary. `overrides` changes values of the design by dotted key: {"design.evaluations": 50}. `output`: also writes DESIGN.h5
    and the best scenario, and the same call continues a design that was interrupted; `overwrite`: starts anew, and replaces files that
    are no designs. `progress`: a function of (evaluations so far, the most that there can be, seconds). Ctrl-C ends the search with
    KeyboardInterrupt. Raises InputError, RunError.

    >>> import beadwave as bw
    >>> steel = {"youngs_modulus": 193e9, "poisson_ratio": 0.3, "density": 7800.0}
    >>> beads = {"radius": 5e-3, "material": "steel"}
    >>> chain = {"material": {"steel": steel}, "segment": [{"beads": 1, "velocity": 1.0, **beads}, {"beads": 5, **beads}],
    ...          "law": {"name": "hertz"}, "boundary": {"right": "wall"}, "time": {"end": 1.5e-4, "step": 5e-7}}
    >>> found = bw.design({"design": {"scenario": chain}, "objective": [{"kind": "peak", "contact": 6}],
    ...                    "variable": [{"input": "radius", "beads": [1, 5], "range": [4e-3, 6e-3]}]})
    >>> found.value < found.start, found.variables[0]["values"].shape
    (True, (5,))
    """
    name: Any
    text, scenario = None, None
    if isinstance(design, Mapping):
        name = "design"
        text, scenario = _texts(design)
    else:
        name = file_name("design", design)
    with progress_callback(progress) as callback:
        done = _beadwave.design(name, text, scenario, set_options(overrides), file_name("output", output, optional=True), bool(overwrite),
                                callback)
    return Design(done)
