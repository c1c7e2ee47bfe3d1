// What every elastoplastic law must do over a whole loop of loading, unloading and reloading. The
// laws are read from the catalogue, so a new row is tested as soon as it is added.

#include "beadwave/laws/elastoplastic/jackson_green.hpp"
#include "beadwave/laws/elastoplastic/kogut_etsion.hpp"
#include "largest.hpp"
#include "plastic_laws.hpp"
#include "relative.hpp"

#include <boost/math/quadrature/gauss_kronrod.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace beadwave::validation::elastoplastic_loop_test {

namespace {

constexpr double turns[] = {0.5,  1.2,  2.0,   4.0,  7.0,
                            12.0, 30.0, 100.0, 300.0};  // in units of yield_overlap

/// The force along a loop: 0..1 loading to `largest`, 1..2 unloading to zero, 2..3 reloading to 1.2
/// `largest`.
double force_along(const laws::AnyLaw& law, double largest, double s) {
    if (s <= 1.0) return law.respond(s * largest, 0.0, {}).force;
    const auto memory = law.respond(largest, 0.0, {}).memory;
    return law.respond(s <= 2.0 ? (2.0 - s) * largest : (s - 2.0) * 1.2 * largest, 0.0, memory)
        .force;
}

/// The largest jump of a function on [a, b]. Among many steps, the one with the strongest bend is
/// halved towards the steeper side until only a jump remains.
template <class Function>
double largest_jump(Function f, double a, double b) {
    constexpr int steps = 2000;
    const auto at = [&](int i) { return a + (b - a) * i / steps; };
    std::vector<double> values;
    for (int i = 0; i <= steps; ++i)
        values.push_back(f(at(i)));
    std::vector<std::pair<double, int>> bends;
    for (int i = 1; i < steps; ++i)
        bends.emplace_back(std::abs(values[i + 1] - 2.0 * values[i] + values[i - 1]), i);
    constexpr int tried = 12;
    std::ranges::partial_sort(bends, bends.begin() + tried, std::greater{});

    Largest worst;
    for (int k = 0; k < tried; ++k) {
        double left = at(bends[k].second - 1);
        double right = at(bends[k].second + 1);
        for (int halving = 0; halving < 40; ++halving) {
            const double middle = 0.5 * (left + right);
            const bool left_is_steeper =
                std::abs(f(middle) - f(left)) > std::abs(f(right) - f(middle));
            (left_is_steeper ? right : left) = middle;
        }
        worst.enter(std::abs(f(right) - f(left)));
    }
    return worst;
}

template <class Function>
double integral(Function f, double a, double b) {
    // Over [0, 1], because Boost's tolerance depends on the unit of x.
    const auto scaled = [&](double t) { return f(a + (b - a) * t); };
    return (b - a) * boost::math::quadrature::gauss_kronrod<double, 15>::integrate(scaled, 0.0, 1.0,
                                                                                   15, 1e-11);
}

}  // namespace

TEST_CASE("the force of every elastoplastic law is continuous over load, unload and reload") {
    for_every_plastic_law([](const std::string&, const Given& given, const laws::Contact& c,
                             const laws::AnyLaw& law) {
        if (is(given, "transition", "printed")) return;  // its loading force jumps, as stated
        for (const double turn : turns) {
            const double largest = turn * yield_overlap(c);
            CAPTURE(turn);
            const double force = law.respond(largest, 0.0, {}).force;
            CHECK(largest_jump([&](double s) { return force_along(law, largest, s); }, 0.0, 3.0) <
                  1e-9 * force);
        }
    });
}

TEST_CASE("printed transitions jump by what their validity states, and not elsewhere") {
    const laws::Contact& c = plastic_contacts[0];
    const laws::Settings printed_kogut = law_settings("kogut-etsion", {{"transition", "printed"}});
    const laws::Settings printed_jackson =
        law_settings("jackson-green", {{"transition", "printed"}});
    const auto kogut = laws::make(c, printed_kogut).as<laws::KogutEtsion<double>>();
    const auto jackson = laws::make(c, printed_jackson).as<laws::JacksonGreen<double>>();
    /// Relative to the force before the jump; from and to in units of the law's own yield overlap.
    const auto jump = [](const auto& law, double from, double to) {
        const double y = law.overlap_yield;
        return largest_jump(
            [&](double w) { return law.loading_force(w * y) / law.loading_force(from * y); }, from,
            to);
    };
    CHECK_ABSOLUTE(jump(kogut, 0.99999, 1.1), 0.030, 1e-4);
    CHECK_ABSOLUTE(jump(kogut, 5.99999, 6.1), 0.0168, 1e-4);
    CHECK_ABSOLUTE(jump(kogut, 6.1, 200.0), 0.0, 1e-9);
    CHECK_ABSOLUTE(jump(jackson, 1.89999, 1.95), 0.00474, 1e-5);
    CHECK_ABSOLUTE(jump(jackson, 1.95, 100.0), 0.0, 1e-9);
}

