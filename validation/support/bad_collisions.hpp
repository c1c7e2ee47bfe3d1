// A correct collision case, and errors in collision cases. Errors that any TOML file can have are
// in bad_scenarios.hpp.
#pragma once

#include "bad_input.hpp"
#include "ball_in_socket.hpp"

namespace beadwave::validation {

inline const std::string right_collision =
    ball_in_socket("name = \"flores\"\nrestitution = 0.6909\n");

inline constexpr std::string_view right_contact = R"(speed = 0.5

[contact]
stiffness = 1.0e9
effective_mass = 0.1

[law]
name = "hertz"
)";

// clang-format off

inline std::vector<BadInput> bad_collisions() {
    return {
        {"an unknown key", "speed = 4.0", "sped = 4.0", {},
         R"(FILE:1: sped: unknown key; did you mean "speed"?)"},
        {"an unknown key of a body", "concave", "concav", {},
         R"(FILE:12: body.b.concav: unknown key; did you mean "concave"?)"},
        {"a third body", "[law]", "[body.c]\n[law]", {}, "FILE:17: body.c: unknown key; known here: a, b"},
        {"no speed", "speed = 4.0", "", {}, "FILE: speed: missing; give a number above 0, in m/s"},
        {"bodies that move apart", "speed = 4.0", "speed = -4.0", {},
         "FILE:1: speed = -4.0: must be a number above 0, in m/s"},
        {"neither bodies nor a contact", "", "speed = 1.0\n", {},
         "FILE: body: missing; give [body.a] and [body.b], or [contact], or [impact]"},
        {"one body", "",
         "speed = 1.0\n[body.a]\nradius = 1\nfixed = true\nyoungs_modulus = 1\npoisson_ratio = 0\n", {},
         "FILE:2: body.b: missing; give [body.a] and [body.b]"},
        {"bodies and a contact", "[law]", "[contact]\nstiffness = 1e9\neffective_mass = 1\n[law]", {},
         "FILE:17: contact: is given together with [body]; give the two bodies or the contact, not both"},
        {"no radius", "radius = 2.00e-2", "", {},
         "FILE:3: body.a.radius: missing; give a number above 0, in m, or flat = true"},
        {"a flat with a radius", "mass = 0.2614", "mass = 0.2614\nflat = true", {},
         "FILE:4: body.a.radius = 0.02: a flat has none; give radius or flat = true, not both"},
        {"a flat socket", "radius = 2.05e-2", "flat = true", {},
         "FILE:12: body.b.concave = true: a flat is not a socket; give one of concave and flat"},
        {"a flat in a socket", "radius = 2.00e-2", "flat = true", {},
         "FILE:11: body.b.radius = 0.0205: a flat does not fit into a socket"},
        {"a ball larger than its socket", "2.05e-2", "1.95e-2", {},
         "FILE:11: body.b.radius = 0.0195: must exceed the ball's radius, 0.02 m: the socket holds the ball"},
        {"two sockets", "mass = 0.2614", "mass = 0.2614\nconcave = true", {},
         "FILE:13: body.b.concave = true: body.a is concave already; a socket holds a ball"},
        {"two flats", "",
         R"(speed = 1.0
[body]
a = { flat = true, mass = 1.0, youngs_modulus = 1e9, poisson_ratio = 0.3 }
b = { flat = true, mass = 1.0, youngs_modulus = 1e9, poisson_ratio = 0.3 }
)", {},
         "FILE:4: body.b.flat = true: body.a is flat already; at least one body must be round"},
        {"two fixed bodies", "mass = 0.2614", "fixed = true", {},
         "FILE:13: body.b.fixed = true: body.a is fixed already; at least one body must move"},
        {"no mass", "mass = 0.2614", "", {},
         "FILE:3: body.a.mass: missing; give a number above 0, in kg, or a density, or fixed = true"},
        {"a socket's mass by its density", "fixed = true", "density = 7800", {},
         "FILE:10: body.b.mass: missing; a density determines it only for a ball"},
        {"a number for true or false", "fixed = true", "fixed = 1", {},
         "FILE:13: body.b.fixed = 1: must be true or false, not a number"},
        {"a Poisson ratio of 0.6", "0.29", "0.6", {},
         "FILE:15: body.b.poisson_ratio = 0.6: must be a number above -1 up to 0.5"},
        {"restitution above 1", "0.6909", "1.2", {},
         "FILE:19: law.restitution = 1.2: must be a number above 0 up to 1"},
        {"a yielding law without a yield stress", "yield_stress = 3.0e7", "", {"law.name=ma-liu"},
         R"(--set law.name = "ma-liu": ma-liu needs a yield stress; give yield_stress, in Pa, in )"
         R"([body.a] or [body.b])"},
    };
}

inline std::vector<BadInput> bad_contacts() {
    return {
        {"no stiffness", "stiffness = 1.0e9", "", {},
         "FILE:3: contact.stiffness: missing; give a number above 0, in N/m^1.5"},
        {"no mass", "effective_mass = 0.1", "", {},
         "FILE:3: contact.effective_mass: missing; give a number above 0, in kg"},
        {"an unknown key", "effective_mass = 0.1", "mass = 0.1", {},
         "FILE:5: contact.mass: unknown key; known here: stiffness, effective_mass, effective_radius, "
         "effective_modulus, yield_stress"},
        {"three numbers that disagree", "[law]",
         "effective_radius = 0.01\neffective_modulus = 1e10\n[law]", {},
         "FILE:4: contact.stiffness = 1000000000.0: effective_modulus and effective_radius make it "
         "1.33333333e+09, by K = (4/3) E sqrt(R); leave out one of the three"},
        {"a yielding law without a yield stress", R"("hertz")", R"("ma-liu")", {},
         R"(FILE:8: law.name = "ma-liu": ma-liu needs a yield stress; give yield_stress, in Pa, in )"
         R"([contact])"},
        {"a yielding law without a radius", R"("hertz")", R"("ma-liu")", {"contact.yield_stress=1e9"},
         R"(FILE:8: law.name = "ma-liu": ma-liu needs the effective radius; give )"
         "effective_radius, in m, or effective_modulus, in Pa, in [contact]"},
    };
}

// clang-format on

}  // namespace beadwave::validation
