#include "subjects/orbits/motion_start.hpp"

#include "beadwave/input_error.hpp"
#include "subjects/orbits/guess_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwave::tasks {

std::int64_t motion_steps(const jobs::ChainJob& job, double period) {
    const stepping::TimeStep chosen = job.chosen_step().value();
    double step = chosen.step;
    constexpr double in_contact = 120.0, coarser = 12.0;
    const double coarse = chosen.shortest_contact / in_contact;
    // A step that damping, springs or jumps have made short stays as it is.
    if (!chosen.given && coarse > step && coarse < coarser * step) step = coarse;
    constexpr double fewest = 400.0;
    return static_cast<std::int64_t>(std::max(std::ceil(period / step), fewest));
}

orbits::State motion_start(const OrbitRequest& request, const Prepared& prepared,
                           std::int64_t steps) {
    if (has_state(request)) return read_guess(prepared, request, steps);
    orbits::State start = prepared.map->rest();
    const std::vector<std::size_t> beads = prepared.beads();
    const chain::Chain& chain = prepared.chain;
    for (std::size_t i = 0; i < beads.size(); ++i) {
        start.velocity[i] = chain.velocity[beads[i]];
        if (!chain.displacement.empty()) start.displacement[i] = chain.displacement[beads[i]];
        const std::size_t body = prepared.map->body()[i];
        if (body < chain.beads()) continue;
        const chain::Resonator& mass = chain.elements.resonators[body - chain.beads()];
        start.displacement[i] = mass.displacement.value_or(start.displacement[i]);
        start.velocity[i] = mass.velocity.value_or(start.velocity[i]);
    }
    return start;
}

void refuse_orbit_options(const OrbitRequest& request, const std::string& option) {
    const auto refuse = [&](const char* other) {
        throw InputError(fmt::format(
            "{} is not for {}, which follows motions; expected one of the two", other, option));
    };
    refuse_run_scenario(request);
    if (!request.continuation.empty()) refuse("--continue");
    if (request.accuracy > 0.0) refuse("--accuracy");
    if (request.which != 1) refuse("--which");
    if (request.most_points > 0) refuse("--points");
    if (request.travelling > 0) refuse("--travelling");
    if (request.switch_at != 0) refuse("--switch");
    if (!request.solver.empty()) refuse("--solver");
    if (request.guess.starts_with("mode:")) refuse("--guess mode:K");
}

void refuse_motion_options(const OrbitRequest& request) {
    const BasinOptions& basins = request.basins;
    const auto refuse = [](bool given, const char* option, const char* needed) {
        if (given)
            throw InputError(fmt::format("{} is for motions; expected {} with it", option, needed));
    };
    refuse(!basins.grid.empty(), "--grid", "--basins");
    refuse(basins.mode.has_value(), "--mode", "--basins");
    refuse(basins.bead.has_value(), "--bead", "--basins or --poincare");
    refuse(request.section.crossing.has_value(), "--section", "--poincare");
}

std::size_t freedom_of(const Prepared& prepared, const std::string& name, const char* option,
                       std::uint64_t bead) {
    if (bead >= prepared.chain.beads()) {
        throw InputError(fmt::format("{}: {} {}: the chain has the beads 0 to {}", name, option,
                                     bead, prepared.chain.beads() - 1));
    }
    const std::vector<std::size_t>& body = prepared.map->body();
    const auto found = std::ranges::find(body, bead);
    if (found == body.end()) {
        throw InputError(
            fmt::format("{}: {} {}: this bead is held or driven; expected one that forces move",
                        name, option, bead));
    }
    return static_cast<std::size_t>(found - body.begin());
}

std::uint64_t middle_bead(const Prepared& prepared) {
    const std::vector<std::size_t>& body = prepared.map->body();
    const auto beads = std::ranges::count_if(
        body, [&](std::size_t each) { return each < prepared.chain.beads(); });
    return body[static_cast<std::size_t>(beads / 2)];
}

}  // namespace beadwave::tasks
