#include "laws/rigid_impact.hpp"

#include "beadwave/argument_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace beadwave::laws {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void check(const RigidContact& c, const ContactVelocity& before, double restitution) {
    if (!(c.normal > 0.0 && std::isfinite(c.normal)))
        throw ArgumentError("the inverse mass along the normal must be above 0");
    if (!(c.tangential >= 0.0 && std::isfinite(c.tangential)))
        throw ArgumentError("the inverse mass along the tangent must not be negative");
    // Up to rounding: both may be the same motion.
    if (!(c.coupling * c.coupling <= (1.0 + 1e-12) * c.normal * c.tangential))
        throw ArgumentError("the matrix of inverse masses must not have a negative eigenvalue");
    if (!(c.friction >= 0.0 && std::isfinite(c.friction)))
        throw ArgumentError("the friction coefficient must not be negative");
    if (!(restitution >= 0.0 && restitution <= 1.0))
        throw ArgumentError("the restitution must be from 0 to 1");
    if (!(before.approach >= 0.0 && std::isfinite(before.approach) && std::isfinite(before.slip)))
        throw ArgumentError("the approach speed must be 0 or more");
}

/// Change per unit of normal impulse.
struct Rates {
    double tangential_impulse, separation, slip;
};

/// The state while the normal impulse grows.
class Process {
  public:
    Process(const RigidContact& contact, const ContactVelocity& before)
        : c_(contact), separation_(-before.approach), slip_(before.slip) {
        if (slip_ != 0.0)
            slide(slip_ > 0.0 ? 1.0 : -1.0, false);
        else
            decide(false);
    }

    /// Compresses until the bodies no longer approach.
    void compress() {
        while (separation_ < 0.0 || rates_.separation <= 0.0) {
            const double to_turn =
                rates_.separation > 0.0 ? -separation_ / rates_.separation : infinity;
            if (advance(to_turn, true)) separation_ = 0.0;
        }
        result_.compression_impulse = result_.normal_impulse;
    }

    /// Restores until `remaining`, called with separation speed and its rate, gives no impulse.
    template <class Remaining>
    void restore(Remaining remaining) {
        while (!advance(remaining(separation_, rates_.separation), false)) {
        }
    }

    const RigidImpact& result() const { return result_; }
    double separation() const { return separation_; }

    RigidImpact finish(const ContactVelocity& before) {
        result_.after = {.approach = -separation_, .slip = slip_};
        result_.sticks = kind_ == ImpactPhase::Kind::stick;
        result_.dissipated = 0.5 * (result_.normal_impulse * (before.approach - separation_) -
                                    result_.tangential_impulse * (before.slip + slip_));
        return std::move(result_);
    }

  private:
    void slide(double direction, bool reversed) {
        kind_ = reversed              ? ImpactPhase::Kind::reverse_slip
                : jams(c_, direction) ? ImpactPhase::Kind::jam
                                      : ImpactPhase::Kind::slip;
        rates_ = {.tangential_impulse = -c_.friction * direction,
                  .separation = c_.normal - c_.friction * direction * c_.coupling,
                  .slip = c_.coupling - c_.friction * direction * c_.tangential};
    }

    /// Decides what follows when nothing slips: the contact sticks, or slides in one direction.
    void decide(bool slipped) {
        if (std::abs(c_.coupling) > c_.friction * c_.tangential)
            return slide(c_.coupling > 0.0 ? 1.0 : -1.0, slipped);
        kind_ = ImpactPhase::Kind::stick;
        const double ratio = c_.tangential > 0.0 ? -c_.coupling / c_.tangential : 0.0;
        rates_ = {.tangential_impulse = ratio,
                  .separation = c_.normal + ratio * c_.coupling,
                  .slip = 0.0};
        if (!(rates_.separation > 1e-14 * c_.normal)) {
            throw ArgumentError(
                "the bodies cannot separate while they stick: normal and tangent are one motion");
        }
    }

    /// Lets the normal impulse grow, at most to the end of the slip. True if it grew by `most`.
    bool advance(double most, bool compression) {
        const bool slows = kind_ != ImpactPhase::Kind::stick && slip_ * rates_.slip < 0.0;
        const double to_stop = slows ? -slip_ / rates_.slip : infinity;
        if (!std::isfinite(std::min(most, to_stop)))
            throw ArgumentError("the bodies jam for ever: normal and tangent are one motion");
        const double grown = std::max(std::min(most, to_stop), 0.0);
        const double work = grown * (separation_ + 0.5 * rates_.separation * grown);
        (compression ? result_.compression_work : result_.restitution_work) +=
            compression ? -work : work;
        result_.normal_impulse += grown;
        result_.tangential_impulse += rates_.tangential_impulse * grown;
        separation_ += rates_.separation * grown;
        slip_ += rates_.slip * grown;
        if (grown > 0.0) {
            result_.phases.push_back(
                {.kind = kind_, .compression = compression, .normal_impulse = grown});
        }
        if (to_stop <= most) {
            slip_ = 0.0;
            decide(true);
        }
        return most <= to_stop;
    }

    RigidContact c_;
    double separation_, slip_;
    ImpactPhase::Kind kind_ = ImpactPhase::Kind::slip;
    Rates rates_{};
    RigidImpact result_;
};

}  // namespace

bool jams(const RigidContact& c, double direction) {
    const double along = direction > 0.0 ? c.coupling : direction < 0.0 ? -c.coupling : 0.0;
    return c.normal - c.friction * along <= 0.0;
}

RigidImpact collide(const RigidContact& contact, const ContactVelocity& before, double restitution,
                    RestitutionDefinition definition) {
    check(contact, before, restitution);
    Process process(contact, before);
    process.compress();
    const RigidImpact& now = process.result();
    switch (definition) {
        case RestitutionDefinition::newton: {
            const double wanted = restitution * before.approach;
            process.restore(
                [&](double separation, double rate) { return (wanted - separation) / rate; });
            break;
        }
        case RestitutionDefinition::poisson: {
            const double wanted = (1.0 + restitution) * now.compression_impulse;
            process.restore([&](double, double) { return wanted - now.normal_impulse; });
            break;
        }
        case RestitutionDefinition::stronge: {
            const double wanted = restitution * restitution * now.compression_work;
            process.restore([&](double separation, double rate) {
                const double work = std::max(wanted - now.restitution_work, 0.0);
                if (work == 0.0) return 0.0;
                return 2.0 * work /
                       (separation + std::sqrt(separation * separation + 2.0 * rate * work));
            });
            break;
        }
    }
    return process.finish(before);
}

}  // namespace beadwave::laws
