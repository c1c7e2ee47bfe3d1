#!/usr/bin/python3
"""The recipes for conda and Spack agree with CMakeLists.txt: version, licence, minimum versions, options; the two recipes of containers agree
with each other and name what is there. check_recipe.py SOURCES"""
import re
import sys
import types
from pathlib import Path
from unittest import mock

import yaml

# Names of conda-forge, by the names that find_package and find_path use; None: the compiler brings it.
NAMES = {"HDF5": "hdf5", "CLI11": "cli11", "tomlplusplus": "tomlplusplus", "nlohmann_json": "nlohmann_json", "Ceres": "ceres-solver", "NLopt": "nlopt",
         "LAPACK": "liblapack", "Simbody": "simbody", "fmt": "fmt", "Boost": "libboost-headers", "hwy": "libhwy",
         "Random123": "random123", "pybind11": "pybind11", "Eigen3": "eigen", "Threads": None, "OpenMP": None, "MPI": None}

# Names of Spack where they differ; of Simbody it has none.
SPACK_NAMES = NAMES | {"nlohmann_json": "nlohmann-json", "LAPACK": "lapack", "Boost": "boost", "hwy": "highway", "pybind11": "py-pybind11",
                       "MPI": "mpi", "Simbody": None}


def spack_recipe(path):
    """What the recipe tells Spack, and the options that it gives to CMake with the Python package: it runs with these words of Spack."""
    told = {word: [] for word in ("version", "license", "variant", "generator", "depends_on", "extends")}

    class CMakePackage:
        def define(self, name, value):
            return name, value

        def define_from_variant(self, name, variant):
            assert variant in [words[0] for words, _ in told["variant"]], f"no variant {variant}"
            return name, variant

    words = {word: lambda *args, to=all_of, **more: to.append((args, more)) for word, all_of in told.items()}
    spack = types.ModuleType("spack")
    spack.package = types.ModuleType("spack.package")
    vars(spack.package).update(words, CMakePackage=CMakePackage)
    scope = {}
    with mock.patch.dict(sys.modules, {"spack": spack, "spack.package": spack.package}):
        exec(compile(path.read_text(encoding="utf-8"), path, "exec"), scope)
    recipe = scope["Beadwave"]()
    recipe.spec = mock.MagicMock()
    return told, dict(recipe.cmake_args())


def spack_faults(sources, cmake, version, licence, found):
    told, options = spack_recipe(sources / "packaging/spack/packages/beadwave/package.py")
    faults = [f"version {words}, not {version}" for words, _ in told["version"] if words != (version,)]
    faults += [f"licence {words}" for words, _ in told["license"] if words != (licence,)]
    depends = {re.split("[@~+]", words[0])[0]: words[0] for words, _ in told["depends_on"]}
    needed = {SPACK_NAMES[name]: least for name, least in found if SPACK_NAMES[name] is not None}
    for name, least in needed.items():
        expected = f"{name}@{least}:" if least else name
        if depends.get(name, "").split("~")[0] != expected:
            faults.append(f"{depends.get(name, 'nothing')}, not {expected}")
    tools = {"c", "cxx", "cmake", "py-numpy", "py-h5py"}
    faults += [f"depends on {name}, which CMakeLists.txt does not look for" for name in sorted(set(depends) - set(needed) - tools)]
    least = re.search(r"cmake_minimum_required\(VERSION ([0-9.]+)", cmake)[1]
    if depends.get("cmake") != f"cmake@{least}:":
        faults.append(f"cmake is not at least {least}")
    known = set(re.findall(r"(?:option|set)\((BEADWAVE_\w+)", cmake)) | {"BUILD_TESTING", "PYTHON_EXECUTABLE"}
    faults += [f"CMakeLists.txt has no option {name}" for name in sorted(set(options) - known)]
    if options.get("BEADWAVE_MECHANISMS") is not False:
        faults.append("mechanisms are not off, which need Simbody")
    return [f"Spack: {fault}" for fault in faults]


def container_faults(sources):
    """Both recipes start from the same system, install the same packages, and call commands that ./dev has."""
    folder, dev = sources / "packaging/containers", (sources / "dev").read_text(encoding="utf-8")
    found = {}
    for name in ("Dockerfile", "beadwave.def"):
        text = "\n".join(line for line in (folder / name).read_text(encoding="utf-8").splitlines() if not line.lstrip().startswith("#"))
        installs = re.findall(r"install --yes --no-install-recommends ([^\n&]+)", text)
        found[name] = {"system": set(re.findall(r"(?i)from:? (\w+:[\w-]+)", text)),
                       "packages": [sorted(word for word in line.split() if word[0] not in "/\\\\") for line in installs],
                       "commands": re.findall(r"\./dev (\w+)", text)}
    first, second = found.values()
    faults = [f"containers: {key}: {first[key]} in one recipe, {second[key]} in the other" for key in first if first[key] != second[key]]
    faults += [f"containers: no {key}" for key, value in first.items() if not value]
    return faults + [f"containers: ./dev has no command {word}" for word in first["commands"] if f"\n    {word})" not in dev]


def main():
    sources = Path(sys.argv[1])
    cmake = (sources / "CMakeLists.txt").read_text(encoding="utf-8")
    recipe = yaml.safe_load((sources / "packaging/conda/recipe.yaml").read_text(encoding="utf-8"))
    faults = []

    version = re.search(r"project\(beadwave VERSION ([0-9.]+)", cmake)[1]
    if recipe["context"]["version"] != version:
        faults.append(f"version {recipe['context']['version']}, not {version}")
    citation = yaml.safe_load((sources / "CITATION.cff").read_text(encoding="utf-8"))
    if recipe["about"]["license"] != citation["license"]:
        faults.append(f"licence {recipe['about']['license']}")

    host = dict((line.split(" ") + [""])[:2] for line in recipe["requirements"]["host"])
    found = re.findall(r"find_package\((\w+) ?([0-9.]*)", cmake + (sources / "cmake/python_module.cmake").read_text(encoding="utf-8"))
    found += [(name, "") for name in re.findall(r"find_path\((\w+)_INCLUDE_DIR", cmake)]
    needed = {}
    for name, least in found:
        if name not in NAMES:
            faults.append(f"CMakeLists.txt looks for {name}, which has no name in NAMES")
        elif NAMES[name] is not None:
            needed[NAMES[name]] = least
    for name, least in needed.items():
        if name not in host:
            faults.append(f"{name} is missing from host")
        elif least and name != "eigen" and host[name] != f">={least}":
            faults.append(f"{name} {host[name]}, not >={least}")
    for name in sorted(set(host) - set(needed) - {"python"}):
        faults.append(f"host has {name}, which CMakeLists.txt does not look for")
    for option in re.findall(r"-D(BEADWAVE_\w+)=", " ".join(recipe["build"]["script"])):
        if not re.search(rf"(option|set)\({option}\b", cmake):
            faults.append(f"CMakeLists.txt has no option {option}")
    least = re.search(r"cmake_minimum_required\(VERSION ([0-9.]+)", cmake)[1]
    if f"cmake >={least}" not in recipe["requirements"]["build"]:
        faults.append(f"cmake is not >={least}")
    faults += container_faults(sources)
    faults += spack_faults(sources, cmake, version, citation["license"], found)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
