// Numbers in another unit: the warning names the key. Thirty scenarios, each with one length, mass,
// stress or time that is wrong by 1e3, 1e6 or 1e9; and all scenarios that are right.

#include "beadwave/input_error.hpp"
#include "jobs/read_job.hpp"
#include "program.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace beadwave::validation::units_test {

namespace {

namespace fs = std::filesystem;

const fs::path source = BEADWAVE_SOURCE_DIR;

/// What every warning about a unit contains.
const std::string mark = "is not expected; ";

/// The warning about a unit of a scenario that is ready to run, or the error where it is not.
std::string doubt_of(const fs::path& file, const std::vector<std::string>& settings = {},
                     const std::string& words = mark) {
    try {
        const auto job = jobs::read_job(file, settings);
        const auto warnings = job->warnings();
        const auto found = std::ranges::find_if(warnings, [&](const std::string& warning) {
            return warning.find(words) != std::string::npos;
        });
        return found == warnings.end() ? "" : *found;
    } catch (const InputError& error) {
        return error.what();
    }
}

struct Slip {
    const char* scenario;
    const char* key;
    const char* value;  ///< the number of the file in another unit
    const char* unit;   ///< that the warning names
};

constexpr std::array chains{
    Slip{"chain70", "segment.1.radius", "2.38", "mm"},
    Slip{"chain70", "segment.0.mass", "0.45", "g"},
    Slip{"head_on", "material.steel.youngs_modulus", "193", "GPa"},
    Slip{"dimer", "time.end", "1400.0", "us"},
    Slip{"newtons_cradle", "material.steel.youngs_modulus", "210e3", "MPa"},
    Slip{"precompressed", "segment.0.radius", "2.38e3", "um"},
    Slip{"mass_in_mass", "segment.0.mass", "0.45e3", "mg"},
    Slip{"crossed_cylinders", "segment.1.length", "18.0", "mm"},
    Slip{"gravity_column", "material.steel.youngs_modulus", "193e6", "kPa"},
    Slip{"bonded_chain", "segment.0.mass", "0.45e6", "ug"},
};
constexpr std::array packings{
    Slip{"square_crystal", "particles.0.radius", "2.38", "mm"},
    Slip{"square_crystal", "material.steel316.youngs_modulus", "193", "GPa"},
    Slip{"hopper", "particles.0.radius", "1.0", "mm"},
    Slip{"drum", "wall.0.radius", "30.0", "mm"},
    Slip{"silo", "time.end", "600.0", "ms"},
    Slip{"intruder", "particles.1.radius", "2.0e3", "um"},
    Slip{"triaxial", "material.glass.youngs_modulus", "70e3", "MPa"},
    Slip{"direct_shear", "wall.1.mass", "1e3", "mg"},
    Slip{"projectile", "particles.0.radius", "6e6", "nm"},
    Slip{"incline", "time.end", "200e3", "us"},
};
constexpr std::array mechanisms{
    Slip{"slider_crank", "contact.0.youngs_modulus", "207", "GPa"},
    Slip{"slider_crank", "body.0.mass", "300.0", "g"},
    Slip{"slider_crank", "contact.0.bearing_radius", "10.0", "mm"},
    Slip{"slider_crank_guide", "time.end", "20.0", "ms"},
    Slip{"newtons_cradle_pendulums", "body.2.mass", "27.97", "g"},
    Slip{"newtons_cradle_pendulums", "material.steel.youngs_modulus", "210e3", "MPa"},
    Slip{"pendulums", "body.1.mass", "200.0", "g"},
    Slip{"rocking_block", "time.end", "1000.0", "ms"},
    Slip{"cam_follower", "time.end", "251.327412287", "ms"},
    Slip{"pounding", "time.end", "10e6", "us"},
};

template <std::size_t count>
int warned(const std::array<Slip, count>& slips) {
    int right = 0;
    for (const Slip& slip : slips) {
        const std::string scenario = std::string(slip.scenario) + ".toml";
        const std::string doubt =
            doubt_of(source / "configs" / scenario, {std::string(slip.key) + "=" + slip.value});
        // The key comes first, or after an error that the number causes.
        const std::string named = std::string(slip.key) + ": with ";
        const bool is_right =
            doubt.find(named) != std::string::npos &&
            doubt.find("written in " + std::string(slip.unit) + "?") != std::string::npos;
        if (!is_right) MESSAGE(scenario, ": ", slip.key, " = ", slip.value, ": ", doubt);
        right += is_right ? 1 : 0;
    }
    return right;
}

}  // namespace

TEST_CASE("a number in another unit is warned of, with its key and that unit") {
    static_assert(chains.size() + packings.size() + mechanisms.size() == 30);
    CHECK(warned(chains) + warned(packings) + warned(mechanisms) >= 29);
}

