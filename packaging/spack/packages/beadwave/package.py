# A recipe for Spack. From a clone of beadwave:
#
#     spack repo add packaging/spack
#     spack dev-build -d . beadwave@0.1.0 +mpi
#
# validation/cli/check_recipe.py runs this file and compares version, dependencies and options with CMakeLists.txt. It has not been built
# with Spack. Mechanisms need Simbody, for which Spack has no recipe.
from spack.package import CMakePackage, depends_on, extends, generator, license, variant, version


class Beadwave(CMakePackage):
    """Waves and impacts in chains, packings and mechanisms of bodies that touch."""

    license("BSD-3-Clause")
    version("0.1.0")

    variant("mpi", default=True, description="Let several processes share a run")
    variant("python", default=True, description="Build the Python package")

    generator("ninja")
    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")

    depends_on("boost@1.74:")
    depends_on("ceres-solver@2.1:")
    depends_on("cli11@2.1:")
    depends_on("eigen@3.3:")
    depends_on("fmt@9:")
    depends_on("hdf5@1.10.7:~mpi")
    depends_on("highway@1.0.3:")
    depends_on("lapack")
    depends_on("nlohmann-json@3.11:")
    depends_on("nlopt@2.6:")
    depends_on("random123")
    depends_on("tomlplusplus@3:")

    depends_on("mpi", when="+mpi")

    extends("python", when="+python")
    depends_on("py-pybind11@2.9:", when="+python", type=("build", "link"))
    depends_on("py-numpy", when="+python", type=("build", "run"))
    depends_on("py-h5py", when="+python", type="run")

    def cmake_args(self):
        args = [
            self.define_from_variant("BEADWAVE_MPI", "mpi"),
            self.define_from_variant("BEADWAVE_PYTHON_MODULE", "python"),
            self.define("BEADWAVE_MECHANISMS", False),
            self.define("BUILD_TESTING", False),
        ]
        if self.spec.satisfies("+python"):
            python = self.spec["python"]
            args += [
                self.define("PYTHON_EXECUTABLE", python.command.path),
                self.define("BEADWAVE_PYTHON_FOLDER", f"lib/python{python.version.up_to(2)}/site-packages"),
            ]
        return args
