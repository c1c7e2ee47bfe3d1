#include "subjects/orbits/guess_file.hpp"

#include "beadwave/history.hpp"
#include "beadwave/input_error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace beadwave::tasks {
namespace {

using Numbers = std::vector<double>;

/// Throws InputError unless the beads of the history are those of the chain.
void check_beads(const History& history, const std::string& file, const chain::Chain& chain,
                 const std::string& name) {
    const Numbers mass = history.read("mass"), radius = history.read("radius");
    if (mass.size() != chain.beads()) {
        throw InputError(
            fmt::format("--guess history:{}: has {} beads, and {} has {}; expected the same beads",
                        file, mass.size(), name, chain.beads()));
    }
    const auto check = [&](const char* what, const char* unit, const Numbers& there,
                           const Numbers& here) {
        for (std::size_t i = 0; i < here.size(); ++i) {
            if (std::fabs(there[i] - here[i]) <= 1e-9 * here[i]) continue;
            throw InputError(fmt::format(
                "--guess history:{}: bead {} has the {} {:.6g} {}, and that of {} {:.6g} {}; "
                "expected the same beads",
                file, i, what, there[i], unit, name, here[i], unit));
        }
    };
    check("mass", "kg", mass, chain.mass);
    check("radius", "m", radius, chain.radius);
}

/// The last row; the first `count` numbers of it.
Numbers last_row(const History& history, const std::string& file, const char* name,
                 std::size_t count) {
    const std::size_t rows = history.has(name) ? history.shape(name).at(0) : 0;
    const Numbers row = rows > 0 ? history.read(name, rows - 1, 1) : Numbers{};
    if (row.size() != count || rows == 0) {
        throw InputError(
            fmt::format("--guess history:{}: has no {} of {} in snapshots; expected a history with "
                        "[snapshots], "
                        "or an orbit",
                        file, name, count));
    }
    for (const double x : row) {
        if (!std::isfinite(x)) {
            throw InputError(
                fmt::format("--guess history:{}: {} is not finite at the end", file, name));
        }
    }
    return row;
}

/// FILE of --guess history:FILE; none: another guess.
std::optional<std::string> guess_file(const OrbitRequest& request) {
    const std::string prefix = "history:";
    if (!request.guess.starts_with(prefix)) return std::nullopt;
    std::string file = request.guess.substr(prefix.size());
    if (file.empty())
        throw InputError("--guess history: the name of the file is missing; expected history:FILE");
    return file;
}

}  // namespace

bool has_state(const OrbitRequest& request) {
    return request.near || guess_file(request);
}

orbits::State read_guess(const Prepared& prepared, const OrbitRequest& request,
                         std::int64_t steps) {
    if (request.near) {
        const std::size_t freedoms = prepared.map->freedoms();
        const orbits::State& near = *request.near;
        if (near.displacement.size() == freedoms && near.velocity.size() == freedoms) return near;
        throw InputError(fmt::format(
            "{}: guess: has {} displacements and {} velocities; expected {} of each, of the beads "
            "that forces move and the masses inside beads",
            request.scenario, near.displacement.size(), near.velocity.size(), freedoms));
    }
    const std::string file = guess_file(request).value();
    const History history(file);
    if (history.system() != "chain") {
        throw InputError(
            fmt::format("--guess history:{}: is the history of a {}; expected that of a chain",
                        file, history.system()));
    }
    const chain::Chain& chain = prepared.chain;
    orbits::PeriodMap& map = *prepared.map;
    check_beads(history, file, chain, request.scenario);
    orbits::State state;
    if (history.has("orbit/displacement")) {
        state = {history.read("orbit/displacement"), history.read("orbit/velocity")};
        if (state.displacement.size() == map.freedoms() && state.velocity.size() == map.freedoms())
            return state;
        throw InputError(fmt::format(
            "--guess history:{}: is an orbit of {} freedoms, and {} has {}; expected the same ends "
            "and masses inside beads",
            file, state.displacement.size(), request.scenario, map.freedoms()));
    }
    Numbers u = last_row(history, file, "displacement", chain.beads()),
            v = last_row(history, file, "velocity", chain.beads());
    if (const std::size_t inside = chain.elements.resonators.size(); inside > 0) {
        const Numbers own = last_row(history, file, "resonator_displacement", inside),
                      speed = last_row(history, file, "resonator_velocity", inside);
        u.insert(u.end(), own.begin(), own.end());
        v.insert(v.end(), speed.begin(), speed.end());
    }
    for (const std::size_t body : map.body()) {
        state.displacement.push_back(u[body]);
        state.velocity.push_back(v[body]);
    }
    if (!map.driven()) return state;
    // The rest of the period in which the history ends.
    const std::size_t rows = history.shape("snapshot_time").at(0);
    const double periods = history.read("snapshot_time", rows - 1, 1).at(0) * map.drive_frequency();
    const double part = periods - std::floor(periods);
    constexpr double next_to_whole = 1e-6;
    if (part < next_to_whole || part > 1.0 - next_to_whole) return state;
    const auto rest =
        static_cast<std::int64_t>(std::ceil((1.0 - part) * static_cast<double>(steps)));
    const double period = 1.0 / map.drive_frequency();
    map.set_drive(map.drive_frequency());
    map.run(state, (1.0 - part) * period / static_cast<double>(rest), rest, nullptr, {},
            part * period);
    return state;
}

}  // namespace beadwave::tasks
