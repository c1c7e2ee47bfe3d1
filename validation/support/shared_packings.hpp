// A packing that several ranks share, compared to the bit with one process: motion, contacts,
// traces, totals, and the contents of a checkpoint, which any number of ranks continues. The ranks
// cut the blocks at random with each new list.
#pragma once

#include "cuts_of_ranks.hpp"
#include "packing/fast/fast_packing_engine.hpp"
#include "thread_ranks.hpp"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::validation::sharing {

using packing::Vec3;

using Numbers = std::map<std::string, std::vector<double>>;

inline void append(std::vector<double>& to, std::span<const Vec3> vectors) {
    for (const Vec3& v : vectors)
        to.insert(to.end(), {v.x, v.y, v.z});
}

inline void append_all(Numbers& out, const packing::ElementStepper& elements) {
    for (const packing::ElementStepper::InnerMass& inner : elements.inner())
        append(out["masses inside"], std::array{inner.displacement, inner.velocity});
    for (std::size_t k = 0; k < elements.bonds().states().size(); ++k)
        out["tension"].push_back(elements.bonds().tension(k));
}

inline void append_all(Numbers& out, const packing::Population& population, std::size_t particles) {
    if (!population.changes()) return;
    for (std::size_t i = 0; i < particles; ++i) {
        for (const double number : {static_cast<double>(population.presence(i)),
                                    static_cast<double>(population.entry_step(i)),
                                    static_cast<double>(population.leave_step(i)),
                                    static_cast<double>(population.exit_of(i))})
            out["population"].push_back(number);
    }
    const packing::Inflow& in = population.inflow();
    append(out["inflow"], std::array{in.momentum, in.angular_momentum});
    out["inflow"].insert(out["inflow"].end(), {in.energy, in.placement_work});
}

/// What only the first rank gets.
inline bool is_collected(const std::string& name) {
    return name == "displacement" || name == "velocity" || name == "angular velocity" ||
           name == "contacts" || name == "broken" || name == "dissipation";
}

/// All that an engine says of itself; on other ranks than the first without what is collected.
inline void append_all(Numbers& out, const packing::PackingEngine& engine) {
    append(out["displacement"], engine.displacement());
    append(out["velocity"], engine.velocity());
    append(out["angular velocity"], engine.angular_velocity());
    const packing::PackingTotals t = engine.totals();
    append(out["momenta"], std::array{t.momentum, t.angular_momentum});
    for (const double number :
         {t.translational, t.rotational, t.stored_normal, t.stored_tangential, t.dissipated_normal,
          t.dissipated_tangential, t.dissipated_rolling, t.external_work, t.stored_elements,
          t.dissipated_elements, t.broken_energy, t.inflow_energy})
        out["totals"].push_back(number);
    for (const packing::ContactState& c : engine.contacts()) {
        append(out["contacts"], std::array{c.point, c.branch, c.normal_force, c.tangential_force});
        for (const double number :
             {static_cast<double>(c.first), static_cast<double>(c.second), c.overlap})
            out["contacts"].push_back(number);
    }
    for (const packing::WallMotion& wall : engine.walls())
        append(out["walls"], std::array{wall.displacement, wall.velocity});
    for (const packing::ContactDissipation& each : engine.dissipation()) {
        for (const double number :
             {static_cast<double>(each.first), static_cast<double>(each.second), each.parts.normal,
              each.parts.sliding, each.parts.rolling, each.parts.twisting})
            out["dissipation"].push_back(number);
    }
    for (const double rubbed : engine.wall_rubbing())
        out["rubbing"].push_back(rubbed);
    append(out["drives"], engine.drive_forces());
    append(out["drives"], engine.drive_torques());
    for (const packing::BrokenBond& broken : engine.broken_bonds(0.0)) {
        for (const double number : {static_cast<double>(broken.bond), broken.step, broken.energy})
            out["broken"].push_back(number);
    }
    append_all(out, engine.elements());
    append_all(out, engine.population(), engine.particles());
    const packing::BoxState box = engine.box();
    out["box"].insert(out["box"].end(), box.edges.of.begin(), box.edges.of.end());
    const packing::StabilityLimits limits = engine.stability_limits(1e-3);
    const packing::DeepContact deep = engine.deepest();
    for (const double number :
         {limits.frequency, limits.damping, deep.depth, deep.overlap, engine.largest_leap(),
          engine.overlap_rounding(), static_cast<double>(deep.first),
          static_cast<double>(deep.second), static_cast<double>(deep.step),
          static_cast<double>(engine.closed_contacts()), static_cast<double>(engine.listed_pairs()),
          static_cast<double>(engine.neighbour_list_builds()),
          static_cast<double>(engine.first_non_finite().value_or(engine.particles()))})
        out["numbers"].push_back(number);
}

/// What contacts dissipate is known in double precision only.
inline packing::ContactRecords records_of(
    const packing::Packing& p,
    packing::ContactRecords records = packing::ContactRecords::dissipation) {
    return p.precision == packing::Precision::full ? records : packing::ContactRecords::none;
}

inline constexpr std::array both_precisions{packing::Precision::full, packing::Precision::mixed};

/// A packing and its steps.
struct Case {
    packing::Packing packing;
    double dt;
    std::vector<std::int64_t> steps;  // between two looks
    std::vector<std::size_t> traced{};
    packing::ContactRecords records = packing::ContactRecords::none;
};