namespace {

/// A slider-crank whose pin has a clearance, in metres; the other tables of a slider-crank are as
/// in configs/slider_crank.toml, without a yield stress.
std::string slider_crank(double metre, double inertia) {
    const auto x = [&](double length) { return std::to_string(metre * length); };
    return "[[body]]\nname = \"crank\"\nmass = 0.5\ninertia = " + std::to_string(inertia) +
           "\ncentre = [" + x(0.02) + ", 0.0]\n[[body]]\nname = \"rod\"\nmass = 0.3\ninertia = " +
           std::to_string(3.0 * inertia) + "\ncentre = [" + x(0.115) + ", 0.0]\nvelocity = [0.0, " +
           x(2.094395) +
           "]\nangular_velocity = -27.92527\n[[body]]\nname = \"slider\"\nmass = 0.4\ninertia = " +
           std::to_string(inertia) + "\ncentre = [" + x(0.19) +
           ", 0.0]\n[[joint]]\nkind = \"revolute\"\nbodies = [\"ground\", \"crank\"]\npoint = "
           "[0.0, "
           "0.0]\nspeed = 104.7198\n[[joint]]\nkind = \"revolute\"\nbodies = [\"crank\", "
           "\"rod\"]\npoint = [" +
           x(0.04) +
           ", 0.0]\n[[joint]]\nkind = \"slider\"\nbodies = [\"ground\", \"slider\"]\naxis = [1.0, "
           "0.0]\n[[contact]]\nname = \"pin\"\nkind = \"journal\"\nbodies = [\"rod\", "
           "\"slider\"]\npoint = [" +
           x(0.19) + ", 0.0]\nbearing_radius = " + x(0.01) + "\nclearance = " + x(0.2e-3) +
           "\nyoungs_modulus = 207e9\npoisson_ratio = 0.3\nlaw = { name = \"lankarani-nikravesh\", "
           "restitution = 0.8 }\n[time]\nend = 0.012\ninterval = 1e-4\n";
}

}  // namespace

TEST_CASE("a mechanism in millimetres is warned of, with and without its moments of inertia") {
    const Folder folder;
    write_file(folder / "si.toml", slider_crank(1.0, 2e-4));
    CHECK(doubt_of(folder / "si.toml") == "");
    write_file(folder / "mm.toml", slider_crank(1e3, 2e-4));
    const std::string lengths = doubt_of(folder / "mm.toml");
    CHECK_MESSAGE(lengths.find("and all other lengths and speeds: with ") != std::string::npos,
                  lengths);
    CHECK_MESSAGE(lengths.ends_with("were they written in mm and mm/s? expected m and m/s"),
                  lengths);
    write_file(folder / "all_mm.toml", slider_crank(1e3, 2e2));
    const std::string all = doubt_of(folder / "all_mm.toml");
    CHECK_MESSAGE(all.ends_with("were they written in mm, mm/s and kg mm^2? expected m, m/s and kg "
                                "m^2"),
                  all);
}

TEST_CASE("a modulus in GPa is warned of beside masses near one and no other stress") {
    const Folder folder;
    write_file(folder / "si.toml", slider_crank(1.0, 2e-4));
    const std::string doubt = doubt_of(folder / "si.toml", {"contact.0.youngs_modulus=207"});
    CHECK_MESSAGE(doubt.starts_with("contact.0.youngs_modulus: with 207 Pa Young's modulus is"),
                  doubt);
    CHECK_MESSAGE(doubt.ends_with("was it written in GPa? expected Pa"), doubt);
}

TEST_CASE("a pin that goes deep into its bearing is warned of") {
    const Folder folder;
    write_file(folder / "si.toml", slider_crank(1.0, 2e-4));
    const Said hard = shell(folder, "beadwave run si.toml --quiet -o hard.h5");
    CHECK_MESSAGE(hard.err.find("overlapped by") == std::string::npos, hard.err);
    const Said soft = shell(folder,
                            "beadwave run si.toml --quiet --set contact.0.youngs_modulus=1e6 -o "
                            "soft.h5");
    CHECK(soft.status == 0);
    CHECK_MESSAGE(soft.err.find("contact \"pin\": its bodies overlapped by ") != std::string::npos,
                  soft.err);
    CHECK_MESSAGE(soft.err.find(" times the radius of the pin; ") != std::string::npos, soft.err);
}

TEST_CASE("a pin in a bearing at the origin is no sign of another unit") {
    const Folder folder;
    const std::string body = "mass = 1.0\ninertia = 1e-2\ncentre = ";
    write_file(folder / "pin.toml",
               "[[body]]\nname = \"pin\"\n" + body +
                   "[1.4e-4, 0.0]\n[[body]]\nname = \"bearing\"\n" + body +
                   "[0.0, 0.0]\n[[joint]]\nkind = \"revolute\"\nbodies = [\"ground\", "
                   "\"bearing\"]\npoint = [0.0, 0.0]\nspeed = 30.0\n[[contact]]\nname = \"pin\"\n"
                   "kind = \"journal\"\nbodies = [\"pin\", \"bearing\"]\npoint = [1.4e-4, 0.0]\n"
                   "bearing_centre = [0.0, 0.0]\nbearing_radius = 0.01\nclearance = 1e-4\n"
                   "stiffness = 1e9\nlaw = { name = \"tsuji\", restitution = 0.5 }\n"
                   "[time]\nend = 0.02\ninterval = 1e-4\n");
    CHECK(doubt_of(folder / "pin.toml") == "");
}

