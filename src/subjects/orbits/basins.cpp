#include "subjects/orbits/basins.hpp"

#include "beadwave/input_error.hpp"
#include "jobs/threads.hpp"
#include "orbits/first_shape.hpp"
#include "ranks/on_threads.hpp"
#include "subjects/orbits/basins_file.hpp"
#include "subjects/orbits/key_range.hpp"
#include "subjects/orbits/motion_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <exception>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace beadwave::tasks {
namespace {

struct Name {
    const char* name;
    const char* unit;
};
constexpr std::array names{Name{"displacement", "m"}, Name{"velocity", "m s-1"},
                           Name{"frequency", "Hz"}, Name{"drive", "1"}};

BasinAxis axis_of(const std::string& text) {
    const auto range = key_range_in(text);
    const bool known = range && std::ranges::any_of(names, [&](const Name& each) {
                           return range->key == each.name;
                       });
    if (!known) {
        throw InputError(fmt::format(
            "--basins {}: expected AXIS=FROM:TO, AXIS one of displacement (m), velocity (m/s), "
            "frequency (Hz) and drive (times its amplitudes), such as displacement=-2e-6:2e-6",
            shortened(text)));
    }
    BasinAxis axis{.name = range->key, .from = range->from, .to = range->to};
    if (axis.name == "frequency" && std::min(axis.from, axis.to) <= 0.0) {
        throw InputError(
            fmt::format("--basins {}: expected frequencies above 0, in Hz", shortened(text)));
    }
    return axis;
}

std::vector<BasinAxis> axes_of(const BasinOptions& options) {
    if (options.axes.size() > 2) {
        throw InputError(
            fmt::format("--basins: has {} axes; expected one or two", options.axes.size()));
    }
    std::vector<BasinAxis> axes;
    for (const std::string& each : options.axes)
        axes.push_back(axis_of(each));
    if (axes.size() == 2 && axes[0].name == axes[1].name)
        throw InputError(fmt::format("--basins: has the axis {} twice", axes[0].name));
    if (options.grid.empty()) return axes;
    constexpr unsigned most = 4096;
    const std::size_t comma = options.grid.find(',');
    const auto first = count_in(std::string_view(options.grid).substr(0, comma), most);
    const auto second = comma == std::string::npos
                            ? first
                            : count_in(std::string_view(options.grid).substr(comma + 1), most);
    if (!first || !second || (comma != std::string::npos && axes.size() != 2)) {
        throw InputError(fmt::format(
            "--grid {}: expected the number of starts along the axes, from 1 to {}, such as 40{}",
            shortened(options.grid), most, axes.size() == 2 ? " or 40,30" : ""));
    }
    axes.front().count = *first;
    axes.back().count = axes.size() == 2 ? *second : *first;
    return axes;
}

/// What starts displaced, with the largest displacement of a bead 1.
std::vector<double> shape_of(const Prepared& prepared, const OrbitRequest& request,
                             double frequency, std::string& along) {
    const BasinOptions& options = request.basins;
    if (options.bead && options.mode)
        throw InputError("--bead and --mode are both given; expected one of the two");
    std::vector<double> shape(prepared.map->freedoms());
    if (!options.mode) {
        const std::uint64_t bead = options.bead.value_or(middle_bead(prepared));
        shape[freedom_of(prepared, request.scenario, "--bead", bead)] = 1.0;
        along = fmt::format("bead {}", bead);
        return shape;
    }
    const orbits::FirstShape mode = orbits::first_shape({.map = prepared.map,
                                                         .chain = prepared.chain,
                                                         .name = request.scenario,
                                                         .frequency = frequency,
                                                         .mode = *options.mode});
    const double most = orbits::largest(mode.displacement);
    for (std::size_t i = 0; i < shape.size(); ++i)
        shape[i] = mode.displacement[i] / most;
    along = mode.what;
    return shape;
}

/// One start of the grid.
struct Start {
    orbits::State state;
    orbits::SettleRequest request;
};

class Grid {
  public:
    Grid(const Prepared& prepared, const OrbitRequest& request, const BasinsResult& result,
         const std::vector<double>& shape)
        : result_(result),
          shape_(shape),
          start_(motion_start(request, prepared, result.steps)),
          common_{.frequency = result.frequency,
                  .steps = result.steps,
                  .transient = result.transient,
                  .most_periods = result.most_periods,
                  .least = prepared.least()} {}

