// Warnings about a run that are known before it starts.

#include "running/diagnostics.hpp"

#include "beadwave/laws/collision.hpp"
#include "beadwave/running/step_trials.hpp"
#include "ranks/collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace beadwave::running {
namespace {

void warn_of_few_steps(std::vector<std::string>& warnings, const stepping::TimeStep& time_step) {
    const double steps = time_step.shortest_contact / time_step.step;
    if (!(time_step.shortest_contact > 0.0) || steps >= stepping::few_steps_per_contact) return;
    warnings.push_back(fmt::format(
        "only {:.0f} steps in the shortest contact ({:.3g} s); the results are inaccurate", steps,
        time_step.shortest_contact));
}

/// The jump of a law's force where the approach speed changes sign, divided by the force, at the
/// largest overlap of a collision. It is the change of the force with the change of speed in one
/// step, beyond that of a damping proportional to the speed.
double jump_at_turn(const laws::AnyLaw& law, double mass, const stepping::TimeStep& time_step) {
    const double speed = time_step.largest_speed;
    const double overlap = laws::stopping_overlap(
        [&](double at) { return laws::first_loading_force(law, at); }, 0.5 * mass * speed * speed);
    auto memory = law.respond(std::numeric_limits<double>::min(), speed, {}).memory;
    memory = law.respond(overlap, 0.0, memory).memory;
    const double force = std::abs(law.respond(overlap, 0.0, memory).force);
    // For closing only: on opening most laws cut off the force.
    const auto jump = [&](double by) {
        return 2.0 * (law.respond(overlap, by, memory).force - force);
    };
    const double change = std::min(force / mass * time_step.step, speed);
    return force > 0.0 ? (jump(change) - change / speed * jump(speed)) / force : 0.0;
}

/// Empty: no warning.
std::string steep_contact(const chain::Chain& chain, const stepping::TimeStep& time_step) {
    for (std::size_t kind = 0; kind < chain.contacts.kind_count(); ++kind) {
        const std::string warning =
            steep_damping(chain.contacts.law(kind), chain.contacts.kind_mass(kind), time_step);
        if (!warning.empty()) return warning;
    }
    return {};
}

/// `sign`: that of a velocity towards the chain. Empty: no warning.
std::string gentle_end(const chain::Chain& chain, const std::optional<stepping::Drive>& drive,
                       std::size_t contact, double sign, const stepping::TimeStep& time_step) {
    if (!drive || !(chain.gap[contact] >= 0.0) || chain.gap[contact] > 0.0) return {};
    return gentle_start("end", chain.contacts.at(contact), sign * drive->velocity(0.0),
                        sign * drive->velocity(time_step.step));
}

}  // namespace

std::string steep_damping(const laws::AnyLaw& law, double mass,
                          const stepping::TimeStep& time_step) {
    constexpr double large = 0.5;
    if (!(time_step.largest_speed > 0.0) || !(mass > 0.0)) return {};
    const double jump = jump_at_turn(law, mass, time_step);
    if (!(jump > large)) return {};
    return fmt::format(
        "the damping of the law is so steep at small speeds that the force of a contact jumps by "
        "{:.0f} % where the motion reverses; the forces there depend on the time step",
        100.0 * jump);
}

std::string gentle_start(std::string_view driven, const laws::AnyLaw& law, double at_once,
                         double after_a_step) {
    const double floor = law.min_impact_speed();
    const double closing = std::max(after_a_step, floor), meant = std::max(at_once, floor);
    if (!(std::abs(closing - meant) > 0.01 * meant)) return {};
    return fmt::format(
        "the driven {} starts gently: the impact speed of its contact is {:.2g} m/s, the speed "
        "after "
        "the first time steps, which has no physical meaning; expected a law.min_impact_speed "
        "above "
        "the speeds at the start, or a number for law.impact_speed",
        driven, after_a_step);
}

