"""The report's analyses of waves, as numbers."""
from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from . import _beadwave
from ._figures import report_module
from ._recorded import Run
from ._settings import Name, file_name


def _analysed(history: Name | Run, module: str, function: str, *arguments: Any) -> Any:
    if isinstance(history, Run):
        if history.history is not None:
            return _analysed(history.history, module, function, *arguments)
        with tempfile.TemporaryDirectory(prefix="beadwave-") as folder:
            file = Path(folder) / "run.h5"
            history.save(file)
            try:
                return _analysed(file, module, function, *arguments)
            except _beadwave.InputError as error:
                raise _beadwave.InputError(str(error).replace(str(file), "the run")) from None
    run = report_module("run").Run(file_name("history", history))
    try:
        return getattr(report_module(module), function)(run, *arguments)
    except report_module("sampling").NotPossible as reason:
        raise _beadwave.InputError(f"{history}: {reason}") from None
    finally:
        run.close()


def wave_spectrum(history: Name | Run) -> Any:
    """The space-time spectrum of the velocities in the snapshots of a chain or a packing: `wave_number` [rad/m], `frequency` [Hz],
    `amplitude` [m/s] (frequency x wave number), `frequency_resolution` [Hz], `wave_number_resolution` [rad/m] ...; `ridge()` gives
    the `frequency` of the largest `amplitude` at each `wave_number` above 0. Raises InputError where the history has too few
    snapshots, or snapshots too far apart."""
    return _analysed(history, "wave_spectrum", "wave_spectrum")


def sensor_spectrum(history: Name | Run, quantity: str = "force") -> Any:
    """Spectra at the sensors, of "force" [N] or "velocity" [m/s]: `sensors`, `frequency` [Hz], and per frequency and sensor `pulse` (the
    Fourier transform, per Hz, without a window) and `vibration` (amplitudes under Hann's window). Raises InputError."""
    return _analysed(history, "sensor_spectrum", "spectrum_of", quantity)


def fit_pulse(history: Name | Run) -> Any:
    """The leading pulse of a chain, from a file or a Run: `speed` [m/s] and `speed_error`; per bead of `beads` `height` [N], `time` [s], `duration` [s],
    `width` (bead spacings), `energy` [J] and `share` of the energy; `decay` with the power law, the exponential and the evidence.
    Raises InputError where no whole pulse is recorded at three beads."""
    return _analysed(history, "pulse", "fit_pulse")
