// What ranks record of a packing that they share: each has the particles and contacts of a range of
// numbers. One rank after another they have what one process has, to the bit. So are the measures
// at the end of a run, whose region may have no bounds.

#include "crystals.hpp"
#include "packing_backends.hpp"
#include "packing_system/packing_measures.hpp"
#include "same_bits.hpp"
#include "thread_ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::validation::recorded_shares_test {

using packing::ContactState;
using packing::Vec3;

namespace {

constexpr double step = 2e-7;
constexpr std::int64_t steps = 150;

/// Two halves of a crystal that slide over each other on a floor, in a periodic box.
packing::Packing sliding() {
    packing::Packing p = crystal_on_floor({9, 9, 14}, 0.0);
    for (std::size_t i = 0; i < p.particles(); ++i) {
        p.velocity[i] = {i < p.particles() / 2 ? 20.0 : -20.0, 0.1 * static_cast<double>(i % 7),
                         0.0};
        p.angular_velocity[i] = {0.0, static_cast<double>(i % 5), 0.0};
    }
    return p;
}

struct Recorded {
    std::vector<double> motion, contacts;
};

void append(std::vector<double>& to, const Vec3& v) {
    to.insert(to.end(), {v.x, v.y, v.z});
}

Recorded recorded(const std::vector<std::vector<Vec3>>& motions,
                  const std::vector<ContactState>& contacts) {
    Recorded all;
    for (std::size_t i = 0; i < motions[0].size(); ++i) {
        for (const std::vector<Vec3>& of : motions)
            append(all.motion, of[i]);
    }
    for (const ContactState& c : contacts) {
        all.contacts.insert(all.contacts.end(), {static_cast<double>(c.first),
                                                 static_cast<double>(c.second), c.overlap});
        for (const Vec3& v : {c.point, c.branch, c.normal_force, c.tangential_force})
            append(all.contacts, v);
    }
    return all;
}

std::vector<double> numbers_of(const observers::EndMeasures& measures) {
    std::vector<double> all(measures.stress.begin(), measures.stress.end());
    all.insert(all.end(), {measures.coordination, measures.volume_fraction});
    return all;
}

}  // namespace

TEST_CASE("what the ranks record, one after another, is what one process records") {
    const packing::Packing p = sliding();
    packing::PackingEngine alone = fast_engine(p, step, 1, packing::Sleep::yes);
    alone.advance(steps);
    const Recorded expected = recorded(
        {alone.displacement(), alone.velocity(), alone.angular_velocity()}, alone.contacts());
    CHECK(alone.neighbour_list_builds() > 0);
    for (const int count : {2, 3}) {
        std::vector<Recorded> parts(static_cast<std::size_t>(count));
        std::vector<packing::NumberRange> ranges(parts.size());
        ThreadRanks::run(count, [&](ranks::Communicator& ranks) {
            packing::PackingEngine engine = fast_engine(p, step, 1, packing::Sleep::yes, &ranks);
            engine.advance(steps);
            const auto r = static_cast<std::size_t>(ranks.rank());
            ranges[r] = engine.own_numbers();
            const std::vector<ContactState> contacts = engine.own_contacts();
            for (const ContactState& c : contacts) {
                CHECK(c.first >= ranges[r].begin);
                CHECK(c.first < ranges[r].end);
            }
            parts[r] = recorded({engine.own_displacements(), engine.own_velocities(),
                                 engine.own_angular_velocities()},
                                contacts);
        });
        Recorded all;
        std::size_t end = 0;
        for (std::size_t r = 0; r < parts.size(); ++r) {
            CHECK(ranges[r].begin == std::exchange(end, ranges[r].end));
            CHECK(parts[r].motion.size() == 9 * (ranges[r].end - ranges[r].begin));
            all.motion.insert(all.motion.end(), parts[r].motion.begin(), parts[r].motion.end());
            all.contacts.insert(all.contacts.end(), parts[r].contacts.begin(),
                                parts[r].contacts.end());
        }
        CHECK(end == p.particles());
        CHECK(same_bits(all.motion, expected.motion));
        CHECK(same_bits(all.contacts, expected.contacts));
    }
}

TEST_CASE("measures at the end are those of the region, or of the space around all particles") {
    packing::Packing p = sliding();
    for (const bool region : {false, true}) {
        CAPTURE(region);
        const double top = 0.5 * p.position.all().back().z;
        // Without bounds along z it is the space around the particles.
        if (region) p.region = {.lower = {}, .upper = {p.box.upper.x, p.box.upper.y, top}};
        packing::PackingEngine alone = fast_engine(p, step, 1, packing::Sleep::yes);
        alone.advance(steps);
        const observers::EndMeasures found = observers::end_measures(p, alone);
        observers::MeasuredState state(p, alone);
        if (!region) {
            double low = state.region.lower.z, high = low;
            const std::vector<Vec3> moved = alone.displacement();
            for (std::size_t i = 0; i < p.particles(); ++i) {
                const double z = p.position[i].z + moved[i].z;
                low = std::min(low, z - p.radius[i]), high = std::max(high, z + p.radius[i]);
            }
            // The floor bounds it from below.
            state.volume = p.box.upper.x * p.box.upper.y * (high - state.region.lower.z);
        }
        const observers::EndMeasures measured{.stress = observers::stress(state),
                                              .coordination = observers::coordination_number(state),
                                              .volume_fraction = observers::volume_fraction(state)};
        CHECK(same_bits(numbers_of(found), numbers_of(measured)));
        CHECK(found.coordination > 1.0);
        ThreadRanks::run(3, [&](ranks::Communicator& ranks) {
            packing::PackingEngine engine = fast_engine(p, step, 1, packing::Sleep::yes, &ranks);
            engine.advance(steps);
            const observers::EndMeasures shared = observers::end_measures(p, engine, &ranks);
            if (ranks.first()) CHECK(same_bits(numbers_of(shared), numbers_of(found)));
        });
    }
}

}  // namespace beadwave::validation::recorded_shares_test
