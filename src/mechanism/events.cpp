#include "mechanism/events.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace beadwave::mechanism {
namespace {

using Phase = ContactState::Phase;

/// The overlap of a contact that has just closed, too small to matter [m].
constexpr double just_closed = std::numeric_limits<double>::min();

}  // namespace

Events::Events(Dynamics& dynamics, Stepper& stepper, bool ignore_releases)
    : dynamics_(dynamics), stepper_(stepper), ignore_releases_(ignore_releases) {
    for (const ContactState& state : dynamics.contact_states)
        contact_impacts_.push_back(
            {.contact = state.point.contact, .corner = state.point.corner, .impacts = {}});
}

void Events::begin(const std::vector<ContactKinematics>& kinematics, std::vector<double>& y) {
    for (std::size_t i = 0; i < kinematics.size(); ++i) {
        if (!(kinematics[i].overlap > 0.0) || follows_impulse_law(i)) continue;
        close(i, 0.0, kinematics[i], y);
        // Energy stored at the start counts as work that the contact took up before.
        dynamics_.normal_work(y, i) = dynamics_.contact_states[i].force->stored_energy(
            kinematics[i].overlap, kinematics[i].approach_speed);
    }
    dynamics_.start_joint_friction(0.0, y);
}

const ContactKinematics& Events::kinematics_at(std::size_t point, double step) {
    stepper_.step(step, scratch_);
    dynamics_.contact_kinematics(stepper_.time() + step, scratch_, kinematics_);
    return kinematics_[point];
}

bool Events::ended(const ContactState& state, const ContactKinematics& kinematics) const {
    return kinematics.overlap <= 0.0 ||
           (!state.force->ends_in_tension() && kinematics.approach_speed < 0.0 &&
            dynamics_.force(state, kinematics) <= 0.0);
}

/// Whether bodies that had released each other are pressed together again.
bool Events::resumes(const ContactState& state, const ContactKinematics& kinematics) const {
    return kinematics.overlap > 0.0 && kinematics.approach_speed > 0.0 &&
           dynamics_.force(state, kinematics) > 0.0;
}

std::optional<Events::Kind> Events::detect(std::size_t point, const ContactKinematics& before,
                                           const ContactKinematics& after) const {
    const ContactState& state = dynamics_.contact_states[point];
    switch (state.phase) {
        case Phase::open:
            // Bodies that part slowly may still overlap by rounding after the first step.
            if (after.overlap > rounding_overlap(point) &&
                (before.overlap < 0.0 || before.approach_speed > 0.0 ||
                 after.approach_speed > 0.0)) {
                return Kind::close;
            }
            break;
        case Phase::touching:
            if (state.loading && before.approach_speed > 0.0 && after.approach_speed <= 0.0)
                return Kind::turn;
            if (ended(state, after)) return Kind::end;
            break;
        case Phase::spent:
            if (resumes(state, after)) return Kind::resume;
            break;
        case Phase::resting:  // see shorten()
            break;
    }
    return std::nullopt;
}

std::optional<double> Events::extremum_between(std::size_t point, double step,
                                               const ContactKinematics& before,
                                               const ContactKinematics& after) {
    const ContactState& state = dynamics_.contact_states[point];
    const double sign = state.phase == Phase::open ? 1.0 : -1.0;
    if (state.phase == Phase::spent || state.phase == Phase::resting) return std::nullopt;
    if (!(sign * before.approach_speed > 0.0 && sign * after.approach_speed < 0.0))
        return std::nullopt;
    // The tangents of the overlap at both ends: it cannot pass zero unless both tangents do.
    if (sign * (before.overlap + before.approach_speed * step) <= 0.0 ||
        sign * (after.overlap - after.approach_speed * step) <= 0.0) {
        return std::nullopt;
    }
    const double nearest =
        find_root([&](double h) { return kinematics_at(point, h).approach_speed; }, 0.0, step);
    const double overlap = kinematics_at(point, nearest).overlap;
    const bool passes =
        state.phase == Phase::open ? overlap > rounding_overlap(point) : overlap < 0.0;
    return passes ? std::optional(nearest) : std::nullopt;
}

