// Contacts by kind: each law is stored once, and each contact has the number of its kind.

#include "beadwave/chain/contacts.hpp"

#include "beadwave/chain/small_index.hpp"
#include "beadwave/laws/ma_liu.hpp"
#include "chain/build_chain.hpp"
#include "chain/numbering.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <functional>
#include <set>

namespace beadwave::validation::contacts_test {

namespace {

using Numbers = chain::Numbering<double, std::hash<double>>;

chain::Chain built(std::int64_t beads, const std::function<void(chain::Scenario&)>& change) {
    chain::Scenario scenario = steel_chain(beads, 1.0, law_settings("ma-liu"), 1e-4);
    change(scenario);
    return chain::build_chain(scenario);
}

double stiffness(const laws::AnyLaw& law) {
    return law.as<laws::MaLiu<double>>().stiffness;
}

}  // namespace

TEST_CASE("an index contains what was added, for every width") {
    for (const std::size_t largest : {std::size_t{3}, std::size_t{255}, std::size_t{256},
                                      std::size_t{65535}, std::size_t{65536}}) {
        chain::SmallIndex index;
        index.reserve(1000);
        for (std::size_t i = 0; i < 1000; ++i)
            index.push_back(i * largest / 999);
        REQUIRE(index.size() == 1000);
        for (std::size_t i = 0; i < 1000; ++i) {
            CHECK(index[i] == i * largest / 999);
            CHECK(index.as_stored([&](const auto* stored) -> std::size_t { return stored[i]; }) ==
                  index[i]);
        }
    }
    CHECK_THROWS_AS(chain::SmallIndex().push_back(std::size_t{1} << 32), std::length_error);
}

TEST_CASE("equal keys get equal numbers, different keys never do") {
    for (const std::size_t period :
         {std::size_t{1}, std::size_t{2}, std::size_t{100}, std::size_t{20000}}) {
        Numbers number;
        for (std::size_t i = 0; i < 50000; ++i) {
            const auto [found, is_new] = number(static_cast<double>(i % period));
            CHECK(found == i % period);
            CHECK(is_new == (i < period));
        }
        CHECK(number.count() == period);
    }
}

TEST_CASE("keys that never repeat get new numbers, and keys that repeat after them are found") {
    Numbers number;
    constexpr std::size_t alone = 1'000'000, behind = 3'000'000;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < alone; ++i)
        wrong += number(static_cast<double>(i)).number != i;
    CHECK(wrong == 0);
    // Two keys alternately, neither among those before: they never get the same number.
    std::set<std::size_t> evens, odds;
    for (std::size_t i = 0; i < behind; ++i)
        (i % 2 == 0 ? evens : odds).insert(number(i % 2 == 0 ? -1.0 : -2.0).number);
    for (const std::size_t even : evens)
        CHECK(!odds.contains(even));
    // A pause in which no keys are stored is not longer than the part before it.
    CHECK(number.count() - alone < 2 * alone);
    CHECK(number(-1.0).is_new == false);
    CHECK(number(-2.0).is_new == false);
}

TEST_CASE("a uniform chain has one kind and one for its free ends, a dimer has two or three") {
    const chain::Chain uniform = built(1000, [](auto&) {});
    CHECK(uniform.contacts.count() == 1001);
    CHECK(uniform.contacts.kind_count() == 2);
    CHECK(uniform.contacts.kind(0) == uniform.contacts.kind(1000));
    CHECK(uniform.effective_mass(0) == 0.0);
    CHECK(uniform.effective_mass(1) == 0.225e-3);

    const auto dimer = built(1000, [](chain::Scenario& s) {
        s.segments[1].pattern = {{.radius = 1e-3, .mass = 1e-4, .material = {}},
                                 {.radius = {}, .mass = {}, .material = {}}};
    });
    CHECK(dimer.contacts.kind_count() == 2);  // one for the contacts, and one for the free ends
    const auto walled = built(1000, [](chain::Scenario& s) {
        s.segments[1].pattern = {{.radius = 1e-3, .mass = 1e-4, .material = {}},
                                 {.radius = {}, .mass = {}, .material = {}}};
        s.left.kind = s.right.kind = chain::EndKind::wall;
    });
    CHECK(walled.contacts.kind_count() == 3);
}

TEST_CASE("a contact of a pattern has the law of its own pair of beads") {
    const auto chain = built(10000, [](chain::Scenario& s) {
        s.segments[1].pattern.clear();
        for (int k = 0; k < 300; ++k) {
            s.segments[1].pattern.push_back(
                {.radius = 2e-3 + 1e-6 * k, .mass = 1e-4 + 1e-7 * k, .material = {}});
        }
    });
    CHECK(chain.contacts.kind_count() ==
          303);  // plus one for the striker and those for the free ends
    const laws::Elasticity steel{
        .youngs_modulus = 193e9, .poisson_ratio = 0.3, .yield_stress = 900e6};
    for (std::size_t c = 1; c < chain.beads(); ++c) {
        const auto contact = laws::sphere_contact(chain.radius[c - 1], chain.mass[c - 1], steel,
                                                  chain.radius[c], chain.mass[c], steel);
        CHECK(stiffness(chain.contacts.at(c)) == contact.stiffness);
        CHECK(chain.effective_mass(c) == contact.mass);
    }
    const auto columns = chain.contacts.columns();
    REQUIRE(columns.size() == laws::field_count<laws::MaLiu<double>>);
    for (std::size_t c = 0; c < chain.contacts.count(); ++c)
        CHECK(columns[0][c] == stiffness(chain.contacts.at(c)));
}

TEST_CASE("a disordered chain has one kind per contact, for every length") {
    const auto chain = built(200000, [](chain::Scenario& s) { s.segments[1].disorder = 0.01; });
    CHECK(chain.contacts.kind_count() == chain.contacts.count());
    std::size_t wrong = 0;
    for (std::size_t c = 0; c < chain.contacts.count(); ++c)
        wrong += chain.contacts.kind(c) != c;
    CHECK(wrong == 0);
}

TEST_CASE("positions of chosen beads equal those of all beads, in the given order") {
    const auto chain = built(500, [](chain::Scenario& s) {
        s.segments[1].disorder = 0.01;
        s.segments[1].gap = 1e-5;
    });
    const std::vector<double> all = chain.positions();
    const std::int64_t chosen[] = {499, 0, 7, 7, 3};
    const std::vector<double> some = chain.positions(chosen);
    for (std::size_t k = 0; k < 5; ++k)
        CHECK(some[k] == all[static_cast<std::size_t>(chosen[k])]);
    CHECK(all[0] == 0.0);
    CHECK_RELATIVE(all[1], chain.radius[0] + chain.radius[1] + 1e-5, 1e-15);
}

}  // namespace beadwave::validation::contacts_test