void warn_of_intervals(std::vector<std::string>& warnings, const Settings& settings,
                       const stepping::TimeStep& time_step) {
    const auto check = [&](const char* key, const std::optional<double>& interval) {
        constexpr double rounding = 1e-9;
        if (!interval || !(*interval < (1.0 - rounding) * time_step.step)) return;
        warnings.push_back(
            fmt::format("{} is {:.3g} s, shorter than the time step of {:.3g} s: every step is "
                        "sampled and nothing between; expected an interval of at least the time "
                        "step, or a time.step of at most the interval",
                        key, *interval, time_step.step));
    };
    if (!settings.sensors.empty()) check("sensors.interval", settings.sensor_interval);
    check("snapshots.interval", settings.snapshot_interval);
    check("energy.interval", settings.energy_interval);
    check("measure.interval", settings.measure_interval);
}

void warn_of_missed_peaks(std::vector<std::string>& warnings,
                          std::span<const observers::SensorResult> sensors,
                          const stepping::TimeStep& time_step) {
    constexpr double known = 0.01;
    double largest = 0.0, worst = known;
    for (const observers::SensorResult& sensor : sensors)
        largest = std::max(largest, sensor.peak_force);
    const observers::SensorResult* at = nullptr;
    for (const observers::SensorResult& sensor : sensors) {
        if (!(sensor.peak_force > 1e-3 * largest)) continue;
        const double share = sensor.peak_force_missed / sensor.peak_force;
        if (share > worst) {
            worst = share;
            at = &sensor;
        }
    }
    if (at == nullptr) return;
    warnings.push_back(
        fmt::format("sensor {}: the force jumps at its peak of {:.3g} N, and steps know it to no "
                    "better than {:.2g} %; expected a time.step of about {:.1g} s",
                    at->body, at->peak_force, 100.0 * worst, time_step.step * 0.5 * known / worst));
}

void warn_of_jumps(std::vector<std::string>& warnings,
                   std::span<const observers::SensorResult> sensors, std::span<const double> mass,
                   const stepping::TimeStep& time_step) {
    if (!std::isfinite(time_step.jumping)) return;
    constexpr double known = 0.005, negligible = 1e-3;
    double force = 0.0, speed = 0.0;
    for (const observers::SensorResult& sensor : sensors) {
        force = std::max(force, sensor.peak_force);
        speed = std::max(speed, std::abs(sensor.peak_velocity));
    }
    double worst = known;
    std::string_view what;
    std::int64_t at = 0;
    const auto include = [&](const observers::SensorResult& sensor, std::string_view name,
                             double share) {
        if (share > worst) worst = share, what = name, at = sensor.body;
    };
    const double half = 0.5 * time_step.step;
    for (std::size_t s = 0; s < sensors.size(); ++s) {
        const observers::SensorResult& sensor = sensors[s];
        if (sensor.peak_force > negligible * force)
            include(sensor, "force", 0.5 * sensor.force_rise_at_end / sensor.peak_force);
        const double own = std::abs(sensor.peak_velocity);
        if (!(own > negligible * speed)) continue;
        include(sensor, "velocity", 0.5 * sensor.speed_rise_at_end / own);
        if (mass.empty()) continue;
        // The damping force that jumps is at most the peak force.
        const double jump =
            std::min(sensor.peak_force / mass[s], time_step.largest_speed / time_step.jumping);
        include(sensor, "velocity", half * jump / own);
    }
    if (what.empty()) return;
    warnings.push_back(fmt::format(
        "sensor {}: its peak {} is known to no better than {:.2g} %, because the law's force jumps "
        "where contacts close and open, at instants known to half a step; expected a time.step of "
        "about {:.1g} s",
        at, what, 100.0 * worst, time_step.step * known / worst));
}

std::vector<std::string> diagnose(const chain::Chain& chain, const stepping::TimeStep& time_step) {
    std::vector<std::string> warnings;
    warn_of_few_steps(warnings, time_step);
    for (const std::string& own :
         {steep_contact(chain, time_step), gentle_end(chain, chain.left_drive, 0, 1.0, time_step),
          gentle_end(chain, chain.right_drive, chain.beads(), -1.0, time_step)}) {
        const std::string warning = ranks::first_text(chain.ranks(), own);
        if (!warning.empty()) warnings.push_back(warning);
    }
    return warnings;
}

}  // namespace beadwave::running
