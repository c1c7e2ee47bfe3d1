// Modules that are loaded on demand: one of another build is refused before any of its functions is
// called.
//
// Includes mechanism/mechanism.hpp, so that a build without mechanisms leaves this file out.
#include "mechanism/mechanism.hpp"
#include "program.hpp"

namespace beadwave::validation::modules_test {

namespace fs = std::filesystem;

namespace {

/// A copy of the program whose modules all are `module`.
class Installed {
  public:
    explicit Installed(const std::string& module) {
        const fs::path program = folder_ / "bin/beadwave";
        fs::create_directories(program.parent_path());
        fs::copy_file(BEADWAVE_PROGRAM, program);
        const fs::path modules = (folder_ / "bin" / BEADWAVE_MODULES_FROM_PROGRAM);
        fs::create_directories(modules);
        for (const char* name : {"simbody", "ceres", "nlopt", "lapack", "spectra"})
            fs::copy_file(module, modules / ("beadwave_" + std::string(name) + ".so"));
    }
    Said operator()(const std::string& words) const {
        return shell(folder_, "bin/beadwave " + words);
    }
    bool has(const std::string& name) const { return fs::exists(folder_ / name); }

  private:
    Folder folder_;
};

void check_refused(const Said& said, const std::string& file, const std::string& what) {
    CAPTURE(said.err);
    CHECK(said.status == 2);
    CHECK(said.err.find(file + ": is a module of " + what +
                        ", and this program needs that of "
                        "beadwave ") != std::string::npos);
    CHECK(said.err.find('\n') == said.err.size() - 1);
}

const std::string configs = BEADWAVE_SOURCE_DIR "/configs/";

}  // namespace

TEST_CASE("a module of another build is refused by its stamp, in one sentence") {
    const Installed program(BEADWAVE_OTHER_BUILD);
    const std::string what = "beadwave 0.0.9, build 0123456789ab";
    check_refused(program("run '" + configs + "slider_crank.toml' -o x.h5 --quiet"),
                  "beadwave_simbody.so", what);
    check_refused(program("modes '" + configs + "band_gap.toml' -o x.h5 --quiet"),
                  "beadwave_lapack.so", what);
    if (BEADWAVE_HAS_NLOPT)
        check_refused(program("design x.toml -o x.h5 --quiet"), "beadwave_nlopt.so", what);
    CHECK(!program.has("x.h5"));
    CHECK(!program.has("x.running.h5"));
    // A command that needs no module does not look at it.
    CHECK(program("laws hertz").status == 0);
}

TEST_CASE("a module without a stamp is refused") {
    const Installed program(BEADWAVE_WITHOUT_STAMP);
    check_refused(program("run '" + configs + "slider_crank.toml' -o x.h5 --quiet"),
                  "beadwave_simbody.so", "another program or an older beadwave");
}

}  // namespace beadwave::validation::modules_test
