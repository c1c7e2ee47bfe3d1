#include "packing_system/packing_simulation.hpp"

#include "device/device.hpp"
#include "packing/plain_engine_alone.hpp"
#include "packing/vector_length.hpp"
#include "packing_system/packing_depth.hpp"
#include "packing_system/packing_diagnostics.hpp"
#include "packing_system/rigid_warnings.hpp"
#include "packing_system/stepped_packing.hpp"
#include "ranks/communicator.hpp"
#include "running/device_lost.hpp"
#include "running/diagnostics.hpp"
#include "running/step_loop.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <numbers>

namespace beadwave::running {
namespace {

/// Below this energies of a packing at rest are rounding: of its weight times a radius [J].
double weight_rounding(const packing::Packing& p) {
    constexpr double rounding = 1e-6;
    double mass = 0.0;
    for (const double each : p.mass)
        mass += each;
    return rounding * mass * packing::length_of(p.gravity) * p.radius.largest();
}

/// Dense places vibrate faster than two bodies alone, from which the step was chosen.
void warn_of_resolution(std::vector<std::string>& warnings, const stepping::TimeStep& time_step,
                        double frequency) {
    const double angle = frequency * time_step.step;
    const double error = angle * angle / 24.0;  // of the period, by velocity Verlet
    if (!(time_step.resolution > 0.0) || !(error > 4.0 * time_step.resolution)) return;
    warnings.push_back(fmt::format(
        "a particle vibrated with a period of only {:.0f} steps, whose error is {:.1g}; expected a "
        "time.resolution below {:.1g}, or a result that does not depend on single vibrations",
        2.0 * std::numbers::pi / angle, error, time_step.resolution));
}

void add_step_warnings(std::vector<std::string>& warnings, const stepping::TimeStep& time_step,
                       const packing::StabilityLimits& stability_limits) {
    warn_of_resolution(warnings, time_step, stability_limits.frequency);
    if (!time_step.given) return;
    const double step = time_step.step;
    if (stability_limits.frequency * step > stepping::coarse_frequency) {
        warnings.push_back(
            fmt::format("coarse time step: a particle vibrated with a period of only {:.0f} steps; "
                        "a time.step of {:.1g} "
                        "s resolves it",
                        2.0 * std::numbers::pi / (stability_limits.frequency * step),
                        0.5 * stepping::coarse_frequency / stability_limits.frequency));
    }
    if (stability_limits.damping * step > stepping::coarse_damping) {
        warnings.push_back(
            fmt::format("coarse time step: damping stopped a particle within {:.1f} steps; a "
                        "time.step of {:.1g} s "
                        "resolves it",
                        1.0 / (stability_limits.damping * step),
                        0.5 * stepping::coarse_damping / stability_limits.damping));
    }
}

void add_diagnostics(const packing::Packing& packing, PackingFinished& finished) {
    const stepping::TimeStep& step = finished.trial.time_step;
    const recording::Ledger& ledger = finished.result.ledger;
    add_step_warnings(finished.diagnostics, step, finished.result.stability_limits);
    if (const auto& heat = finished.result.heat;
        heat && step.given && heat->fastest * step.step > coarse_conduction) {
        finished.diagnostics.push_back(fmt::format(
            "coarse time step: a particle took the temperature of its neighbours within {:.1f} "
            "steps; a time.step of {:.1g} s resolves it",
            1.0 / (heat->fastest * step.step), 0.5 * coarse_conduction / heat->fastest));
    }
    warn_of_missed_peaks(finished.diagnostics, finished.result.sensors, step);
    std::vector<double> mass;
    for (const observers::SensorResult& sensor : finished.result.sensors)
        mass.push_back(packing.mass[static_cast<std::size_t>(sensor.body)]);
    warn_of_jumps(finished.diagnostics, finished.result.sensors, mass, step);
    if (!packing.is_rigid() && finished.result.deepest.depth > packing::large_depth)
        finished.diagnostics.push_back(deep_contact(packing, finished.result.deepest, step.step));
    if (auto wrong = wrong_stress(packing, finished.result.pistons))
        finished.diagnostics.push_back(std::move(*wrong));
    if (finished.result.uncertain_normals > 0)
        finished.diagnostics.push_back(uncertain_normals(finished.result.uncertain_normals));
    if (finished.result.flat_contacts > 0)
        finished.diagnostics.push_back(flat_contacts(finished.result.flat_contacts));
    if (finished.result.rigid) {
        for (std::string& warning : rigid_warnings(packing, *finished.result.rigid, step.step))
            finished.diagnostics.push_back(std::move(warning));
    }
    constexpr double large_rounding = 1e-3;
    if (finished.result.overlap_rounding > large_rounding) {
        finished.diagnostics.push_back(fmt::format(
            "rounding is about {:.1g} of the overlaps: they are too small for single precision "
            "where bodies have slid past each other; expected precision = \"double\"",
            finished.result.overlap_rounding));
    }
    constexpr double small = 1e-3, large_error = 1e-2;
    // What rests on rigid contacts has a ledger of rounding.
    const double scale =
        std::max(ledger.scale, packing.is_rigid() ? weight_rounding(packing) : 0.0);
    if (ledger.normal_dissipation < -small * scale) {
        finished.diagnostics.push_back(fmt::format(
            "the normal forces gave {:.3g} J more than they took: the law is not valid here",
            -ledger.normal_dissipation));
    }
    const double tangential = ledger.friction_dissipation + ledger.rolling_dissipation;
    if (tangential < -small * scale) {
        finished.diagnostics.push_back(fmt::format(
            "friction gave {:.3g} J more than it took: its law creates energy here", -tangential));
    }
    const auto& flow = finished.result.flow_warnings;
    finished.diagnostics.insert(finished.diagnostics.end(), flow.begin(), flow.end());
    if (const double error = finished.result.largest_relative_energy_error; error > large_error) {
        finished.diagnostics.push_back(
            fmt::format("the energy error reaches {:.2g} % of the largest entry of the ledger; a "
                        "smaller time.step than {:.3g} s is needed",
                        100.0 * error, step.step));
    }
}

/// Returns the result of `run`. The errors of a device name it, as scenarios do.
template <class Run>
PackingFinished naming_device(const packing::Packing& packing, const Run& run) {
    try {
        return run();
    } catch (const device::DeviceError& error) {
        throw DeviceLost(fmt::format("device \"{}\": {}",
                                     packing.place == packing::Place::gpu ? "gpu" : "twin",
                                     error.what()));
    }
}

}  // namespace

void check_shared(const packing::Scenario& scenario, const packing::Packing& packing,
                  const ranks::Communicator& ranks) {
    if (const auto alone = packing::plain_engine_alone(scenario)) {
        scenario.origin.fail(alone->key,
                             fmt::format("is known to the plain engine alone, which runs in one "
                                         "process; {} share this packing",
                                         ranks.count()));
    }
    if (packing.has_shapes()) return;  // each of them has all
    if (packing.is_rigid()) {
        scenario.origin.fail(
            "law.name",
            fmt::format("rigid contacts cannot be shared by {} processes yet; expected one process",
                        ranks.count()));
    }
    if (packing.place != packing::Place::host) {
        scenario.origin.fail("device", fmt::format("{} processes cannot share a device; expected "
                                                   "one process, or device = \"cpu\"",
                                                   ranks.count()));
    }
    const std::size_t most = packing::most_ranks(packing.particles());
    if (static_cast<std::size_t>(ranks.count()) <= most) return;
    scenario.origin.fail(
        "particles",
        fmt::format("{} particles are too few for {} processes; expected at most {} of them, one "
                    "per block of 1024",
                    packing.particles(), ranks.count(), most));
}

std::unique_ptr<packing::PackingEngine> make_engine(const packing::Packing& packing,
                                                    const PackingSettings& settings,
                                                    double time_step, int threads,
                                                    ranks::Communicator* ranks) {
    using packing::ContactRecords;
    const bool follows = settings.heat || settings.dissipation.triangles;
    if (packing.has_shapes()) {
        const ContactRecords records = settings.watches_impacts() ? ContactRecords::impacts
                                       : follows || settings.dissipation.any() || settings.wear
                                           ? ContactRecords::dissipation
                                           : ContactRecords::none;
        auto engine = packing::make_packing_engine(packing, time_step, threads, ranks, records);
        if (follows) engine->follow_dissipation(packing, settings.dissipation.triangles);
        return engine;
    }
    if (settings.needs_plain_engine()) {
        auto engine = make_plain_packing_engine(
            packing, time_step,
            settings.watches_impacts() ? ContactRecords::impacts : ContactRecords::dissipation);
        if (follows) engine->follow_dissipation(packing, settings.dissipation.triangles);
        return engine;
    }
    const ContactRecords records = settings.dissipation.any() ? ContactRecords::dissipation
                                   : settings.wear            ? ContactRecords::rubbing
                                                              : ContactRecords::none;
    return packing::make_packing_engine(packing, time_step, threads, ranks, records);
}

int worthwhile_threads(std::size_t particles) {
    constexpr std::size_t particles_per_thread = 1000;
    const std::size_t largest = std::max<std::size_t>(1, particles / particles_per_thread);
    return static_cast<int>(
        std::min<std::size_t>(largest, static_cast<std::size_t>(omp_get_max_threads())));
}

PackingFinished run_packing(const packing::Packing& packing, const PackingSettings& settings,
                            const StepTrial& first, int threads, const StartTrial& start,
                            const SavedState* from, const MakePackingEngine& make,
                            ranks::Communicator* ranks) {
    if (threads == 0) threads = worthwhile_threads(packing.particles());
    PackingFinished finished = naming_device(packing, [&] {
        return run_in_trials<PackingResult>(
            first, settings, start, from, [&](const stepping::TimeStep& step) {
                auto engine = make ? make(packing, step.step, threads)
                                   : make_engine(packing, settings, step.step, threads, ranks);
                return SteppedPacking(packing, settings, step, std::move(engine), ranks);
            });
    });
    finished.diagnostics = diagnose(packing, finished.trial.time_step);
    warn_of_intervals(finished.diagnostics, settings, finished.trial.time_step);
    add_diagnostics(packing, finished);
    return finished;
}

}  // namespace beadwave::running
