"""`pip install --no-build-isolation .` builds the library and installs it, with the modules it loads, as one package.

Requires what `./dev build` installs, and python3-skbuild.
"""
import re
from pathlib import Path

from skbuild import setup

VERSION = re.search(r"project\(beadwave VERSION ([0-9.]+)", Path(__file__).with_name("CMakeLists.txt").read_text(encoding="utf-8"))[1]
setup(name="beadwave", version=VERSION, description="Waves and impacts in chains, packings and mechanisms of bodies that touch",
      license="BSD-3-Clause", python_requires=">=3.10", install_requires=["numpy", "h5py"],
      extras_require={"figures": ["matplotlib", "plotly"]},
      packages=["beadwave", "beadwave.report"], package_dir={"beadwave": "src/python/beadwave", "beadwave.report": "src/report"},
      package_data={"beadwave": ["*.pyi", "py.typed"], "beadwave.report": ["browser/*"]}, include_package_data=False,
      cmake_args=["-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF"], cmake_install_target="install-python")