double Events::locate(const Event& event, double step, const ContactKinematics& before,
                      const ContactKinematics& after) {
    const auto overlap = [&](double h) { return kinematics_at(event.point, h).overlap; };
    const auto approach = [&](double h) { return kinematics_at(event.point, h).approach_speed; };
    const ContactState& state = dynamics_.contact_states[event.point];
    switch (event.kind) {
        case Kind::turn:
            return find_root(approach, 0.0, step);
        case Kind::resume:
            return find_first(
                [&](double h) { return resumes(state, kinematics_at(event.point, h)); }, 0.0, step);
        case Kind::close: {
            // Just after bodies part, the overlap is rounding: the search starts where they are
            // farthest apart.
            const bool parting = before.approach_speed < 0.0;
            if (!parting) return before.overlap < 0.0 ? find_root(overlap, 0.0, step) : 0.0;
            const double farthest =
                after.approach_speed > 0.0 ? find_root(approach, 0.0, step) : 0.0;
            return overlap(farthest) < 0.0 ? find_root(overlap, farthest, step) : farthest;
        }
        case Kind::stick:
            return find_root([&](double h) { return kinematics_at(event.point, h).slip_speed; },
                             0.0, step);
        case Kind::end:
        case Kind::slip:
        case Kind::stop:
        case Kind::joint_stop:
        case Kind::joint_slip:
            break;
    }
    double low = 0.0, high = step;
    if (before.overlap <= 0.0)
        low = find_root(approach, 0.0, step);  // closed at the start of the step
    if (after.overlap <= 0.0) high = find_root(overlap, low, step);
    // The force may end before the overlap does.
    const double earlier = low + (high - low) * (after.overlap <= 0.0 ? 1.0 - 1e-6 : 1.0);
    const auto over = [&](double h) { return ended(state, kinematics_at(event.point, h)); };
    return over(earlier) ? find_first(over, low, earlier) : high;
}

double Events::shorten(double step, const std::vector<ContactKinematics>& before,
                       std::vector<double>& y) {
    pending_.reset();
    const Span release = find_release(step, y);
    if (release.high < step) {
        step = release.high;
        stepper_.step(step, y);
    }
    dynamics_.contact_kinematics(stepper_.time() + step, y, kinematics_after_);
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (dynamics_.contact_states[i].phase == Phase::resting) {
            const auto force = [&](double h) { return normal_reaction(i, h); };
            if (ignore_releases_ || !pulls(i, step, y)) continue;
            pending_ = Event{.point = i, .kind = Kind::end};
            // Rounding may begin the pull at the start of the step, or of the span.
            const double low = std::min(release.low, step), from = force(low) > 0.0 ? low : 0.0;
            step = force(from) > 0.0 ? find_root(force, from, step) : 0.0;
            stepper_.step(step, y);
            dynamics_.contact_kinematics(stepper_.time() + step, y, kinematics_after_);
            continue;
        }
        ContactKinematics after = kinematics_after_[i];
        double bracket = step;
        auto kind = detect(i, before[i], after);
        if (!kind) {
            const auto nearest = extremum_between(i, step, before[i], after);
            if (!nearest) continue;
            bracket = *nearest;
            after = kinematics_at(i, bracket);
            kind = detect(i, before[i], after);
            if (!kind) continue;
        }
        pending_ = Event{.point = i, .kind = *kind};
        step = locate(*pending_, bracket, before[i], after);
        stepper_.step(step, y);
        dynamics_.contact_kinematics(stepper_.time() + step, y, kinematics_after_);
    }
    step = shorten_to_stick(step, before, y);
    step = shorten_to_friction(step, release.low, before, y);
    return shorten_to_joint_friction(step, release.low, y);
}

bool Events::commit_step(double time, const std::vector<ContactKinematics>& kinematics,
                         std::vector<double>& y) {
    for (std::size_t i = 0; i < kinematics.size(); ++i) {
        ContactState& state = dynamics_.contact_states[i];
        if (dynamics_.has_tangential_spring(i))
            dynamics_.commit_tangential_spring(i, kinematics[i], y);
        if (state.phase == Phase::open || state.phase == Phase::resting) continue;
        if (kinematics[i].overlap > 0.0)
            state.force->commit(kinematics[i].overlap, kinematics[i].approach_speed);
        if (state.loading) {
            state.compression_impulse += dynamics_.normal_impulse(y, i) - state.impulse_before;
            state.compression_work += dynamics_.normal_work(y, i) - state.work_before;
        }
        state.impulse_before = dynamics_.normal_impulse(y, i);
        state.work_before = dynamics_.normal_work(y, i);
        state.loading = kinematics[i].approach_speed > 0.0;
        state.largest_overlap = std::max(state.largest_overlap, kinematics[i].overlap);
        if (state.phase == Phase::touching) {
            Impact& impact = contact_impacts_[i].impacts.back();
            impact.largest_overlap = state.largest_overlap;
            impact.dissipated = dynamics_.normal_work(y, i) - state.work_at_start;
        } else if (kinematics[i].overlap <= 0.0) {
            open(i);
        }
    }
    if (!pending_) return false;
    const bool changed = carry_out(*pending_, time, kinematics, y);
    // Contacts of one body stop together, up to rounding.
    constexpr double rounding = 1e-9;
    const double stopped =
        pending_->kind == Kind::stop
            ? std::max(rounding * fastest_slip_, std::numeric_limits<double>::min())
            : 0.0;
    const bool breaks = pending_->kind == Kind::slip;
    if (!dynamics_.joint_frictions.empty()) {
        // Joints of one loop stop together, up to rounding.
        dynamics_.decide_joint_friction(
            time, y, pending_->kind == Kind::joint_stop ? rounding * fastest_joint_ : 0.0,
            pending_->kind == Kind::joint_slip);
        return true;
    }
    if (dynamics_.decide_friction(time, y, stopped, breaks)) return changed;
    stop_jam(time, y);
    return true;
}

