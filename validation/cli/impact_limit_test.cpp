// Impacts faster than contact laws hold for get a warning, in every kind of run.

#include "beadwave/laws/impact_limit.hpp"

#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/line_catalogue.hpp"
#include "io/scenario/case_reader.hpp"
#include "jobs/collision_job.hpp"
#include "program.hpp"
#include "relative.hpp"
#include "simd/instruction_sets.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace beadwave::validation::impact_limit_test {

namespace {

using nlohmann::json;

const std::string configs = BEADWAVE_SOURCE_DIR "/configs/";

/// Of steel: 1e-5 sqrt(2.1e11/7850) = 0.0517 m/s.
std::string steel_case(double speed, const std::string& law, const std::string& shape = "") {
    std::string text = fmt::format("speed = {}\n", speed);
    for (const char* body : {"a", "b"}) {
        text += fmt::format(
            "[body.{}]\nradius = 2.5e-3\ndensity = 7850.0\nyoungs_modulus = 2.1e11\npoisson_ratio "
            "= 0.3\nyield_stress = 9e8\n{}",
            body, shape);
    }
    return text + law;
}

std::vector<std::string> warnings_of(const std::string& text) {
    return jobs::warnings_of(io::read_case_text(text, "case.toml"), laws::Collision{});
}

/// Those of `beadwave run`.
std::vector<std::string> of_run(const std::string& arguments, const std::string& before = "") {
    const Folder folder;
    const Said said = shell(folder, before + "beadwave run " + arguments + " --quiet --json");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const auto warnings = json::parse(said.out).at("warnings").get<std::vector<std::string>>();
    for (const std::string& warning : warnings)
        CHECK_MESSAGE(said.err.find(warning) != std::string::npos, said.err);
    return warnings;
}

std::vector<std::string> of_text(const std::string& text, const std::string& before = "") {
    const Folder folder;
    write_file(folder / "s.toml", text);
    return of_run("'" + (folder / "s.toml").string() + "' -o out.h5", before);
}

bool is_fast(const std::vector<std::string>& warnings) {
    int fast = 0;
    for (const std::string& warning : warnings)
        fast += warning.find("sqrt(E/density)") != std::string::npos ? 1 : 0;
    CHECK(fast <= 1);
    return fast == 1;
}

}  // namespace

TEST_CASE("every law warns of 20 m/s on steel and not of 0.1 m/s") {
    int laws_made = 0;
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.refused.empty()) continue;
        CAPTURE(entry.name);
        const double limit = laws::elastic_impact_speed(2.1e11, 7850.0);
        CHECK(laws::beyond_impact_limit(entry.name, false, "an impact at", 20.0, limit));
        CHECK_FALSE(laws::beyond_impact_limit(entry.name, false, "an impact at", 0.1, limit));
        std::string law = fmt::format("[law]\nname = \"{}\"\n", entry.name);
        bool has_file = false;
        for (const laws::Parameter& p : entry.parameters) {
            has_file = has_file || (p.required() && p.is_file);
            if (p.required() && !p.is_file) law += fmt::format("{} = {}\n", p.name, p.usual(0.65));
        }
        if (has_file) continue;
        ++laws_made;
        CHECK(is_fast(warnings_of(steel_case(20.0, law))));
        CHECK_FALSE(is_fast(warnings_of(steel_case(0.1, law))));
        const std::vector<std::string> said = warnings_of(steel_case(20.0, law));
        const bool yields = entry.family.starts_with("elastoplastic");
        CHECK(said.back().find(yields ? "yields as in slow tests" : "does not have") !=
              std::string::npos);
        CHECK(said.back().find("law " + entry.name) != std::string::npos);
    }
    CHECK(laws_made > 60);
    for (const laws::LineEntry& entry : laws::line_catalogue()) {
        if (!entry.external) continue;
        CAPTURE(entry.name);
        const std::string law = "[law]\nname = \"" + entry.name + "\"\n";
        CHECK(is_fast(warnings_of(steel_case(20.0, law, "length = 5e-3\n"))));
        CHECK_FALSE(is_fast(warnings_of(steel_case(0.1, law, "length = 5e-3\n"))));
    }
}