    std::size_t size() const { return result_.columns() * result_.rows(); }

    Start at(std::size_t index) const {
        Start start{start_, common_};
        const std::array place{index % result_.columns(), index / result_.columns()};
        for (std::size_t k = 0; k < result_.axes.size(); ++k) {
            const BasinAxis& axis = result_.axes[k];
            const double value = axis.at(place[k]);
            if (axis.name == "frequency") start.request.frequency = value;
            if (axis.name == "drive") start.request.scale = value;
            for (std::size_t i = 0; i < shape_.size() && !axis.of_drive(); ++i) {
                const bool moves = axis.name == "velocity";
                (moves ? start.state.velocity : start.state.displacement)[i] += value * shape_[i];
            }
        }
        return start;
    }

  private:
    const BasinsResult& result_;
    const std::vector<double>& shape_;
    orbits::State start_;
    orbits::SettleRequest common_;
};

/// All motions, on threads.
std::vector<orbits::Settled> settle_all(const Prepared& prepared, const Grid& grid,
                                        const OrbitRequest& request) {
    std::vector<orbits::Settled> settled(grid.size());
    std::exception_ptr first_error;
    std::atomic<bool> ended = false;
    const auto work = [&](std::size_t index) {
        if (ended) return;
        try {
            Start start = grid.at(index);
            start.request.stop = [&ended] { return ended.load(); };
            orbits::PeriodMap map(prepared.chain, request.scenario);
            settled[index] = orbits::settle(map, std::move(start.state), start.request);
        } catch (...) {
            // The others are interrupted by it.
            if (!ended.exchange(true)) first_error = std::current_exception();
        }
    };
    bool stopped = false;
    const int threads = jobs::startable_threads(
        jobs::wanted_threads(request.basins.threads, *ranks::serial_communicator()));
    ranks::for_each_on_threads(grid.size(), threads, work, [&](std::size_t done) {
        if (request.running) request.running(done);
        if (request.stop && request.stop()) ended = stopped = true;
    });
    if (stopped) throw std::runtime_error("interrupted");
    if (first_error) std::rethrow_exception(first_error);
    return settled;
}

void warn(BasinsResult& result) {
    for (std::size_t k = 0; k < result.attractors.size(); ++k) {
        const orbits::Attractor& each = result.attractors[k];
        if (each.stability && !each.stability->stable()) {
            result.warnings.push_back(fmt::format(
                "attractor {} is unstable: the {} starts that come to it lie on the border of "
                "basins, as those of a chain that moves symmetrically do, or leave it too slowly",
                k, each.count));
        }
        if (each.kind == "not settled" && each.crossed_jump) {
            result.warnings.push_back(fmt::format(
                "{} starts have not settled in {} periods, and cross the jump of the law's force "
                "where contacts open and close: no derivative tells whether they are chaotic",
                each.count, result.most_periods));
        } else if (each.kind == "not settled") {
            result.warnings.push_back(fmt::format(
                "{} starts have not settled in {} periods, and are not chaotic: they come to a "
                "state with a second frequency, or need more --periods",
                each.count, result.most_periods));
        }
    }
}

void check(const OrbitRequest& request, const Prepared& prepared) {
    const LyapunovOptions& counts = request.lyapunov;
    refuse_orbit_options(request, "--basins");
    if (counts.wanted || request.section.wanted) {
        throw InputError(fmt::format("--basins and {} are both given; expected one of the two",
                                     counts.wanted ? "--lyapunov" : "--poincare"));
    }
    if (const char* const option = counts.exponents > 0 ? "--exponents"
                                   : counts.starts > 0  ? "--starts"
                                   : counts.seed > 0    ? "--seed"
                                                        : nullptr) {
        throw InputError(
            fmt::format("{} is not for --basins, whose starts are a grid; expected "
                        "--grid",
                        option));
    }
    if (!prepared.map->driven()) {
        throw InputError(fmt::format(
            "{}: --basins: nothing drives the chain, so that motions come to rest or never settle; "
            "expected a driven end, drive or load",
            request.scenario));
    }
    if (!prepared.map->damped()) {
        throw InputError(fmt::format(
            "{}: --basins: nothing is damped, so that no state attracts others; expected damping",
            request.scenario));
    }
}

}  // namespace

