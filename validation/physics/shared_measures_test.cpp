// The measures of a packing that ranks share: the sums come to the first rank piece by piece, in
// the order of one process, and have its bits. Those of one process against sums over all contacts
// and particles at once, written plainly.

#include "crystals.hpp"
#include "packing_backends.hpp"
#include "packing_system/fields.hpp"
#include "packing_system/meeting_speed.hpp"
#include "packing_system/packing_measures.hpp"
#include "relative.hpp"
#include "same_bits.hpp"
#include "thread_ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

namespace beadwave::validation::shared_measures_test {

using observers::MeasuredState;
using observers::Tensor;
using packing::ContactState;
using packing::Vec3;

namespace {

constexpr double step = 2e-7;
constexpr std::int64_t steps = 120;

/// Two halves of a crystal that slide over each other on a floor, which is pressed. More than
/// sixteen blocks of 1024.
packing::Packing halves_on_floor() {
    packing::Packing p = crystal_on_floor({12, 12, 30}, 1e-6);
    for (std::size_t i = 0; i < p.particles(); ++i)
        p.velocity[i] = {i < p.particles() / 2 ? 25.0 : -25.0, 2.0 * static_cast<double>(i % 7),
                         3.0 * static_cast<double>(i % 5)};
    for (std::size_t i = 0; i < p.particles(); i += 9)
        p.radius[i] = 0.8 * steel_radius;  // touches nothing at first
    p.region = {.lower = {0.0, 0.0, 0.1 * p.box.upper.z},
                .upper = {p.box.upper.x, 0.7 * p.box.upper.y, 0.9 * p.box.upper.z}};
    return p;
}

/// What is measured, as numbers.
std::vector<double> measured_numbers(const MeasuredState& now) {
    std::vector<double> all;
    for (const Tensor& tensor :
         {stress(now), contact_stress(now), bond_stress(now), kinetic_stress(now), fabric(now)})
        all.insert(all.end(), tensor.begin(), tensor.end());
    all.insert(all.end(), {volume_fraction(now), coordination_number(now), rattlers(now)});
    for (const Vec3& force : wall_measures(now).force)
        all.insert(all.end(), {force.x, force.y, force.z});
    return all;
}

std::vector<double> field_numbers(const observers::Fields& fields) {
    std::vector<double> all;
    for (const char* name : {"field_density", "field_velocity", "field_coordination_number",
                             "field_contact_stress", "field_kinetic_stress", "field_wall_force"}) {
        const auto of = fields.numbers(name);
        CHECK(!of.empty());
        all.insert(all.end(), of.begin(), of.end());
    }
    return all;
}

/// The largest part of the elastic limit that a particle reaches relative to the mean of those that
/// are there, or in all if something stands still: looked at one by one.
double plain_fastest(const packing::Packing& p, const std::vector<Vec3>& velocity) {
    long double x = 0.0, y = 0.0, z = 0.0;
    for (const Vec3& v : velocity)
        x += v.x, y += v.y, z += v.z;
    const auto n = static_cast<long double>(velocity.size());
    const Vec3 mean{static_cast<double>(x / n), static_cast<double>(y / n),
                    static_cast<double>(z / n)};
    double fastest = 0.0;
    for (const Vec3& v : velocity) {
        const Vec3 relative = v - mean;
        fastest = std::max(fastest, std::sqrt(dot(relative, relative)));
        if (!p.walls.empty()) fastest = std::max(fastest, std::sqrt(dot(v, v)));
    }
    return fastest;
}

const packing::FieldGrid grid{{3, 2, 5}, 4e-3};

/// Particles without force by repeated looks at all of them.
double plain_rattlers(const packing::Packing& p, const std::vector<ContactState>& contacts,
                      const std::vector<char>& inside) {
    std::vector<char> loose(p.particles(), 0);
    for (bool more = true; more;) {
        std::vector<int> count(p.particles(), 0);
        for (const ContactState& c : contacts) {
            const bool wall = c.second >= p.particles();
            if (wall || loose[c.second] == 0) ++count[c.first];
            if (!wall && loose[c.first] == 0) ++count[c.second];
        }
        more = false;
        for (std::size_t i = 0; i < p.particles(); ++i) {
            if (loose[i] != 0 || count[i] >= 3) continue;
            loose[i] = 1;
            more = true;
        }
    }
    double found = 0.0;
    for (std::size_t i = 0; i < p.particles(); ++i)
        found += loose[i] != 0 && inside[i] != 0 ? 1.0 : 0.0;
    return found;
}

void check_plainly(const packing::Packing& p, const packing::PackingEngine& engine,
                   const MeasuredState& now) {
    const std::vector<Vec3> moved = engine.displacement(), velocity = engine.velocity();
    const std::vector<ContactState> contacts = engine.contacts();
    const Vec3 low = p.region->lower, high = p.region->upper;
    const double volume = (high.x - low.x) * (high.y - low.y) * (high.z - low.z);
    const double period = p.box.upper.y - p.box.lower.y;
    std::vector<char> inside(p.particles());
    double count = 0.0, mass = 0.0, solid = 0.0;
    Vec3 momentum{};
    for (std::size_t i = 0; i < p.particles(); ++i) {
        const Vec3 at = p.position[i] + moved[i];
        const double y = at.y - period * std::floor(at.y / period);
        inside[i] = y >= low.y && y < high.y && at.z >= low.z && at.z < high.z ? 1 : 0;
        if (inside[i] == 0) continue;
        count += 1.0;
        mass += p.mass[i];
        solid += 4.0 / 3.0 * std::numbers::pi * p.radius[i] * p.radius[i] * p.radius[i];
        momentum += p.mass[i] * velocity[i];
    }
    CHECK(now.particles == count);
    CHECK(count > 0.3 * static_cast<double>(p.particles()));
    CHECK(count < 0.8 * static_cast<double>(p.particles()));
    double pull = 0.0, moving = 0.0, normal = 0.0, sides = 0.0, floor = 0.0;
    for (const ContactState& c : contacts) {
        const Vec3 force = c.normal_force + c.tangential_force;
        const bool wall = c.second >= p.particles();
        if (wall) floor -= force.z;
        const double nz = c.branch.z * c.branch.z / dot(c.branch, c.branch);
        if (inside[c.first] != 0) {
            pull += force.z * c.point.z, normal += nz, sides += 1.0;
        }
        if (!wall && inside[c.second] != 0) {
            pull -= force.z * (c.point.z - c.branch.z), normal += nz, sides += 1.0;
        }
    }
    const double mean = momentum.z / mass;
    for (std::size_t i = 0; i < p.particles(); ++i) {
        const double v = velocity[i].z - mean;
        if (inside[i] != 0) moving -= p.mass[i] * v * v;
    }
    // Rounding of 1e5 terms, added in another order of operations.
    constexpr double rounding = 1e-11;
    CHECK_RELATIVE(contact_stress(now)[8], pull / volume, rounding);
    CHECK_RELATIVE(kinetic_stress(now)[8], moving / volume, rounding);
    CHECK_RELATIVE(stress(now)[8], (pull + moving) / volume, rounding);
    CHECK_RELATIVE(fabric(now)[8], normal / sides, rounding);
    CHECK_RELATIVE(coordination_number(now), sides / count, rounding);
    CHECK_RELATIVE(volume_fraction(now), solid / volume, rounding);
    CHECK_RELATIVE(wall_measures(now).force[0].z, floor, rounding);
    CHECK(rattlers(now) == plain_rattlers(p, contacts, inside));
    CHECK(rattlers(now) > 0.0);
    CHECK(rattlers(now) < count);
}

}  // namespace

TEST_CASE("ranks measure what one process does, to the bit, and that is the sum over all") {
    const packing::Packing p = halves_on_floor();
    packing::PackingEngine alone = fast_engine(p, step, 1, packing::Sleep::yes);
    alone.advance(steps);
    CHECK(alone.neighbour_list_builds() > 0);
    const MeasuredState now(p, alone);
    check_plainly(p, alone, now);
    const std::vector<double> expected = measured_numbers(now);
    observers::Fields fields(grid, p);
    fields.take(now, alone);
    const std::vector<double> in_cells = field_numbers(fields);
    for (const int count : {2, 3, 5, 16}) {
        CAPTURE(count);
        ThreadRanks::run(count, [&](ranks::Communicator& ranks) {
            packing::PackingEngine engine = fast_engine(p, step, 1, packing::Sleep::yes, &ranks);
            engine.advance(steps);
            const MeasuredState shared(p, engine, &ranks);
            observers::Fields of_ranks(grid, p);
            of_ranks.take(shared, engine, &ranks);
            if (!ranks.first()) {
                CHECK(shared.inside.empty());
                return;
            }
            CHECK(same_bits(measured_numbers(shared), expected));
            CHECK(same_bits(field_numbers(of_ranks), in_cells));
        });
    }
}

TEST_CASE("ranks see the fastest particles of a run, as one process does, to the bit") {
    packing::Packing p = halves_on_floor();
    for (std::size_t i = 0; i < p.particles(); ++i)
        p.radius[i] = steel_radius;
    const running::MeetingSpeeds speeds(p);
    REQUIRE(speeds.have_limits());
    packing::PackingEngine alone = fast_engine(p, step, 1, packing::Sleep::no);
    const running::MeetingSpeed at_start = speeds.of(alone, nullptr);
    alone.advance(steps);
    const running::MeetingSpeed expected = speeds.of(alone, nullptr);
    // All are of one material: the fastest has the largest part of the limit.
    CHECK_RELATIVE(expected.speed, plain_fastest(p, alone.velocity()), 1e-12);  // rounding
    CHECK(expected.speed != at_start.speed);
    for (const int count : {2, 3, 7}) {
        CAPTURE(count);
        ThreadRanks::run(count, [&](ranks::Communicator& ranks) {
            packing::PackingEngine engine = fast_engine(p, step, 1, packing::Sleep::no, &ranks);
            engine.advance(steps);
            const running::MeetingSpeed found = speeds.of(engine, &ranks);
            CHECK(same_bits(std::vector{found.speed, found.limit},
                            std::vector{expected.speed, expected.limit}));
        });
    }
}

}  // namespace beadwave::validation::shared_measures_test
