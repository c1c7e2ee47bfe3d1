// [[pair]]: contacts of two materials with numbers of their own.

#include "beadwave/input_error.hpp"
#include "beadwave/laws/collision.hpp"
#include "packing/build/scenario.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing/state/fingerprint.hpp"
#include "packing_engines.hpp"
#include "packing_texts.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "subjects/packing/packing_reader.hpp"

#include <fmt/format.h>

#include <string>

namespace beadwave::validation::packing_pairs_test {

using packing::Vec3;

namespace {

/// A steel, a glass and a steel sphere in a row on a glass floor, at rest but for the first.
std::string row(const std::string& pairs) {
    const auto sphere = [](double x, const char* material, double speed) {
        return fmt::format(
            "[[particles]]\nposition = [{}, 0.0, 2e-3]\nradius = 2e-3\nmaterial = \"{}\"\n"
            "velocity = [{}, 0.0, 0.0]\n",
            x, material, speed);
    };
    return "[material.steel]\nyoungs_modulus = 2e11\npoisson_ratio = 0.3\ndensity = 7800.0\n"
           "[material.glass]\nyoungs_modulus = 6e10\npoisson_ratio = 0.2\ndensity = 2500.0\n" +
           sphere(0.0, "steel", 1.0) + sphere(4.1e-3, "glass", 0.0) + sphere(8.3e-3, "steel", 0.0) +
           "[[wall]]\npoint = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, 1.0]\nmaterial = \"glass\"\n"
           "[law]\nname = \"tsuji\"\nrestitution = 0.9\n[friction]\nlaw = \"mindlin\"\n"
           "coefficient = 0.3\n" +
           pairs + "[time]\nend = 1e-4\n";
}

double restitution_of(const packing::Packing& p, std::uint32_t first, std::uint32_t second) {
    packing::PairLaws laws(p);
    const packing::PairLaw& law = laws.law(laws.kind(first, second));
    const double mass = second < p.particles() ? laws::effective_mass(p.mass[first], p.mass[second])
                                               : p.mass[first];
    return laws::collide(law.normal, mass, 0.1).rebound_speed / 0.1;
}

double friction_of(const packing::Packing& p, std::uint32_t first, std::uint32_t second) {
    packing::PairLaws laws(p);
    return std::get<laws::Mindlin<double>>(laws.law(laws.kind(first, second)).slider).coefficient;
}

const std::string glass_on_steel =
    "[[pair]]\nmaterials = [\"glass\", \"steel\"]\nlaw = { restitution = 0.5 }\n"
    "friction = { coefficient = 0.1 }\n";

}  // namespace

TEST_CASE("a pair of materials has its own numbers, in either order and with walls") {
    const packing::Packing p = built(row(glass_on_steel));
    const auto check = [&](std::uint32_t first, std::uint32_t second, double e, double mu) {
        CAPTURE(first);
        CAPTURE(second);
        CHECK_RELATIVE(restitution_of(p, first, second), e, 1e-6);
        CHECK(friction_of(p, first, second) == mu);
    };
    check(0, 1, 0.5, 0.1);
    check(1, 2, 0.5, 0.1);
    check(0, 3, 0.5, 0.1);
    check(0, 2, 0.9, 0.3);
    check(1, 3, 0.9, 0.3);  // glass on the glass floor
    CHECK(packing::fingerprint(p) != packing::fingerprint(built(row(""))));
}

TEST_CASE("spheres of a pair rebound with its restitution in both engines") {
    for (const EngineMaker& make : engine_makers) {
        packing::Packing p = built(row(glass_on_steel));
        p.walls.clear();
        const auto engine = make(p, 1e-8);
        engine->advance(1000);
        while (engine->closed_contacts() > 0 || engine->velocity()[1].x == 0.0)
            engine->advance(100);
        const Vec3 one = engine->velocity()[0], two = engine->velocity()[1];
        CHECK(engine->velocity()[2].x == 0.0);     // not reached yet
        CHECK_RELATIVE(two.x - one.x, 0.5, 1e-3);  // tsuji's dashpot has the order 1.25
        CHECK_RELATIVE(p.mass[0] * one.x + p.mass[1] * two.x, p.mass[0], 1e-12);
    }
}

TEST_CASE("a pair with the numbers of all others changes no bit") {
    const std::string same =
        "[[pair]]\nmaterials = [\"glass\", \"steel\"]\nlaw = { restitution = 0.9 }\n";
    const auto with = packing::make_packing_engine(built(row(same)), 1e-8, 1);
    const auto without = packing::make_packing_engine(built(row("")), 1e-8, 1);
    with->advance(30000);
    without->advance(30000);
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(with->velocity()[i] == without->velocity()[i]);
}

TEST_CASE("pairs of materials have static friction and a tangential dashpot of their own") {
    const auto of = [](const std::string& friction) {
        return packing::build_packing(
                   io::read_packing_text(
                       row("[[pair]]\nmaterials = [\"steel\", \"steel\"]\nfriction = " + friction +
                           "\n"),
                       "row.toml", {})
                       .scenario)
            .pairs.at(0)
            .friction;
    };
    const laws::Friction ratio = of("{ damping_ratio = 0.2, static_coefficient = 0.9 }");
    CHECK(ratio.damping_ratio == 0.2);
    CHECK(ratio.static_coefficient == 0.9);
    CHECK(ratio.coefficient == of("{ damping = 0.3 }").coefficient);
    CHECK(of("{ damping = 0.3 }").damping == 0.3);
    CHECK(of("{ damping_factor = 0.4 }").damping_factor == 0.4);
    CHECK(of("{ normal_damping_factor = 0.5 }").normal_damping_factor == 0.5);
    CHECK_THROWS_WITH_AS(of("{ damping = 0.3, damping_ratio = 0.2 }"),
                         doctest::Contains("has both damping and damping_ratio"), InputError);
    CHECK_THROWS_WITH_AS(of("{ static_coefficient = 0.0 }"),
                         doctest::Contains("static_coefficient is 0; expected the coefficient"),
                         InputError);
}

TEST_CASE("pairs of materials: what cannot be is refused, what has no effect is said") {
    check_refused(row(glass_on_steel + "[[pair]]\nmaterials = [\"steel\", \"glass\"]\n"),
                  "are those of pair 0, too");
    check_refused(row("[[pair]]\nmaterials = [\"steel\", \"brass\"]\n"),
                  "there is no material \"brass\"");
    check_refused(row("[[pair]]\nmaterials = [\"steel\"]\n"), "pair.0.materials");
    check_refused(row("[[pair]]\nmaterials = [\"steel\", \"steel\"]\nlaw = { xi = 0.5 }\n"),
                  "is no number of the law tsuji in [law]; it has restitution");
    check_refused(
        row("[[pair]]\nmaterials = [\"steel\", \"steel\"]\nlaw = { restitution = 1.5 }\n"),
        "pair.0.law.restitution");
    check_refused(row("[[pair]]\nmaterials = [\"steel\", \"steel\"]\nrolling.coefficient = 0.1\n"),
                  "has no [rolling] to differ from");
    const auto read = io::read_packing_text(
        row("[[pair]]\nmaterials = [\"steel\", \"brass\"]\nfriction.coefficient = 0.1\n"
            "[material.brass]\nyoungs_modulus = 1e11\npoisson_ratio = 0.3\n"),
        "row.toml", {});
    REQUIRE(read.warnings.size() == 1);
    CHECK(read.warnings[0] == "pair.0.materials has no effect: nothing is of \"brass\"");
    CHECK(packing::build_packing(read.scenario).pairs.empty());
}

}  // namespace beadwave::validation::packing_pairs_test
