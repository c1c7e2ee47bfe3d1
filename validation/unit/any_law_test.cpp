// A law as data is the same law: its numbers, its responses and its type come back to the bit.

#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/hertz.hpp"
#include "beadwave/laws/hooke.hpp"
#include "laws/visit_law.hpp"
#include "scenarios.hpp"

#include <doctest/doctest.h>

namespace beadwave::validation::any_law_test {

namespace {

const laws::Elasticity steel{.youngs_modulus = 193e9, .poisson_ratio = 0.3, .yield_stress = 900e6};
const laws::Contact pair = laws::sphere_contact(2.38e-3, 0.45e-3, steel, 2.38e-3, 0.45e-3, steel);

struct Unlisted : laws::Hooke<double> {
    template <class U>
    using Rebind = Unlisted;
    static constexpr auto fields() { return std::make_tuple(&Unlisted::stiffness); }
};

}  // namespace

TEST_CASE("a law as data converts to a value of its own type and back to the same data") {
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.refused.empty()) continue;
        CAPTURE(entry.name);
        const laws::AnyLaw data = laws::make(pair, law_settings(entry.name));
        laws::visit_law(
            [&]<class Law>(const Law& law) {
                CHECK(data.is<Law>());
                CHECK(laws::AnyLaw(law) == data);
                CHECK(laws::AnyLaw(data.as<Law>()) == data);
            },
            data);
    }
}

TEST_CASE("a law as data responds like the value of its own type, to the bit") {
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.refused.empty()) continue;
        CAPTURE(entry.name);
        const laws::AnyLaw data = laws::make(pair, law_settings(entry.name));
        laws::visit_law(
            [&]<class Law>(const Law& law) {
                CHECK(data.traits().conservative == Law::conservative);
                CHECK(data.traits().memory_numbers == laws::field_count<typename Law::Memory>);
                CHECK(data.ends_in_tension() == law.ends_in_tension());
                typename Law::Memory own{};
                laws::AnyMemory memory{};
                // Closes, is compressed beyond every yield, opens, and closes again.
                for (const double overlap : {1e-9, 4e-7, 6e-6, 4e-5, 3.9e-5, 1e-6, -1e-9, 1e-6}) {
                    CAPTURE(overlap);
                    const double speed = overlap < 4e-5 ? 0.7 : -0.3;
                    const auto expected = law.respond(overlap, speed, own);
                    const auto response = data.respond(overlap, speed, memory);
                    CHECK(response.force == expected.force);
                    laws::to_fields(expected.memory, [&](std::size_t k, double number) {
                        CHECK(response.memory[k] == number);
                    });
                    own = expected.memory;
                    memory = response.memory;
                    CHECK(data.stored_energy(overlap, memory) == law.stored_energy(overlap, own));
                }
            },
            data);
    }
}

TEST_CASE("two laws are equal if type and numbers are") {
    const laws::AnyLaw hertz = laws::Hertz<double>{.stiffness = 2.0};
    CHECK(hertz == laws::AnyLaw(laws::Hertz<double>{.stiffness = 2.0}));
    CHECK(hertz != laws::AnyLaw(laws::Hertz<double>{.stiffness = 3.0}));
    CHECK(hertz != laws::AnyLaw(laws::Hooke<double>{.stiffness = 2.0}));
}

TEST_CASE("a law is no value of another type, and a class that is not listed is no law") {
    const laws::AnyLaw hertz = laws::Hertz<double>{.stiffness = 2.0};
    CHECK_THROWS_AS(hertz.as<laws::Hooke<double>>(), std::bad_cast);
    CHECK_THROWS_WITH_AS(laws::AnyLaw(Unlisted{}), "a contact law that law_list.hpp does not list",
                         std::invalid_argument);
}

}  // namespace beadwave::validation::any_law_test
