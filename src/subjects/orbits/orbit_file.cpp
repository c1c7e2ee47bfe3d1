#include "subjects/orbits/orbit_file.hpp"

#include "io/files/hdf5_results.hpp"
#include "io/history/history_store.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::tasks {
namespace {

using recording::Channel;
using recording::Pace;

/// What is recorded of one instant.
struct Instant {
    std::vector<double> displacement, velocity, force, resonator_displacement, resonator_velocity;
    std::vector<double> walls;
};

void take(Instant& now, const chain::Chain& chain, const orbits::PeriodMap& map,
          const orbits::State& state, double time) {
    const orbits::Bodies all = map.bodies(state, time);
    const auto beads = static_cast<std::ptrdiff_t>(chain.beads());
    now.displacement.assign(all.displacement.begin(), all.displacement.begin() + beads);
    now.velocity.assign(all.velocity.begin(), all.velocity.begin() + beads);
    now.resonator_displacement.assign(all.displacement.begin() + beads, all.displacement.end());
    now.resonator_velocity.assign(all.velocity.begin() + beads, all.velocity.end());
    now.walls = {all.walls.left, all.walls.right};
    now.force.assign(chain.beads() + 1, 0.0);
    for (std::size_t c = 0; c <= chain.beads(); ++c) {
        if (!std::isfinite(chain.gap[c])) continue;
        const bool first = c == 0, last = c == chain.beads();
        const double left = first ? all.walls.left : now.displacement[c - 1],
                     right = last ? all.walls.right : now.displacement[c],
                     from = first ? all.walls.left_speed : now.velocity[c - 1],
                     to = last ? all.walls.right_speed : now.velocity[c];
        now.force[c] =
            chain.contacts.at(c).respond(left - right - chain.gap[c], from - to, {}).force;
    }
}

recording::Fill copy_of(const std::vector<double>& numbers) {
    return [&numbers](std::size_t first, std::span<double> out) {
        std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(first), out.size(), out.begin());
    };
}

std::vector<double> numbers_of(const std::vector<orbits::Complex>& all) {
    std::vector<double> numbers;
    for (const orbits::Complex z : all) {
        numbers.push_back(z.real());
        numbers.push_back(z.imag());
    }
    return numbers;
}

void add_orbit(recording::Description& all, const Prepared& prepared, const OrbitResult& result) {
    const orbits::Orbit& orbit = result.orbit;
    const auto number = [&](const char* name, const char* unit, double value) {
        all.constants.push_back({std::string("orbit/") + name, "", unit, {}, value});
    };
    const auto list = [&](const char* name, const char* unit, std::vector<std::size_t> shape,
                          std::vector<double> numbers) {
        all.constants.push_back({std::string("orbit/") + name, "", unit, std::move(shape),
                                 all.keep(std::move(numbers))});
    };
    number("frequency", "Hz", orbit.frequency);
    if (result.periods > 1) number("periods", "1", static_cast<double>(result.periods));
    number("energy", "J", orbit.energy);
    number("amplitude", "m", orbit.amplitude);
    number("least_overlap", "m", orbit.least_overlap);
    number("periodicity_error", "1", orbit.periodicity_error);
    const std::size_t freedoms = orbit.state.displacement.size();
    list("displacement", "m", {freedoms}, orbit.state.displacement);
    list("velocity", "m s-1", {freedoms}, orbit.state.velocity);
    list("multipliers", "1", {orbit.stability.multipliers.size(), 2},
         numbers_of(orbit.stability.multipliers));
    std::vector<orbits::Complex> unstable;
    std::vector<std::string> kinds;
    for (const orbits::Instability& each : orbit.stability.instabilities) {
        unstable.push_back(each.multiplier);
        kinds.push_back(each.kind);
    }
    list("instabilities", "1", {unstable.size(), 2}, numbers_of(unstable));
    if (!kinds.empty()) all.constants.push_back({"orbit/instability_kinds", "", "", {}, kinds});
    number("multipliers_total", "1", static_cast<double>(orbit.stability.total));
    const orbits::PeriodMap& map = *prepared.map;
    if (map.driven()) {
        // A list, as all that readers of histories see.
        list("drive_frequency", "Hz", {1},
             {orbit.frequency * static_cast<double>(std::max<std::size_t>(result.periods, 1))});
    }
    if (orbit.unstable.empty()) return;
    // Beads and masses inside them, also those that are held.
    const std::size_t bodies = prepared.chain.beads() + prepared.chain.elements.resonators.size();
    std::vector<double> displacement(orbit.unstable.size() * bodies * 2), velocity = displacement;
    for (std::size_t k = 0; k < orbit.unstable.size(); ++k) {
        for (std::size_t i = 0; i < map.freedoms(); ++i) {
            const std::size_t at = 2 * (k * bodies + map.body()[i]);
            const orbits::Complex u = orbit.unstable[k].displacement[i],
                                  v = orbit.unstable[k].velocity[i];
            displacement[at] = u.real(), displacement[at + 1] = u.imag();
            velocity[at] = v.real(), velocity[at + 1] = v.imag();
        }
    }
    const std::vector<std::size_t> shape{orbit.unstable.size(), bodies, 2};
    list("unstable_displacement", "1", shape, std::move(displacement));
    list("unstable_velocity", "s-1", shape, std::move(velocity));
}

