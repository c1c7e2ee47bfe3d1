#!/usr/bin/python3
"""The recipe for conda agrees with CMakeLists.txt: version, licence, minimum versions, options; the two recipes of containers agree with each
other and name what is there. check_recipe.py SOURCES"""
import re
import sys
from pathlib import Path

import yaml

# Names of conda-forge, by the names that find_package and find_path use; None: the compiler brings it.
NAMES = {"HDF5": "hdf5", "CLI11": "cli11", "tomlplusplus": "tomlplusplus", "nlohmann_json": "nlohmann_json", "Ceres": "ceres-solver", "NLopt": "nlopt",
         "LAPACK": "liblapack", "Simbody": "simbody", "fmt": "fmt", "Boost": "libboost-headers", "hwy": "libhwy",
         "Random123": "random123", "pybind11": "pybind11", "Eigen3": "eigen", "Threads": None, "OpenMP": None, "MPI": None}


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
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