TEST_CASE("a friction in per cent is warned of, one of bodies that never slide is not") {
    const fs::path drum = source / "configs/drum.toml",
                   crank = source / "configs/slider_crank.toml";
    const std::string doubt = doubt_of(drum, {"friction.coefficient=40"});
    CHECK_MESSAGE(doubt.starts_with("friction.coefficient: a friction of 40 is "), doubt);
    CHECK_MESSAGE(doubt.find("was it written in per cent?") != std::string::npos, doubt);
    CHECK(doubt_of(drum, {"friction.static_coefficient=40"})
              .starts_with("friction.static_coefficient: a friction of 40 is "));
    CHECK(doubt_of(drum, {"friction.coefficient=1.5"}) == "");
    CHECK(doubt_of(drum, {"friction.coefficient=1000"}) == "");
    CHECK(doubt_of(crank, {"contact.0.friction.coefficient=10"})
              .starts_with("contact.0.friction.coefficient: a friction of 10 is "));
}

TEST_CASE("no number of the scenarios that come with the program is doubted") {
    int scenarios = 0;
    for (const char* folder : {"configs", "docs/examples"}) {
        for (const auto& entry : fs::directory_iterator(source / folder)) {
            if (entry.path().extension() != ".toml") continue;
            // Objectives, designs and cases of ellipsoids are no scenarios.
            const std::string stem = entry.path().stem();
            const bool design = read_file(entry.path()).find("\n[design]\n") != std::string::npos;
            if (stem.ends_with("_objective") || design || stem.ends_with("ellipsoids")) continue;
            CHECK_MESSAGE(doubt_of(entry.path()) == "", entry.path().string());
            CHECK_MESSAGE(doubt_of(entry.path(), {}, "fall without an end") == "",
                          entry.path().string());
            ++scenarios;
        }
    }
    CHECK(scenarios > 40);
}

TEST_CASE("short runs, and samples at the end alone, are no sign of another unit") {
    const auto config = [](const char* name) { return source / "configs" / name; };
    const std::vector<std::string> at_end{"sensors.interval=1e-6", "snapshots.interval=1e-6",
                                          "energy.interval=1e-6", "time.end=1e-6"};
    CHECK(doubt_of(config("newtons_cradle.toml"), at_end) == "");
    CHECK(doubt_of(config("square_crystal.toml"),
                   {"time.end=1e-6", "sensors.interval=1e-8", "snapshots.interval=1e-7"}) == "");
    CHECK(doubt_of(config("newtons_cradle.toml"), {"sensors.interval=1", "time.end=1e-3"})
              .starts_with("sensors.interval: with 1 s the number of samples is 0.001"));
}

TEST_CASE("reduced units are not doubted: no unit can be told") {
    const Folder folder;
    write_file(folder / "reduced.toml", R"([material.unit]
youngs_modulus = 1.0
poisson_ratio = 0.0
[[segment]]
beads = 1
radius = 1.0
mass = 1.0
material = "unit"
velocity = 0.01
[[segment]]
beads = 9
radius = 1.0
mass = 1.0
material = "unit"
[law]
name = "hertz"
[time]
end = 100.0
)");
    CHECK(doubt_of(folder / "reduced.toml") == "");
    for (const char* radius : {"0.5", "1.0"}) {
        for (const char* modulus : {"1.0", "10.0", "100.0", "1000.0"}) {
            for (const char* mass : {"1.0", "0.5"}) {
                using std::string;
                CHECK(doubt_of(folder / "reduced.toml",
                               {"segment.0.radius=" + string(radius),
                                "segment.1.radius=" + string(radius),
                                "segment.0.mass=" + string(mass), "segment.1.mass=" + string(mass),
                                "material.unit.youngs_modulus=" + string(modulus)}) == "");
            }
        }
    }
}

TEST_CASE("the warning about a unit is in the JSON and on the terminal") {
    const Folder folder;
    const Said said =
        shell(folder, "beadwave run '" + (source / "configs/newtons_cradle.toml").string() +
                          "' --set material.steel.youngs_modulus=210 --quiet --json -o out.h5");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const std::string start = "material.steel.youngs_modulus: with 210 Pa ";
    const auto warnings = nlohmann::json::parse(said.out)["warnings"];
    CHECK(std::ranges::count_if(warnings, [&](const nlohmann::json& warning) {
              return warning.get<std::string>().starts_with(start);
          }) == 1);
    CHECK_MESSAGE(said.err.find(start) != std::string::npos, said.err);
}

}  // namespace beadwave::validation::units_test
