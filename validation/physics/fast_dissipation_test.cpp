// What each contact dissipates in the fast engine: the numbers of the plain engine under every
// tangential law and beside everything that moves, the same bits on any number of threads and from
// a saved state, and what is refused.

#include "all_carry.hpp"
#include "dissipating_packings.hpp"
#include "packing/fast/fast_packing_engine.hpp"
#include "packing/packing_engine.hpp"
#include "saved_packings.hpp"

#include <fmt/format.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::validation::fast_dissipation_test {

using packing::ContactDissipation;
using packing::DissipationParts;

namespace {

/// The contacts of both engines are the same, and each part differs by rounding, which collisions
/// enlarge: 1e-11 of the largest energy.
void check_same_contacts(const packing::PackingEngine& fast, const packing::PackingEngine& plain,
                         double scale) {
    const auto a = fast.dissipation(), b = plain.dissipation();
    REQUIRE(a.size() == b.size());
    CHECK(a.size() > 10);
    double largest = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        REQUIRE(a[k].first == b[k].first);
        REQUIRE(a[k].second == b[k].second);
        for (const auto part : DissipationParts::all) {
            const double difference = std::abs(a[k].parts.*part - b[k].parts.*part);
            if (!(difference <= largest)) largest = difference;  // NaN, too
        }
    }
    CHECK(largest <= 1e-11 * scale);
    const auto of_fast = fast.wall_rubbing(), of_plain = plain.wall_rubbing();
    REQUIRE(of_fast.size() == of_plain.size());
    for (std::size_t w = 0; w < of_fast.size(); ++w)
        CHECK_ABSOLUTE(of_fast[w], of_plain[w], 1e-11 * scale);
}

/// Both engines take these steps, with new lists in between.
void check_engines(const packing::Packing& p, double dt, std::int64_t steps) {
    const auto fast = FastEngine::known(p, dt), plain = PlainEngine::known(p, dt);
    double scale = scale_of(plain->totals());
    for (int part = 0; part < 3; ++part) {
        fast->advance(steps / 3);
        plain->advance(steps / 3);
        scale = std::max(scale, scale_of(plain->totals()));
        check_same_contacts(*fast, *plain, scale);
        check_sum(*fast, scale);
        if (part == 1) fast->rebuild_list();
    }
    CHECK(fast->neighbour_list_builds() > 1);
    CHECK(sum_of(*fast).sum() > 1e-6 * scale);
}

std::vector<laws::Friction> all_frictions() {
    using laws::FrictionLaw;
    return {
        {.law = FrictionLaw::none},
        {.law = FrictionLaw::linear, .coefficient = 0.3, .stiffness = 3e4, .damping = 0.02},
        {.law = FrictionLaw::mindlin, .coefficient = 0.3},
        {.law = FrictionLaw::mindlin_displacement, .coefficient = 0.3},
        {.law = FrictionLaw::mindlin, .coefficient = 0.3, .damping_ratio = 0.1},
        {.law = FrictionLaw::linear,
         .coefficient = 0.3,
         .stiffness = 3e4,
         .static_coefficient = 0.5},
        {.law = FrictionLaw::mindlin, .coefficient = 0.3, .static_coefficient = 0.5},
        {.law = FrictionLaw::mindlin_displacement, .coefficient = 0.3, .static_coefficient = 0.5}};
}

void check_same_bits(const packing::PackingEngine& a, const packing::PackingEngine& b) {
    const auto one = a.dissipation(), two = b.dissipation();
    REQUIRE(one.size() == two.size());
    CHECK(one.size() > 3);
    bool same = true;
    for (std::size_t k = 0; k < one.size(); ++k) {
        same = same && one[k].first == two[k].first && one[k].second == two[k].second;
        for (const auto part : DissipationParts::all)
            same = same && one[k].parts.*part == two[k].parts.*part;
    }
    CHECK(same);
    CHECK(a.wall_rubbing() == b.wall_rubbing());
}

}  // namespace

TEST_CASE("the fast engine's contacts dissipate as the plain engine's, with every friction law") {
    for (const laws::Friction& friction : all_frictions()) {
        CAPTURE(static_cast<int>(friction.law));
        CAPTURE(friction.static_coefficient.has_value());
        for (const bool rolls : {false, true}) {
            packing::Packing p = packing_between_walls("tsuji");
            p.friction = friction;
            p.rolling.coefficient = rolls ? 0.1 : 0.0;
            if (!rolls) p.rolling = {};
            p.walls.back().angular_velocity = 20.0;
            check_engines(p, 1e-6, 2400);
        }
    }
}

TEST_CASE("the same with laws that remember, through periodic sides and in boxes that strain") {
    for (const char* law : {"hertz", "tsuji", "walton-braun", "thornton", "jkr"}) {
        CAPTURE(law);
        check_engines(loose_packing(law), 1e-6, 2400);
    }
    for (const bool pistons : {false, true})
        check_engines(straining_packing("tsuji", pistons), 1e-6, 2400);
}

TEST_CASE("the same of particles that carry springs, masses and drives") {
    packing::Packing p = packing_between_walls("thornton", 300);
    let_all_carry(p);
    check_engines(p, 1e-6, 900);
}