TEST_CASE(
    "reloading repeats unloading up to the old maximum and then continues loading as if never "
    "unloaded") {
    for_every_plastic_law(
        [](const std::string&, const Given&, const laws::Contact& c, const laws::AnyLaw& law) {
            for (const double turn : turns) {
                const double largest = turn * yield_overlap(c);
                CAPTURE(turn);
                const auto turned = law.respond(largest, 0.0, {}).memory;
                auto memory = turned;
                for (const double part : {0.99, 0.8, 0.5, 0.0, -0.5, 0.4, 0.7, 0.95, 1.0}) {
                    const auto response = law.respond(part * largest, 0.0, memory);
                    CHECK(response.force == law.respond(part * largest, 0.0, turned).force);
                    memory = response.memory;
                }
                CHECK(memory == turned);
                CHECK(law.respond(1.01 * largest, 0.0, memory).force ==
                      law.respond(1.01 * largest, 0.0, {}).force);
                CHECK(law.respond(1.01 * largest, 0.0, memory).memory ==
                      law.respond(1.01 * largest, 0.0, {}).memory);
            }
        });
}

TEST_CASE("a contact closes and opens at its residual overlap, which is never negative") {
    for_every_plastic_law([](const std::string& name, const Given& given, const laws::Contact& c,
                             const laws::AnyLaw& law) {
        for (const double turn : turns) {
            const double largest = turn * yield_overlap(c);
            CAPTURE(turn);
            const auto memory = law.respond(largest, 0.0, {}).memory;
            const double residual = residual_overlap(memory);
            CHECK(residual < largest);
            const bool as_printed = name == "ma-liu" && !is(given, "guard", "on");
            if (!as_printed) CHECK(residual >= 0.0);
            if (!(residual > 0.0)) continue;
            for (const double part : {1.0, 0.999, 0.5, 0.0, -1.0}) {
                CHECK(law.respond(part * residual, -1.0, memory).force == 0.0);
                CHECK(law.stored_energy(part * residual, memory) == 0.0);
            }
            CHECK(law.respond(residual + 1e-3 * (largest - residual), 0.0, memory).force > 0.0);
        }
    });
}

TEST_CASE("the stored energy is the work that unloading gives back") {
    for_every_plastic_law(
        [](const std::string&, const Given&, const laws::Contact& c, const laws::AnyLaw& law) {
            for (const double turn : turns) {
                const double largest = turn * yield_overlap(c);
                CAPTURE(turn);
                const auto memory = law.respond(largest, 0.0, {}).memory;
                for (const double part : {1.0, 0.97, 0.5}) {
                    const double residual = std::max(0.0, residual_overlap(memory));
                    const double x = residual + part * (largest - residual);
                    const double work =
                        integral([&](double d) { return law.respond(d, 0.0, memory).force; },
                                 residual_overlap(memory), x);
                    CHECK_RELATIVE(law.stored_energy(x, memory), work, 1e-7);
                }
            }
        });
}

TEST_CASE("no elastoplastic law creates energy, wherever unloading starts") {
    for_every_plastic_law([](const std::string& name, const Given& given, const laws::Contact& c,
                             const laws::AnyLaw& law) {
        const bool as_printed = name == "ma-liu" && !is(given, "guard", "on");
        const auto loading = [&](double d) { return law.respond(d, 0.0, {}).force; };
        double x = 0.3 * yield_overlap(c);
        double work = integral(loading, 0.0, x);
        double before = work - law.stored_energy(x, law.respond(x, 0.0, {}).memory);
        double least = 0.0, steepest_fall = 0.0;
        for (; x < 2000.0 * yield_overlap(c); x *= 1.01) {
            const double next = 1.01 * x;
            work += integral(loading, x, next);
            const double dissipated =
                work - law.stored_energy(next, law.respond(next, 0.0, {}).memory);
            least = std::min(least, dissipated / work);
            steepest_fall = std::min(steepest_fall, (dissipated - before) / work);
            before = dissipated;
        }
        MESSAGE(name, ": least dissipation over work ", least, ", steepest fall ", steepest_fall);
        if (as_printed) {
            CHECK(least < -0.0045);  // as its validity states
            CHECK(least > -0.0050);
            return;
        }
        CHECK(least > -1e-7);
        CHECK(steepest_fall > -1e-7);
    });
}

TEST_CASE("a loop beyond the old maximum takes more energy than it returns") {
    for_every_plastic_law([](const std::string&, const Given&, const laws::Contact& c,
                             const laws::AnyLaw& law) {
        for (const double turn : {20.0, 100.0}) {
            const double first = turn * yield_overlap(c);
            const double second = 1.5 * first;
            const auto once = law.respond(first, 0.0, {}).memory;
            const auto twice = law.respond(second, 0.0, once).memory;
            const double taken = law.stored_energy(first, once) +
                                 integral([&](double d) { return law.respond(d, 0.0, once).force; },
                                          first * (1.0 + 1e-15), second);
            CHECK(taken > law.stored_energy(second, twice));
        }
    });
}

TEST_CASE("loading in many steps leaves the same memory as loading in one") {
    for_every_plastic_law(
        [](const std::string&, const Given&, const laws::Contact& c, const laws::AnyLaw& law) {
            auto memory = law.respond(1e-12, 1.0, {}).memory;
            const double largest = 40.0 * yield_overlap(c);
            for (int i = 1; i <= 500; ++i)
                memory = law.respond(largest * i / 500, 1.0, memory).memory;
            const auto direct = law.respond(largest, 0.0, {}).memory;
            CHECK(memory == direct);
        });
}

}  // namespace beadwave::validation::elastoplastic_loop_test
