// Chains for tests of periodic orbits, and what `beadwave orbit` says of them.
#pragma once

#include "program.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace beadwave::validation::orbit_chains {

/// Steel spheres of 5 mm between plane steel walls.
inline std::string between_walls(int beads, const std::string& gap, const std::string& more = "") {
    return "[material.steel]\nyoungs_modulus = 193e9\npoisson_ratio = 0.3\ndensity = 7850\n"
           "[[segment]]\nbeads = " +
           std::to_string(beads) +
           "\nradius = 5e-3\nmaterial = \"steel\"\n"
           "[boundary.left]\nkind = \"wall\"\ngap = " +
           gap + "\n[boundary.right]\nkind = \"wall\"\ngap = " + gap +
           "\n[law]\nname = \"hertz\"\n[time]\nend = 1e-3\n" + more;
}

inline std::string pressed(double force) {
    return "[precompression]\nforce = " + std::to_string(force) + "\n";
}

/// Steel and aluminium spheres of 9.53 mm, in turn.
inline std::string of_two_metals(int beads, const std::string& first, const std::string& more) {
    const std::string steel = R"({ material = "steel", mass = 28.84e-3 })",
                      aluminium = R"({ material = "aluminium", mass = 9.75e-3 })";
    return "[material.steel]\nyoungs_modulus = 193e9\npoisson_ratio = 0.3\n"
           "[material.aluminium]\nyoungs_modulus = 73.5e9\npoisson_ratio = 0.33\n"
           "[[segment]]\nbeads = " +
           std::to_string(beads) +
           "\nradius = 9.53e-3\nmaterial = \"steel\"\nmass = 28.84e-3\npattern = [" +
           (first == "steel" ? steel + ", " + aluminium : aluminium + ", " + steel) +
           "]\n[law]\nname = \"hertz\"\n[time]\nend = 1e-3\n" + more;
}

/// Eleven beads, damped, driven by the left wall.
inline std::string driven() {
    return of_two_metals(
        11, "steel",
        pressed(10.0) +
            "[boundary.left]\nkind = \"driven\"\nmaterial = \"steel\"\nfrequency = 4000\n"
            "amplitude = 2e-7\n[boundary.right]\nkind = \"wall\"\nmaterial = \"steel\"\n"
            "[[foundation]]\nbeads = [0, 10]\nevery = 2\ndamping = 14.42\n"
            "[[foundation]]\nbeads = [1, 9]\nevery = 2\ndamping = 4.875\n");
}

/// Five steel beads of 28.84 g between steel walls, pressed with 5 N; the left wall moves at
/// 3500 Hz. `damping`: of each bead to the ground [N s/m]; 0: none.
inline std::string five_steel_beads(double amplitude, double damping) {
    return "[material.steel]\nyoungs_modulus = 193e9\npoisson_ratio = 0.3\n"
           "[[segment]]\nbeads = 5\nradius = 9.53e-3\nmaterial = \"steel\"\nmass = 28.84e-3\n"
           "[boundary.left]\nkind = \"driven\"\nfrequency = 3500\namplitude = " +
           std::to_string(1e9 * amplitude) + "e-9\n[boundary.right]\nkind = \"wall\"\n" +
           (damping > 0.0
                ? "[[foundation]]\nbeads = \"all\"\ndamping = " + std::to_string(damping) + "\n"
                : "") +
           "[law]\nname = \"hertz\"\n[time]\nend = 1e-3\n" + pressed(5.0);
}

inline nlohmann::json orbit(const std::string& scenario, const std::string& options) {
    const Folder folder;
    write_file(folder / "s.toml", scenario);
    const Said said = shell(folder, "beadwave orbit s.toml " + options + " --json --quiet");
    CAPTURE(said.err);
    REQUIRE(said.status == 0);
    return nlohmann::json::parse(said.out);
}

inline std::string refusal(const std::string& scenario, const std::string& options) {
    const Folder folder;
    write_file(folder / "s.toml", scenario);
    const Said said = shell(folder, "beadwave orbit s.toml " + options);
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    return said.err;
}

inline bool tells(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace beadwave::validation::orbit_chains