/// The saved state in the middle; of ranks: their parts.
struct Saved {
    std::int64_t step = 0;
    std::map<std::string, std::vector<double>> columns{};
};

inline void run(const Case& what, ranks::Communicator* ranks, int threads, Numbers& out,
                Saved& saved, const Saved* from) {
    const auto engine = packing::make_packing_engine(what.packing, what.dt, threads,
                                                     simd::instruction_sets().front(),
                                                     packing::Sleep::yes, ranks, what.records);
    // Whichever rank has a block: with each list other ranks have it.
    auto* const fast = dynamic_cast<packing::FastPackingEngine*>(&engine->backend());
    if (ranks != nullptr && fast != nullptr)
        fast->set_balance(random_cuts(static_cast<std::uint64_t>(ranks->count()) +
                                      (from != nullptr ? 100U : 0U)));
    if (from != nullptr) {
        engine->restore(from->step, [&](const std::string& name) {
            return std::span<const double>(from->columns.at(name));
        });
    }
    packing::ParticleTrace trace{.particles = what.traced, .force = {}, .velocity = {}};
    std::int64_t done = 0;
    for (std::size_t look = 0; look < what.steps.size(); ++look) {
        done += what.steps[look];
        if (engine->step() >= done) continue;
        engine->advance(what.steps[look], trace);
        append(out["traces"], trace.force);
        append(out["traces"], trace.velocity);
        append_all(out, *engine);
        engine->sample(trace);
        append(out["samples"], trace.force);
        append(out["samples"], trace.velocity);
        if (look + 1 != what.steps.size() / 2) continue;
        saved.step = engine->step();
        for (const packing::PackingColumn& column : engine->state()) {
            std::vector<double>& all = saved.columns[column.name];
            all.resize(column.total);
            std::ranges::copy(column.values,
                              all.begin() + static_cast<std::ptrdiff_t>(column.first));
        }
    }
    if (fast != nullptr) {  // also the work that blocks beside those of other ranks save
        std::int64_t left_out = fast->left_out();
        if (ranks != nullptr) ranks->sum({&left_out, 1});
        out["left out"].push_back(static_cast<double>(left_out));
    }
    for (const packing::PackingColumn& column : engine->state()) {
        std::vector<double>& all = out["state " + column.name];
        all.resize(column.total);
        std::ranges::copy(column.values, all.begin() + static_cast<std::ptrdiff_t>(column.first));
    }
}

inline Numbers run_shared(const Case& what, int count, int threads, Saved& saved,
                          const Saved* from) {
    std::vector<Numbers> parts(static_cast<std::size_t>(count));
    std::vector<Saved> saves(parts.size());
    ThreadRanks::run(count, [&](ranks::Communicator& ranks) {
        const auto r = static_cast<std::size_t>(ranks.rank());
        run(what, &ranks, threads, parts[r], saves[r], from);
    });
    // Each rank has its own part of the state.
    const auto join = [](std::vector<double>& to, const std::vector<double>& part) {
        REQUIRE(to.size() == part.size());
        for (std::size_t i = 0; i < to.size(); ++i) {
            if (std::bit_cast<std::uint64_t>(to[i]) == 0) to[i] = part[i];
        }
    };
    for (std::size_t r = 1; r < parts.size(); ++r) {
        for (auto& entry : parts.front()) {
            const std::string& name = entry.first;
            std::vector<double>& numbers = entry.second;
            if (name.starts_with("state ")) {
                join(numbers, parts[r].at(name));
            } else if (!is_collected(name)) {  // all ranks know the same
                CAPTURE(name);
                CHECK(numbers == parts[r].at(name));
            }
        }
        for (auto& [name, numbers] : saves.front().columns)
            join(numbers, saves[r].columns.at(name));
    }
    saved = std::move(saves.front());
    return std::move(parts.front());
}

inline void check_equal(const Numbers& found, const Numbers& expected) {
    REQUIRE(found.size() == expected.size());
    for (const auto& entry : expected) {
        const std::string& name = entry.first;
        CAPTURE(name);
        const std::vector<double>& other = found.at(name);
        REQUIRE(other.size() == entry.second.size());
        std::size_t different = 0;
        for (std::size_t i = 0; i < other.size(); ++i) {
            different += std::bit_cast<std::uint64_t>(other[i]) !=
                         std::bit_cast<std::uint64_t>(entry.second[i]);
        }
        CHECK(different == 0);
    }
}

/// Returns the numbers of one process.
inline Numbers check_same(const Case& what, const std::vector<int>& counts) {
    Numbers expected;
    Saved middle;
    run(what, nullptr, 1, expected, middle, nullptr);
    Numbers rest;
    Saved none;
    run(what, nullptr, 1, rest, none, &middle);
    const Saved* from = nullptr;
    Saved last;
    for (const int count : counts) {
        CAPTURE(count);
        Saved saved;
        check_equal(run_shared(what, count, count % 2 + 1, saved, nullptr), expected);
        check_equal(saved.columns, middle.columns);
        // The state of another number of ranks, at first of one process, continues on these.
        check_equal(run_shared(what, count, 1, last, from != nullptr ? from : &middle), rest);
        last = std::move(saved);
        from = &last;
    }
    Numbers again;
    run(what, nullptr, 2, again, none, from);
    check_equal(again, rest);
    return expected;
}

inline double sum_of(const std::vector<double>& numbers) {
    double sum = 0.0;
    for (const double x : numbers)
        sum += std::abs(x);
    return sum;
}

}  // namespace beadwave::validation::sharing
