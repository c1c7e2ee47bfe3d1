#include "packing_system/stepped_packing.hpp"

#include "packing/state/fingerprint.hpp"
#include "packing_system/carried_streams.hpp"
#include "packing_system/numbers_of.hpp"
#include "packing_system/packing_balance.hpp"
#include "packing_system/packing_depth.hpp"
#include "ranks/communicator.hpp"
#include "running/sample_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <stdexcept>

namespace beadwave::running {
namespace {

/// A check of the stability limits costs about as much as ten steps.
constexpr double steps_between_limit_checks = 100.0;

}  // namespace

SteppedPacking::SteppedPacking(const packing::Packing& packing, const PackingSettings& settings,
                               const stepping::TimeStep& time_step,
                               std::unique_ptr<packing::PackingEngine> engine,
                               ranks::Communicator* ranks)
    : System(settings, time_step),
      packing_(packing),
      engine_(std::move(engine)),
      ranks_(ranks),
      sensors_(settings.sensors, sensor_interval(settings), time_step.step, 3,
               settings.arrival_threshold),
      limit_checks_(steps_between_limit_checks * time_step.step, time_step.step),
      start_(engine_->totals()),
      smallest_radius_(packing.radius.smallest()),
      records_impacts_(settings.impacts),
      watches_impacts_(settings.watches_impacts()),
      wear_(settings.wear),
      triangles_(packing),
      pistons_(packing, settings.end) {
    trace_.particles.assign(settings.sensors.begin(), settings.sensors.end());
    if (settings.field_grid)
        fields_ = std::make_unique<observers::Fields>(*settings.field_grid, packing,
                                                      settings.dissipation.any());
}

OwnPart SteppedPacking::own_part() const {
    OwnPart part{.step = step(), .time = time(), .components = 3};
    const auto put = [](std::vector<double>& to, const packing::Vec3& v) {
        to.insert(to.end(), {v.x, v.y, v.z});
    };
    for (const packing::OwnParticle& one : engine_->own()) {
        part.numbers.push_back(one.number);
        put(part.position, one.position);
        put(part.velocity, one.motion.velocity);
        put(part.angular_velocity, one.motion.angular_velocity);
    }
    return part;
}

double SteppedPacking::standard_energy_interval() const {
    // A sample takes as long as two and a half steps at most.
    constexpr double fewest_steps_between = 150.0;
    return std::max(settings_.end / standard_energy_samples,
                    fewest_steps_between * time_step_.step);
}

std::span<const double> SteppedPacking::sensor_force() const {
    return numbers_of(trace_.force);
}

std::span<const double> SteppedPacking::sensor_velocity() const {
    return numbers_of(trace_.velocity);
}

std::int64_t SteppedPacking::last_of_block(std::int64_t first) const {
    // Few enough steps to react to the user. The stability limits are checked at the same steps,
    // however the run is interrupted.
    const double by_particles = 4e6 / static_cast<double>(packing_.particles());
    const double by_trace =
        3e5 / static_cast<double>(std::max<std::size_t>(trace_.particles.size(), 1));
    const double steps = std::clamp(std::min(by_particles, by_trace), 16.0, 1024.0);
    // The system may begin at a later step than 0: then the limits are checked at once.
    return std::min(first + static_cast<std::int64_t>(steps),
                    std::max(first, limit_checks_.next()));
}

void SteppedPacking::check_state() {
    check_box();
    check_depth();
    if (const auto particle = engine_->first_non_finite())
        refuse_non_finite(fmt::format("particle {}", *particle));
    if (!limit_checks_.due(engine_->step())) return;
    limit_checks_.done(engine_->step());
    watch_limits();
    check_limits();
    check_heat();
}

void SteppedPacking::check_depth() {
    if (const double leap = engine_->largest_leap(); leap > smallest_radius_) {
        refuse_unresolved(
            fmt::format("two bodies moved past each other by {:.3g} m in one step, more than the "
                        "smallest radius, {:.3g} m",
                        leap, smallest_radius_),
            0.1 * time_step_.step * smallest_radius_ / leap);
    }
    const packing::DeepContact now = engine_->deepest();
    if (now.depth > deepest_.depth) deepest_ = now;
    if (!(deepest_.depth >= packing::lost_depth)) return;
    const std::string what = too_deep(packing_, deepest_, time_step_.step);
    // A step that is too long throws particles into each other.
    if (!time_step_.given) {
        watch_limits();
        check_limits();
        if (loses_energy()) throw StepRejected(what, time_step_.step / 8.0, true);
    }
    throw RunError(what);
}

bool SteppedPacking::loses_energy() const {
    constexpr double large = 1e-2;
    const recording::Ledger now = observers::balance(start_, engine_->totals(), ledger_.scale);
    return std::abs(now.relative_energy_error) > large;
}

void SteppedPacking::watch_limits() {
    // A twentieth of the largest speed: damping that is steep only at far smaller speeds does no
    // harm.
    const packing::StabilityLimits now =
        engine_->stability_limits(std::max(time_step_.largest_speed / 20.0, 1e-9));
    limits_.frequency = std::max(limits_.frequency, now.frequency);
    limits_.damping = std::max(limits_.damping, now.damping);
}

void SteppedPacking::check_limits() const {
    const double step = time_step_.step;
    const bool given = time_step_.given;
    using namespace stepping;
    const double frequency = time_step_.too_coarse_frequency,
                 damping = time_step_.too_coarse_damping;
    if (limits_.frequency * step > (given ? unstable_frequency : frequency)) {
        refuse_unresolved(fmt::format("a particle vibrates with a period of {:.3g} s",
                                      2.0 * std::numbers::pi / limits_.frequency),
                          0.5 * frequency / limits_.frequency);
    }
    if (limits_.damping * step > (given ? unstable_damping : damping)) {
        refuse_unresolved(
            fmt::format("damping stops a particle in {:.3g} s", 1.0 / limits_.damping),
            0.5 * damping / limits_.damping);
    }
}

void SteppedPacking::check_heat() const {
    const packing::Heat* const heat = engine_->heat();
    if (heat == nullptr) return;
    const double most = time_step_.given ? unstable_conduction : coarse_conduction;
    if (const std::string fast = too_fast_conduction(*heat, most, time_step_.step); !fast.empty())
        refuse_unresolved(fast, 0.5 * coarse_conduction / heat->fastest());
}

void SteppedPacking::take_snapshot(double /*time*/) {
    snapshot_ = {engine_->own_displacements(),
                 engine_->own_velocities(),
                 engine_->own_angular_velocities(),
                 engine_->orientation(),
                 engine_->own_contacts(),
                 engine_->walls(),
                 engine_->box(),
                 std::move(snapshot_.dissipation),
                 {},
                 {},
                 {}};
    if (settings_.dissipation.any()) snapshot_.dissipation.take(*engine_, packing_.walls.size());
    if (const packing::Heat* const heat = engine_->heat())
        snapshot_.temperature = heat->temperatures();
    const std::span<const double> shared = engine_->triangle_dissipation();
    snapshot_.triangle_dissipation.assign(shared.begin(), shared.end());
    if (wear_ && wear_->per == laws::WearOf::triangle)
        snapshot_.worn_depth = worn_depths(*wear_, *engine_, triangles_);
    if (!packing_.elements.empty()) engine_->elements();  // of all ranks
}

void SteppedPacking::take_measures() {
    const observers::MeasuredState now(packing_, *engine_, ranks_);
    if (fields_) fields_->take(now, *engine_, ranks_);
    if (ranks_ != nullptr && !ranks_->first()) return;
    measured_.take(now);
    wall_measures_ = observers::wall_measures(now);
}

const recording::Ledger& SteppedPacking::take_energy(double scale) {
    const packing::PackingTotals now = engine_->totals();
    if (meetings_.have_limits()) fastest_.keep_larger(meetings_.of(*engine_, ranks_));
    observed_.take({*engine_, now});
    if (!packing_.elements.bonds.empty())
        broken_bonds_.update(broken_rows(packing_, *engine_, broken_bonds_.seen()),
                             static_cast<double>(step()));
    if (!packing_.elements.driven.empty()) drive_forces_ = engine_->drive_forces();
    if (packing_.elements.turns_particles()) drive_torques_ = engine_->drive_torques();
    if (flows()) passages_.update(packing_, *engine_);
    if (records_impacts_)
        impacts_.update(*engine_);
    else if (watches_impacts_)
        engine_->take_impacts();  // nobody wants them
    if (engine_->heat() != nullptr) heat_.take(*engine_);
    if (wear_) worn_ = worn_volumes(*wear_, *engine_);
    if (packing_.box.strain) {
        box_ = engine_->box();
        pistons_.take(static_cast<double>(step()) * time_step_.step, box_);
    }
    return ledger_ = observers::balance(start_, now, scale);
}

void SteppedPacking::serialize(Archive& archive) {
    limit_checks_.serialize(archive);
    archive(limits_.frequency), archive(limits_.damping);
    archive(deepest_.depth), archive(deepest_.overlap), archive(deepest_.first);
    archive(deepest_.second), archive(deepest_.step);
    archive(fastest_.speed), archive(fastest_.limit);
    if (deepest_.first >= packing_.particles() ||
        deepest_.second >= packing_.particles() + packing_.walls.size())
        throw std::length_error("the saved state is damaged");
    if (!packing_.elements.bonds.empty()) broken_bonds_.serialize(archive);
    if (flows()) passages_.serialize(archive);
    if (records_impacts_) impacts_.serialize(archive);
    if (packing_.box.strain && packing_.box.strain->has_pistons()) pistons_.serialize(archive);
}

PackingResult SteppedPacking::result(RunEnd end) const {
    const packing::PackingTotals now = engine_->totals();
    PackingResult result;
    static_cast<RunEnd&>(result) = std::move(end);
    result.sensors = sensors_.results();
    result.initial_momentum = start_.momentum;
    result.momentum = now.momentum;
    result.initial_angular_momentum = start_.angular_momentum;
    result.angular_momentum = now.angular_momentum;
    result.stability_limits = limits_;
    result.device = engine_->device();
    result.listed_pairs = engine_->listed_pairs();
    result.closed_contacts = engine_->closed_contacts();
    result.neighbour_list_builds = engine_->neighbour_list_builds();
    result.fastest = fastest_;
    result.deepest = deepest_;
    result.measures = observers::end_measures(packing_, *engine_, ranks_);
    result.overlap_rounding = engine_->overlap_rounding();
    result.uncertain_normals = engine_->uncertain_normals();
    result.flat_contacts = engine_->flat_contacts();
    result.rigid = engine_->rigid();
    if (settings_.dissipation.any()) result.dissipation = total_of(engine_->dissipation());
    if (records_impacts_) result.impacts = ImpactResults{impacts_.sums(), engine_->open_impacts()};
    if (wear_) result.worn = worn_volumes(*wear_, *engine_);
    result.pistons = pistons_.result();
    if (engine_->heat() != nullptr) result.heat = heat_result(packing_, *engine_);
    if (flows()) {
        result.flow = flow_counts(*engine_);
        result.flow_warnings = flow_warnings(packing_, *engine_);
    }
    return result;
}

std::uint64_t SteppedPacking::fingerprint() const {
    return packing::fingerprint(packing_);
}

std::vector<SavedColumn> SteppedPacking::state() {
    std::vector<SavedColumn> columns;
    for (const packing::PackingColumn& column : engine_->state())
        columns.push_back({column.name, column.values, column.first, column.total});
    return columns;
}

void SteppedPacking::restore(std::int64_t step, const ReadColumn& read) {
    std::map<std::string, std::vector<double>> columns;  // the engine gets spans of them
    const auto whole = [&](const std::string& name) -> std::span<const double> {
        return columns[name] = read(name, 0, 0, 0);
    };
    engine_->restore(step, {whole, read});
}

}  // namespace beadwave::running