TEST_CASE("the same where walls pass contacts on to each other, with what these store") {
    // Spheres spiral along a tube of three pieces.
    packing::Packing p = loose_packing("thornton", 0);
    // How what springs store divides between rolling and twisting, the plain engine takes from the
    // normal before the contact passes, the fast one from that after it.
    p.rolling.twisting_coefficient = 0.0;
    p.box = {};
    p.gravity = {0, 0, -9.81};
    for (int piece = 0; piece < 3; ++piece)
        p.walls.push_back({.shape = packing::Revolved::cylinder({-0.06 + 0.04 * piece, 0, 0},
                                                                {1, 0, 0}, 0.03, 0.04)});
    for (int k = 0; k < 8; ++k) {
        const double angle = 0.4 * k;
        p.add(steel_radius, steel_mass(steel_radius),
              (0.03 - steel_radius) * Vec3{0, std::cos(angle), std::sin(angle)} -
                  Vec3{0.03 + 1e-3 * k, 0, 0});
        p.velocity.back() = {6.0 + 0.5 * k, -4.0 * std::sin(angle), 4.0 * std::cos(angle)};
        p.angular_velocity.back() = {30.0 * k, -20.0, 10.0};
    }
    const auto engine = FastEngine::known(p, 1e-6);
    engine->advance(9000);
    std::size_t both = 0;
    for (const ContactDissipation& each : engine->dissipation())
        both += each.second >= p.particles() + 1 && each.parts.sum() != 0.0 ? 1 : 0;
    CHECK(both > 3);
    check_engines(p, 1e-6, 9000);
}

TEST_CASE("the same of pairs between the blocks of 1024 particles") {
    check_engines(packing_between_walls("tsuji", 1500), 1e-6, 300);
}

TEST_CASE("contacts dissipate the same bits on any number of threads, and from a saved state") {
    for (const bool strains : {false, true}) {
        packing::Packing p =
            strains ? loose_packing("thornton", 1500) : packing_between_walls("thornton", 1500);
        if (strains) p.box.strain = straining_packing("thornton", true).box.strain;
        const auto one = FastEngine::known(p, 1e-6), three = FastEngine::known(p, 1e-6, 3);
        one->advance(100);
        three->advance(100);
        check_same_bits(*one, *three);
        const SavedPacking middle = saved(*three);
        const auto two = FastEngine::known(p, 1e-6, 2);
        restore(*two, 100, middle);
        check_same_bits(*one, *two);
        for (auto* engine : {&one, &two, &three})
            (*engine)->advance(100);
        CHECK(one->neighbour_list_builds() > 0);
        check_same_bits(*one, *two);
        check_same_bits(*one, *three);
    }
}

TEST_CASE("blocks that sleep dissipate nothing, with the bits of those that do not") {
    // One particle flies among others that rest apart from each other.
    packing::Packing p = loose_packing("tsuji", 2500);
    for (std::size_t i = 1; i < p.particles(); ++i)
        p.velocity[i] = p.angular_velocity[i] = {};
    p.velocity[0] = {100.0, 7.0, 3.0};
    const auto make = [&](packing::Sleep sleep) {
        return packing::make_packing_engine(p, 1e-6, 2, simd::instruction_sets().front(), sleep,
                                            nullptr, packing::ContactRecords::dissipation);
    };
    const auto sleepy = make(packing::Sleep::yes), awake = make(packing::Sleep::no);
    const double scale = scale_of(awake->totals());
    for (int part = 0; part < 4; ++part) {
        sleepy->advance(100);
        awake->advance(100);
        check_sum(*sleepy, scale);
    }
    check_same_bits(*sleepy, *awake);
}

TEST_CASE("damaged works of contacts are refused") {
    const packing::Packing p = packing_between_walls("tsuji");
    const auto engine = FastEngine::known(p, 1e-6);
    engine->advance(1500);
    for (const auto& [damage, message] :
         {std::pair<std::function<void(SavedPacking&)>, std::string>(
              [](SavedPacking& all) { all["contact_works"].pop_back(); },
              "contact_works: these are no works of contacts"),
          {[](SavedPacking& all) { all["contact_accounts"][0] = 1e7; },
           "contact_accounts: these are no accounts of contacts"},
          {[](SavedPacking& all) { all["contact_accounts"].pop_back(); },
           "contact_accounts: these are no accounts of contacts"}}) {
        SavedPacking columns = saved(*engine);
        REQUIRE(columns["contact_accounts"].size() > 18);
        damage(columns);
        CHECK_THROWS_WITH(restore(*FastEngine::known(p, 1e-6), 1500, columns), message.c_str());
    }
}

TEST_CASE("the fast engine refuses records that it cannot keep") {
    packing::Packing p = loose_packing("hertz");
    const auto make = [&](packing::ContactRecords records) {
        return packing::make_packing_engine(p, 1e-6, 1, nullptr, records);
    };
    CHECK_THROWS_WITH(make(packing::ContactRecords::impacts),
                      "impacts: only the plain engine knows them");
    CHECK(make(packing::ContactRecords::rubbing)->dissipation().empty());
    p.precision = packing::Precision::mixed;
    CHECK_THROWS_WITH(make(packing::ContactRecords::dissipation),
                      "what contacts dissipate is known in double precision, on no "
                      "device");
}

}  // namespace beadwave::validation::fast_dissipation_test
