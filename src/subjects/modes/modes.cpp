#include "subjects/modes/modes.hpp"

#include "beadwave/input_error.hpp"
#include "jobs/read_job.hpp"
#include "jobs/threads.hpp"
#include "linear/chain_operator.hpp"
#include "linear/packing_operator.hpp"
#include "modes/chain_bands.hpp"
#include "modes/chain_modes.hpp"
#include "modes/chain_transfer.hpp"
#include "modes/lowest_modes.hpp"
#include "modes/packing_bands.hpp"
#include "modes/packing_modes.hpp"
#include "modes/packing_transfer.hpp"
#include "ranks/communicator.hpp"
#include "subjects/chain/chain_job.hpp"
#include "subjects/packing/packing_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <utility>

namespace beadwave::tasks {
namespace {

/// "low:high:count" as evenly spaced frequencies.
std::vector<double> frequencies_of(const std::string& text) {
    const auto refuse = [&](const std::string& why) {
        throw InputError(
            fmt::format("--transfer {}: {}; expected LOW:HIGH:COUNT, frequencies in "
                        "Hz above 0 and how many, such as 1000:20000:500",
                        shortened(text), why));
    };
    double low = 0.0, high = 0.0, count = 0.0;
    char rest = '\0';
    if (std::sscanf(text.c_str(), "%lf:%lf:%lf%c", &low, &high, &count, &rest) != 3)
        refuse("three numbers are needed");
    if (!(low > 0.0) || !(high >= low) || !std::isfinite(high))
        refuse("the frequencies must rise from above 0");
    constexpr double most = 1e6;
    if (!(count >= 1.0) || count > most || count != std::floor(count))
        refuse(fmt::format("the count must be a whole number from 1 to {:g}", most));
    std::vector<double> frequencies;
    const auto points = static_cast<std::size_t>(count);
    for (std::size_t i = 0; i < points; ++i) {
        const double part =
            points == 1 ? 0.0 : static_cast<double>(i) / static_cast<double>(points - 1);
        frequencies.push_back(low + (high - low) * part);
    }
    return frequencies;
}

/// "a,b,c:a,b,c" as corners of a path.
std::vector<std::array<double, 3>> corners_of(const std::string& text) {
    std::vector<std::array<double, 3>> corners;
    std::size_t begin = 0;
    while (!text.empty() && begin <= text.size()) {
        const std::size_t end = std::min(text.find(':', begin), text.size());
        const std::string one = text.substr(begin, end - begin);
        std::array<double, 3> corner{};
        std::array<int, 3> used{};  // characters, up to the end of each number
        const int read = std::sscanf(one.c_str(), "%lf%n,%lf%n,%lf%n", &corner[0], &used[0],
                                     &corner[1], &used[1], &corner[2], &used[2]);
        const bool whole = read >= 1 && static_cast<std::size_t>(
                                            used[static_cast<std::size_t>(read - 1)]) == one.size();
        if (!whole || !std::ranges::all_of(corner, [](double x) { return std::fabs(x) <= 100.0; }))
            throw InputError(
                fmt::format("--path: \"{}\" is no wave vector; expected up to three "
                            "numbers, such as 0,0,0:0.5,0,0",
                            shortened(one)));
        corners.push_back(corner);
        begin = end + 1;
    }
    if (corners.size() == 1)
        throw InputError("--path: one wave vector makes no path; expected two or more");
    return corners;
}

/// "n" or "n,n,n" as points of a grid along the reciprocal vectors; empty: none.
std::array<std::size_t, 3> grid_of(const std::string& text) {
    std::array<std::size_t, 3> grid{};
    if (text.empty()) return grid;
    std::size_t count = 0;
    bool right = true;
    for (std::size_t begin = 0; right && begin <= text.size(); ++count) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        std::size_t points = 0;
        const auto read = std::from_chars(text.data() + begin, text.data() + end, points);
        right = count < 3 && read.ec == std::errc() && read.ptr == text.data() + end &&
                points >= 1 && points <= 10000;
        if (right) grid[count] = points;
        begin = end + 1;
    }
    if (!right) {
        throw InputError(fmt::format(
            "--grid: is {}; expected the points along each reciprocal vector, from 1 to 10000, "
            "such as 12 or 24,24,1",
            shortened(text)));
    }
    for (std::size_t k = count; k < 3; ++k)
        grid[k] = count == 1 ? grid[0] : 1;
    return grid;
}

std::string input_of(const chain::Chain& chain, const ModesRequest& request,
                     const std::string& name) {
    if (!request.input.empty()) return request.input;
    if (chain.left_drive.has_value() != chain.right_drive.has_value())
        return chain.left_drive ? "left" : "right";
    throw InputError(fmt::format(
        "{}: --transfer: {}; expected --input left, --input right or --input N, a bead", name,
        chain.left_drive ? "both walls are driven" : "no wall of the scenario is driven"));
}

/// The only driven wall of the packing, unless another input is given.
std::string input_of(const packing::Packing& packing, const ModesRequest& request,
                     const std::string& name) {
    if (!request.input.empty()) return request.input;
    std::string input;
    int driven = 0;
    for (std::size_t w = 0; w < packing.walls.size(); ++w) {
        if (!packing.walls[w].drive) continue;
        input = fmt::format("wall {}", w);
        ++driven;
    }
    if (driven == 1) return input;
    throw InputError(fmt::format(
        "{}: --transfer: {} walls of the scenario are driven; expected --input \"wall 0\", its "
        "number, or --input \"12 x\", a particle and the axis of the force",
        name, driven));
}

int threads_of(const ModesRequest& request) {
    return jobs::startable_threads(
        jobs::wanted_threads(request.threads, *ranks::serial_communicator()));
}

modes::TransferRequest transfer_of(std::string input, const scenario::Common& scenario,
                                   const ModesRequest& request, const modes::Analysis& analysis) {
    std::vector<std::int64_t> sensors{analysis.body.front(), std::ranges::max(analysis.body)};
    if (scenario.sensors) sensors = scenario.sensors->ids;
    return {.input = std::move(input),
            .frequency = frequencies_of(request.transfer),
            .sensors = std::move(sensors),
            .threads = threads_of(request),
            .stop = request.stop};
}

void add_bodies(const linear::ChainOperator& linear, std::vector<std::int64_t>& body,
                std::vector<std::array<double, 3>>& position) {
    for (std::size_t i = 0; i < linear.size(); ++i) {
        body.push_back(static_cast<std::int64_t>(linear.bead[i]));
        position.push_back({linear.position[i], 0.0, 0.0});
    }
    for (const linear::InnerMass& each : linear.inner) {
        body.push_back(static_cast<std::int64_t>(linear.bead[each.bead]));
        position.push_back({linear.position[each.bead], 0.0, 0.0});
    }
}

void add_bodies(const linear::PackingOperator& linear, std::vector<std::int64_t>& body,
                std::vector<std::array<double, 3>>& position) {
    for (std::size_t i = 0; i < linear.body.size(); ++i) {
        const packing::Vec3& r = linear.position[i];
        body.push_back(static_cast<std::int64_t>(linear.body[i]));
        position.push_back({r.x, r.y, r.z});
    }
}

[[noreturn]] void refuse_mechanism(const std::string& name) {
    throw InputError(
        fmt::format("{}: is a mechanism; modes are computed of chains and packings", name));
}

void refuse(bool given, const std::string& name, const char* option, const char* why) {
    if (given) throw InputError(fmt::format("{}: {}: {}", name, option, why));
}

void analyse(const jobs::ChainJob& job, const std::string& name, const ModesRequest& request,
             ModesResult& result) {
    modes::Analysis& analysis = result.analysis;
    refuse(!request.path.empty(), name, "--path", "is for packings; a chain has one direction");
    refuse(!request.grid.empty(), name, "--grid", "is for packings; a chain has one direction");
    refuse(request.lowest > 0, name, "--lowest", "is for packings; chains give all frequencies");
    const chain::Chain& chain = job.system();
    analysis.system = "chain";
    analysis.scenario_text = job.scenario().text;
    const auto& linear =
        result.linear.emplace<linear::ChainOperator>(linear::linearise(chain, name));
    add_bodies(linear, analysis.body, analysis.position);
    if (!request.transfer.empty()) {
        analysis.transfer = modes::transfer(
            linear, transfer_of(input_of(chain, request, name), job.scenario(), request, analysis),
            name);
    }
    analysis.dispersion = modes::dispersion(linear);
    if (request.no_modes) {
        analysis.modes.warnings = linear.warnings;
        return;
    }
    analysis.modes = modes::solve(linear, threads_of(request), request.stop);
    analysis.density = modes::density_of_states(analysis.modes.frequency);
}

void analyse(const jobs::PackingJob& job, const std::string& name, const ModesRequest& request,
             ModesResult& result) {
    modes::Analysis& analysis = result.analysis;
    analysis.system = "packing";
    analysis.dimension = static_cast<std::size_t>(job.system().dimension);
    analysis.scenario_text = job.scenario().text;
    const modes::WaveVectors waves{.corners = corners_of(request.path),
                                   .grid = grid_of(request.grid),
                                   .threads = threads_of(request)};
    const auto& linear =
        result.linear.emplace<linear::PackingOperator>(linear::linearise(job.system(), name));
    add_bodies(linear, analysis.body, analysis.position);
    analysis.dispersion = modes::dispersion(linear, waves, name, request.stop);
    if (analysis.dispersion && analysis.dispersion->fastest_growth > 0.0) {
        result.warnings.push_back(
            fmt::format("waves of the endless packing grow under the static load, the fastest at "
                        "{:.4g} 1/s: it buckles; these waves are listed as 0 Hz",
                        analysis.dispersion->fastest_growth));
    }
    refuse(!analysis.dispersion && waves.asked_for(), name,
           request.path.empty() ? "--grid" : "--path",
           "there are no bands; expected a periodic box with few particles in its smallest cell");
    refuse(request.no_modes && !request.transfer.empty(), name, "--no-modes",
           "the lowest modes show whether a packing buckles and has a response; expected "
           "--lowest 10, for example");
    refuse(request.no_modes && request.lowest > 0, name, "--no-modes",
           "expected either --no-modes or --lowest");
    if (request.no_modes) {
        analysis.modes.warnings = linear.warnings;
    } else if (request.lowest > 0) {
        analysis.modes =
            modes::solve_lowest(linear, request.lowest, threads_of(request), name, request.stop);
    } else {
        analysis.modes = modes::solve(linear, name);
        analysis.density = modes::density_of_states(analysis.modes.frequency);
    }
    if (!request.transfer.empty()) {
        analysis.transfer = modes::transfer(
            linear, analysis.modes,
            transfer_of(input_of(job.system(), request, name), job.scenario(), request, analysis),
            name);
    }
}

}  // namespace