const char* BasinAxis::unit() const {
    return std::ranges::find_if(names, [&](const Name& each) { return name == each.name; })->unit;
}

double BasinAxis::at(std::size_t k) const {
    if (count == 1) return from;
    return std::lerp(from, to, static_cast<double>(k) / static_cast<double>(count - 1));
}

BasinsResult basins_of(const OrbitRequest& request) {
    const jobs::JobFile file(request.scenario, request.overrides);
    const auto job = file.variant({});
    return basins_of(*job, request, file.text());
}

BasinsResult basins_of(const jobs::Job& job, const OrbitRequest& request, const std::string& text) {
    const Prepared prepared(job, request);
    check(request, prepared);
    BasinsResult result{.axes = axes_of(request.basins), .warnings = job.warnings()};
    const bool sweeps = std::ranges::any_of(
        result.axes, [](const BasinAxis& axis) { return axis.name == "frequency"; });
    if (sweeps && request.frequency) {
        throw InputError(
            "--frequency is not for --basins frequency=FROM:TO, which gives it; expected one of "
            "the two");
    }
    if (!request.output.empty()) check_basins_file({request.output, request.overwrite});
    result.frequency = frequency_of(request, *prepared.map);
    double lowest = result.frequency;
    bool drives_differ = false, starts_differ = false;
    for (const BasinAxis& axis : result.axes) {
        if (axis.name == "frequency") lowest = std::min(axis.from, axis.to);
        (axis.of_drive() ? drives_differ : starts_differ) = true;
    }
    if (!starts_differ && (request.basins.bead || request.basins.mode)) {
        throw InputError(
            "--bead and --mode are for starts; expected --basins displacement=FROM:TO or "
            "velocity=FROM:TO with them");
    }
    result.steps = request.steps > 0 ? request.steps : motion_steps(prepared.job, 1.0 / lowest);
    result.steps += result.steps % 2;
    const LyapunovOptions& counts = request.lyapunov;
    constexpr std::int64_t usual_transient = 20, usual_periods = 1000;
    result.transient = counts.transient.value_or(usual_transient);
    result.most_periods =
        request.periods > 0 ? static_cast<std::int64_t>(request.periods) : usual_periods;
    if (result.transient < 0)
        throw InputError(
            fmt::format("--transient {}: expected 0 or more periods", result.transient));
    const std::vector<double> shape = starts_differ
                                          ? shape_of(prepared, request, lowest, result.along)
                                          : std::vector<double>(prepared.map->freedoms());
    result.bead = prepared.beads();
    result.scenario_text = text.empty() ? prepared.job.scenario().text : text;
    const Grid grid(prepared, request, result, shape);
    const std::vector<orbits::Settled> settled = settle_all(prepared, grid, request);
    orbits::Attractors attractors(*prepared.map, drives_differ);
    for (std::size_t k = 0; k < settled.size(); ++k) {
        result.attractor.push_back(attractors.enter(settled[k], grid.at(k).request));
        result.amplitude.push_back(settled[k].amplitude);
        result.periods.push_back(settled[k].periods);
    }
    result.attractors = attractors.all();
    warn(result);
    result.file = request.output;
    if (!request.output.empty()) write_basins_file({request.output, request.overwrite}, result);
    return result;
}

}  // namespace beadwave::tasks