TEST_CASE("the limit is that of the formula, of the body that has the lower one") {
    CHECK_RELATIVE(laws::elastic_impact_speed(193e9, 7970.0), 0.0492096, 1e-6);
    const auto beyond = [](const char* law, double speed) {
        return laws::beyond_impact_limit(law, false, "an impact at", speed, 0.05).has_value();
    };
    // A power of ten is known to its square root; with yield, two powers later.
    CHECK_FALSE(beyond("hertz", 0.158));
    CHECK(beyond("hertz", 0.1582));
    CHECK_FALSE(beyond("ma-liu", 4.999));
    CHECK(beyond("ma-liu", 5.001));
    CHECK(beyond("wang-liu", 5.001));
    CHECK_FALSE(beyond("hertz", std::nan("")));
    // Lead, 16 GPa and 11340 kg/m^3, in place of steel: 0.0119 m/s.
    std::string text = steel_case(0.1, "[law]\nname = \"hertz\"\n");
    const std::string steel = "density = 7850.0\nyoungs_modulus = 2.1e11";
    text.replace(text.find(steel), steel.size(), "density = 11340\nyoungs_modulus = 16e9");
    REQUIRE(is_fast(warnings_of(text)));
    CHECK(
        warnings_of(text).back() ==
        "an impact at 0.1 m/s is faster than 0.012 m/s, 1e-5 sqrt(E/density), up to which impacts "
        "are elastic and quasi-static: bodies of metal yield there, which the law hertz does not "
        "have; expected lower speeds, or an elastoplastic law");
    // Rubber and lowered moduli are not metals.
    CHECK(std::isinf(laws::elastic_impact_speed(1e7, 1000.0)));
}

TEST_CASE("a chain says which beads meet too fast, alone, in a sweep and in its history") {
    const std::string chain = "'" + configs + "newtons_cradle.toml' -o out.h5 --set ";
    const auto fast = of_run(chain + "segment.0.velocity=20");
    REQUIRE(is_fast(fast));
    CHECK(fast.back().starts_with("beads 0 and 1 meet: an impact at 20 m/s is faster than 0.052"));
    CHECK_FALSE(is_fast(of_run(chain + "segment.0.velocity=0.1")));
    const std::string chain70 = "'" + configs + "chain70.toml' -o out.h5 --set time.end=2e-5 ";
    CHECK_FALSE(is_fast(of_run(chain70)));
    CHECK(is_fast(of_run(chain70 + "--set segment.0.velocity=20")));
    // Through a gap, under gravity: sqrt(2 * 9.81 * 0.01) = 0.443 m/s.
    const std::string falls = R"([material.steel]
youngs_modulus = 2.1e11
poisson_ratio = 0.3
density = 7850
[[segment]]
beads = 1
radius = 2e-3
material = "steel"
[boundary]
right = { kind = "wall", gap = 0.01 }
[gravity]
acceleration = 9.81
equilibrium = false
[law]
name = "hertz"
[time]
end = 1e-5
)";
    const auto fallen = of_text(falls);
    REQUIRE(is_fast(fallen));
    CHECK(fallen.back().starts_with("bead 0 and the wall meet: an impact at 0.443 m/s"));

    const Folder folder;
    const Said swept = shell(folder, "beadwave sweep '" + configs +
                                         "newtons_cradle.toml' --vary "
                                         "segment.0.velocity=0.1,20 --csv out.csv --quiet");
    REQUIRE_MESSAGE(swept.status == 0, swept.err);
    const std::string table = read_file(folder / "out.csv");
    CHECK(table.find("an impact at 20 m/s is faster") != std::string::npos);
    CHECK(table.find("an impact at 0.1 m/s") == std::string::npos);
    const Said run = shell(folder, "beadwave run '" + configs +
                                       "newtons_cradle.toml' --quiet -o h.h5 --set "
                                       "segment.0.velocity=20");
    REQUIRE(run.status == 0);
    const Said read = shell(folder, BEADWAVE_PYTHON
                            " -c 'import h5py; print(h5py.File(\"h.h5\")[\"parameters/warnings\"]"
                            "[-1].decode())'");
    CHECK("beadwave: warning: " + read.out == run.err);
}

TEST_CASE("a packing says so too, on each engine and instruction set, for speeds that it gains") {
    const auto packing = [](double speed, double gravity, const std::string& more) {
        return fmt::format(R"([material.steel]
youngs_modulus = 2.1e11
poisson_ratio = 0.3
density = 7850
[[particles]]
position = [0.0, 0.0, 2.1e-3]
radius = 2e-3
material = "steel"
velocity = [0.0, 0.0, {}]
[[wall]]
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
material = "steel"
[gravity]
acceleration = [0.0, 0.0, {}]
[law]
name = "hertz"
[time]
end = 1e-5
step = 2e-8
{})",
                           -speed, -gravity, more);
    };
    const std::string plain = "[snapshots]\ninterval = 1e-5\n[dissipation]\nper = [\"contact\"]\n";
    CHECK(is_fast(of_text(packing(20.0, 0.0, plain))));
    CHECK_FALSE(is_fast(of_text(packing(0.1, 0.0, plain))));
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        CAPTURE(set.name);
        const std::string with = fmt::format("BEADWAVE_INSTRUCTION_SET={} ",
                                             set.target == simd::Target::avx512 ? "avx512"
                                             : set.target == simd::Target::avx2 ? "avx2"
                                                                                : "baseline");
        const auto fast = of_text(packing(20.0, 0.0, ""), with);
        REQUIRE(is_fast(fast));
        CHECK(fast.back().starts_with("a relative speed of 20 m/s is faster than 0.052 m/s"));
        CHECK_FALSE(is_fast(of_text(packing(0.1, 0.0, ""), with)));
        // From rest to 0.05 m/s, and to 1 m/s.
        CHECK_FALSE(is_fast(of_text(packing(0.0, 5e3, ""), with)));
        CHECK(is_fast(of_text(packing(0.0, 1e5, ""), with)));
    }
}