LinearSystem linearise(const jobs::Job& job, const std::string& name) {
    LinearSystem result;
    if (const auto* chain = dynamic_cast<const jobs::ChainJob*>(&job)) {
        result.linear = linear::linearise(chain->system(), name);
    } else if (const auto* packing = dynamic_cast<const jobs::PackingJob*>(&job)) {
        result.linear = linear::linearise(packing->system(), name);
    } else {
        refuse_mechanism(name);
    }
    result.warnings = job.warnings();
    std::visit(
        [&](const auto& linear) {
            add_bodies(linear, result.body, result.position);
            result.warnings.insert(result.warnings.end(), linear.warnings.begin(),
                                   linear.warnings.end());
        },
        result.linear);
    return result;
}

ModesResult modes_of(const jobs::Job& job, const std::string& name, const ModesRequest& request) {
    refuse(!request.input.empty() && request.transfer.empty(), name, "--input",
           "drives a transfer function; expected --transfer LOW:HIGH:COUNT beside it");
    if (!request.output.empty()) modes::check({request.output, request.overwrite});
    ModesResult result;
    result.warnings = job.warnings();
    const modes::Analysis& analysis = result.analysis;
    if (const auto* chain = dynamic_cast<const jobs::ChainJob*>(&job)) {
        analyse(*chain, name, request, result);
    } else if (const auto* packing = dynamic_cast<const jobs::PackingJob*>(&job)) {
        analyse(*packing, name, request, result);
    } else {
        refuse_mechanism(name);
    }
    result.warnings.insert(result.warnings.end(), analysis.modes.warnings.begin(),
                           analysis.modes.warnings.end());
    result.analysis.modes.warnings = result.warnings;  // for the file: all, as the summary has them
    result.file = request.output;
    return result;
}

void write_modes(const ModesResult& result, const ModesRequest& request) {
    if (!request.output.empty()) modes::write({request.output, request.overwrite}, result.analysis);
}

ModesResult modes_of(const ModesRequest& request) {
    return modes_of(*jobs::read_job(request.scenario, request.overrides), request.scenario,
                    request);
}

}  // namespace beadwave::tasks
