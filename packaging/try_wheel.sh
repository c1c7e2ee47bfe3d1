#!/bin/sh
# try_wheel.sh WHEEL CONFIGS FOLDER [PYTHON]: installs the wheel in an empty environment that has only NumPy, and runs scenarios.
#
# NumPy and later, for the page, h5py and plotly are those of the system: links in the environment show it these packages alone.
set -eu
wheel=$(realpath "$1") configs=$(realpath "$2") folder=$3 python=${4:-/usr/bin/python3}
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
unset PYTHONPATH
"$python" -m venv environment
site=$(environment/bin/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
system=/usr/lib/python3/dist-packages
ln -s "$system/numpy" "$site"
environment/bin/python -m pip install --quiet --no-index --no-deps "$wheel"
environment/bin/python - "$configs" <<'PYTHON'
import importlib.util
import sys

import beadwave as bw
import numpy as np

configs = sys.argv[1]
assert importlib.util.find_spec("h5py") is None
run = bw.load(f"{configs}/chain70.toml").run()
assert abs(run["relative_energy_error"][-1]) < 1e-6, run["relative_energy_error"][-1]
print(f"beadwave {bw.__version__}: {len(run['mass'])} beads, largest force at a sensor {np.max(run['sensor_force']):.2f} N")
run.save("out.h5")
print("mechanism:", bw.load(f"{configs}/slider_crank.toml", overrides={"time.end": 1e-3}).run()["position"].shape)
print("modes:", bw.modes(f"{configs}/band_gap.toml").frequency[:2])
measured = {"time": run["sensor_time"], 9: run["sensor_force"][:, 0]}
for name, call in (("fit", lambda: bw.fit(f"{configs}/chain70.toml", measured, {"law.psi": (2.5, 3.0)})),
                   ("report", lambda: bw.report("out.h5"))):
    try:
        call()
    except bw.RunError as error:
        print(f"{name}: {error}")
    else:
        raise SystemExit(f"{name} needs what is not here")
PYTHON
for name in h5py _h5py plotly _plotly_utils tenacity six.py packaging; do
    [ ! -e "$system/$name" ] || ln -s "$system/$name" "$site"
done
environment/bin/python - <<'PYTHON'
import os

import beadwave as bw

for name in bw.report("out.h5"):
    print(f"{name}: {os.path.getsize(name) / 1e6:.1f} MB")
print(bw.export("out.h5", "out.dump"))
with bw.History("out.h5") as history:
    print("with an HDF5 of h5py in the process:", history["sensor_force"].shape)
PYTHON