recording::Description describe(const Prepared& prepared, const OrbitResult& result,
                                const Instant& now, std::size_t samples) {
    const chain::Chain& chain = prepared.chain;
    recording::Description all{.system = "chain", .bodies = "particles/beads"};
    const std::size_t n = chain.beads();
    all.own_end = all.total = n;
    all.counts.snapshots = static_cast<double>(samples);
    const std::string beads = "particles/beads/";
    all.constants.push_back({beads + "radius", "", "m", {n}, std::span(chain.radius)});
    all.constants.push_back({beads + "mass", "", "kg", {n}, std::span(chain.mass)});
    all.constants.push_back({beads + "id", "", "", {n}, recording::Numbering{n}});
    const auto species = [&chain](std::size_t bead) {
        return static_cast<int>(chain.species[bead]);
    };
    all.constants.push_back(
        {beads + "species", "", "", {n}, recording::Named{chain.species_names, species, n}});
    all.constants.push_back({"parameters/contact_gap", "", "m", {n + 1}, std::span(chain.gap)});
    add_orbit(all, prepared, result);
    const auto start = all.keep(chain.positions());
    all.streams.push_back(
        {Pace::snapshots,
         "snapshot",
         {{beads + "position", "m", {n}, {}, true, Channel::Sum{2, recording::adding(start)}},
          {beads + "velocity", "m s-1", {n}, copy_of(now.velocity), true},
          {beads + "displacement", "m", {n}, copy_of(now.displacement)}}});
    all.streams.push_back(
        {Pace::snapshots, "", {{"observables/contact_force", "N", {n + 1}, copy_of(now.force)}}});
    if (chain.left_drive || chain.right_drive) {
        all.streams.push_back({Pace::snapshots,
                               "",
                               {{"observables/wall_displacement", "m", {2}, copy_of(now.walls)}}});
    }
    const std::size_t inside = chain.elements.resonators.size();
    if (inside == 0) return all;
    std::vector<double> bead, mass;
    for (const chain::Resonator& each : chain.elements.resonators) {
        bead.push_back(static_cast<double>(each.bead));
        mass.push_back(each.mass);
    }
    all.constants.push_back(
        {"parameters/resonator_bead", "", "1", {inside}, all.keep(std::move(bead))});
    all.constants.push_back(
        {"parameters/resonator_mass", "", "kg", {inside}, all.keep(std::move(mass))});
    all.streams.push_back(
        {Pace::snapshots,
         "",
         {{"observables/resonator_displacement",
           "m",
           {inside},
           copy_of(now.resonator_displacement)},
          {"observables/resonator_velocity", "m s-1", {inside}, copy_of(now.resonator_velocity)}}});
    return all;
}

/// Steps between samples: a divisor of all steps, for up to some hundred samples.
std::int64_t stride_of(std::int64_t steps) {
    constexpr std::int64_t most = 256;
    for (std::int64_t stride = (steps + most - 1) / most;; ++stride)
        if (steps % stride == 0) return stride;
}

}  // namespace

void check_orbit_file(const io::Output& output) {
    io::check_output(output, io::history_result);
}

void write_orbit_file(const io::Output& output, const Prepared& prepared,
                      const OrbitResult& result) {
    const orbits::Orbit& orbit = result.orbit;
    const std::int64_t stride = stride_of(orbit.steps);
    const double step = 1.0 / orbit.frequency / static_cast<double>(orbit.steps);
    orbits::PeriodMap& map = *prepared.map;
    map.set_drive(orbit.frequency * static_cast<double>(result.periods));
    orbits::State state = orbit.state;
    Instant now;
    take(now, prepared.chain, map, state, 0.0);
    const auto samples = static_cast<std::size_t>(orbit.steps / stride + 1);
    io::HistoryStore store(output, describe(prepared, result, now, samples),
                           {.scenario_text = result.scenario_text,
                            .law = prepared.job.scenario().law.name,
                            .time_step = step,
                            .file_texts = prepared.job.file_texts(),
                            .steps = orbit.steps});
    store.sample(Pace::snapshots, 0, 0.0);
    std::int64_t done = 0;
    map.run(state, step, orbit.steps, nullptr, [&](const orbits::State& at) {
        if (++done % stride != 0) return;
        const double time = static_cast<double>(done) * step;
        take(now, prepared.chain, map, at, time);
        store.sample(Pace::snapshots, done, time);
    });
    store.close(result.warnings, io::Run::ended);
}

}  // namespace beadwave::tasks