bool Events::carry_out(const Event& event, double time,
                       const std::vector<ContactKinematics>& kinematics, std::vector<double>& y) {
    const auto [point, kind] = event;
    switch (kind) {
        case Kind::close:
            if (follows_impulse_law(point)) {
                apply_impulses(point, time, kinematics, y);
                return true;
            }
            close(point, time, kinematics[point], y);
            break;
        case Kind::turn:
            dynamics_.contact_states[point].loading = false;
            break;
        case Kind::stick:  // the tangential spring is committed
        case Kind::slip:
        case Kind::stop:
        case Kind::joint_stop:
        case Kind::joint_slip:
            break;
        case Kind::end:
            end(point, time, kinematics[point], y);
            break;
        case Kind::resume:
            start_impact(point, time, kinematics[point],
                         dynamics_.effective_mass(point, kinematics[point]), y);
            break;
    }
    return false;
}

void Events::start_impact(std::size_t point, double time, const ContactKinematics& kinematics,
                          double mass, std::span<const double> y) {
    ContactState& state = dynamics_.contact_states[point];
    state.phase = Phase::touching;
    state.loading = true;
    state.impact_speed = std::max(kinematics.approach_speed, 0.0);
    state.largest_overlap = std::max(kinematics.overlap, 0.0);
    state.work_at_start = state.work_before = y[2 * dynamics_.coordinates() + point];
    state.impulse_at_start = state.impulse_before = dynamics_.normal_impulse(y, point);
    state.compression_impulse = state.compression_work = 0.0;
    contact_impacts_[point].impacts.push_back(
        {.start = time, .impact_speed = state.impact_speed, .mass = mass});
}

void Events::close(std::size_t point, double time, const ContactKinematics& kinematics,
                   std::vector<double>& y) {
    ContactState& state = dynamics_.contact_states[point];
    const Contact& contact = dynamics_.mechanism.contacts[state.point.contact];
    if (state.force && contact.persistent_history) {
        // With the kept history of the law, the force may stay zero for a while.
        state.phase = Phase::spent;
        state.force->commit(just_closed, kinematics.approach_speed);
        return;
    }
    const double mass = dynamics_.effective_mass(point, kinematics);
    const auto& radii = kinematics.curvature_radii;
    make_force(state, dynamics_.mechanism, mass, std::max(kinematics.approach_speed, 0.0),
               state.point.place ? state.point.place->stiffness_radii(radii) : radii);
    state.force->commit(just_closed, kinematics.approach_speed);
    start_impact(point, time, kinematics, mass, y);
    Impact& impact = contact_impacts_[point].impacts.back();
    impact.peak_force = dynamics_.force(state, {.overlap = just_closed,
                                                .approach_speed = kinematics.approach_speed,
                                                .normal = {},
                                                .position = {},
                                                .slip_speed = 0.0,
                                                .journal_displacement = {}});
    impact.peak_time = time;
}

void Events::end(std::size_t point, double time, const ContactKinematics& kinematics,
                 std::span<const double> y) {
    ContactState& state = dynamics_.contact_states[point];
    Impact& impact = contact_impacts_[point].impacts.back();
    impact.end = time;
    impact.separation_speed = -kinematics.approach_speed;
    if (state.phase == Phase::resting) return open(point);
    impact.dissipated = y[2 * dynamics_.coordinates() + point] - state.work_at_start;
    const double impulse = dynamics_.normal_impulse(y, point) - state.impulse_at_start;
    if (state.compression_impulse > 0.0)
        impact.poisson_restitution = impulse / state.compression_impulse - 1.0;
    if (state.compression_work > 0.0) {
        impact.stronge_restitution =
            std::sqrt(std::max(0.0, 1.0 - impact.dissipated / state.compression_work));
    }
    // An overlap of the size of rounding counts as none.
    if (kinematics.overlap <= 1e-12 * state.largest_overlap)
        open(point);
    else
        state.phase = Phase::spent;
}

void Events::open(std::size_t point) {
    ContactState& state = dynamics_.contact_states[point];
    state.phase = Phase::open;
    state.loading = false;
    state.normal_reaction = state.tangential_reaction = state.slip_direction = 0.0;
    if (!dynamics_.mechanism.contacts[state.point.contact].persistent_history) state.force.reset();
}

void Events::serialize(Archive& archive) {
    dynamics_.serialize(archive);
    archive(gains_), archive(largest_gain_), archive(largest_gain_time_);
    archive(reductions_), archive(first_reduction_);
    serialize_impacts(archive, contact_impacts_);
    for (std::size_t i = 0; i < contact_impacts_.size(); ++i) {
        if (dynamics_.contact_states[i].phase != Phase::open && contact_impacts_[i].impacts.empty())
            throw std::length_error("the saved state is damaged");
    }
}

}  // namespace beadwave::mechanism