TEST_CASE("a mechanism says which contact closes too fast") {
    const std::string cradle = "'" + configs +
                               "newtons_cradle_pendulums.toml' -o out.h5 --set time.end=1e-3 --set "
                               "'body.0.velocity=[{}, 0.0]'";
    const auto fast = of_run(fmt::format(fmt::runtime(cradle), "20.0"));
    REQUIRE(is_fast(fast));
    CHECK(fast.back().find("(with the density of steel): an impact at 20 m/s is faster than 0.052 "
                           "m/s") != std::string::npos);
    CHECK_FALSE(is_fast(of_run(fmt::format(fmt::runtime(cradle), "0.1"))));
}

// 0.1 sqrt(2.1e11/7850) = 517 m/s. A ball of 1 mm reaches it at 5.17e5 rad/s.
TEST_CASE("a spin that bursts a body gets a warning") {
    const auto warned = [](const std::vector<std::string>& warnings) {
        std::string found;
        for (const std::string& warning : warnings)
            if (warning.find("a spin of") != std::string::npos) found += warning;
        return found;
    };
    const auto of_packing = [&](double spin) {
        return warned(of_text(fmt::format(
            "[material.steel]\nyoungs_modulus = 2.1e11\npoisson_ratio = 0.3\ndensity = 7850.0\n"
            "[[particles]]\nposition = [0.0, 0.0, 0.0]\nradius = 1e-3\nmaterial = \"steel\"\n"
            "[[particles]]\nposition = [0.01, 0.0, 0.0]\nradius = 1e-3\nmaterial = \"steel\"\n"
            "angular_velocity = [0.0, 0.0, {}]\n[law]\nname = \"hertz\"\n"
            "[time]\nend = 1e-6\nstep = 1e-8\n",
            spin)));
    };
    CHECK(of_packing(5.1e5).empty());
    const std::string said = of_packing(-5.3e5);
    CHECK_MESSAGE(said.starts_with("particle 1: a spin of 5.3e+05 rad/s moves the surface at 530 "
                                   "m/s, faster than 517 m/s"),
                  said);
    // A soft sphere beside: 0.1 sqrt(1e7/1000) = 10 m/s, of which 90 m/s are more than 400 are of
    // 517.
    const std::string mixed = warned(
        of_text("[material.steel]\nyoungs_modulus = 2.1e11\npoisson_ratio = 0.3\ndensity = 7850.0\n"
                "[material.gel]\nyoungs_modulus = 1e7\npoisson_ratio = 0.45\ndensity = 1000.0\n"
                "[[particles]]\nposition = [0.0, 0.0, 0.0]\nradius = 1e-3\nmaterial = \"steel\"\n"
                "angular_velocity = [4e5, 0.0, 0.0]\n"
                "[[particles]]\nposition = [0.01, 0.0, 0.0]\nradius = 1e-3\nmaterial = \"gel\"\n"
                "angular_velocity = [0.0, 9e4, 0.0]\n[law]\nname = \"hertz\"\n"
                "[time]\nend = 1e-6\nstep = 1e-8\n"));
    CHECK_MESSAGE(mixed.starts_with("particle 1: a spin of 9e+04 rad/s"), mixed);
    const auto of_collision = [&](double spin) {
        const Folder folder;
        write_file(folder / "c.toml",
                   fmt::format("[[body]]\nshape = \"ellipsoid\"\nsemi_axes = [1e-3, 5e-4, 5e-4]\n"
                               "position = [0.0, 0.0, 1.2e-3]\nvelocity = [0.0, 0.0, -50.0]\n"
                               "angular_velocity = [{}, 0.0, 0.0]\ndensity = 7850.0\n"
                               "youngs_modulus = 2.1e11\npoisson_ratio = 0.3\n"
                               "[[wall]]\npoint = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, 1.0]\n"
                               "youngs_modulus = 2.1e11\npoisson_ratio = 0.3\n"
                               "[law]\nname = \"hertz\"\n",
                               spin));
        const Said run = shell(folder, "beadwave collide c.toml");
        REQUIRE_MESSAGE(run.status == 0, run.err);
        return run.err;
    };
    CHECK(of_collision(5.1e5).find("a spin of") == std::string::npos);
    CHECK(of_collision(5.3e5).find("the first body: a spin of 5.3e+05 rad/s") != std::string::npos);
}

}  // namespace beadwave::validation::impact_limit_test
