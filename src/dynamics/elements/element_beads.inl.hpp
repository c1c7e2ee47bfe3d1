// Springs and resonators of a block of beads. Included by the vector code of the elements and by
// that of the tiles.

namespace beadwave::dynamics::BEADWAVE_TARGET {

/// One number per bead of a row, or one for all, in a register.
template <bool uniform>
class Numbers {
  public:
    HWY_INLINE Numbers() {}
    HWY_INLINE explicit Numbers(const double* numbers) : numbers_(numbers) {
        if constexpr (uniform) common_ = Vector(*numbers);
    }
    HWY_INLINE Vector at(std::size_t i) const {
        if constexpr (uniform) return common_;
        return Vector::load(numbers_ + i);
    }

  private:
    const double* numbers_ = nullptr;
    Vector common_;
};

/// Springs of a row: k x + k_3 x^3 + c v.
template <bool cubic, bool damped, bool uniform>
struct Springs {
    HWY_INLINE explicit Springs(const SpringRow& row)
        : stiffness(row.stiffness), third(row.cubic), damping(row.damping) {}
    HWY_INLINE Vector force(std::size_t i, Vector x, Vector speed) const {
        Vector secant = stiffness.at(i);
        if constexpr (cubic) secant = multiply_add(third.at(i), x * x, secant);
        Vector force = secant * x;
        if constexpr (damped) force = multiply_add(damping.at(i), speed, force);
        return force;
    }
    Numbers<uniform> stiffness, third, damping;
};

/// Whether the beads of a row carry only single resonators, or only springs to the ground, and
/// nothing asks for the forces of these after each step.
inline bool alone(const ElementRow& row) {
    return (row.single ? !row.grounded : row.resonators.empty() && row.bonds == nullptr) &&
           row.pairs.empty() && row.loads.empty() && row.driven.empty();
}

/// What the beads of a row carry, if it is only springs to the ground, or only single resonators:
/// stepped within the sweep over the contacts, which has all of a bead in registers. The bits are
/// those of step_elements().
template <bool damped, bool uniform, bool single>
class CarriedAlone {
  public:
    HWY_INLINE explicit CarriedAlone(const ElementRow* row)
        : springs_(single ? row->resonators.front().spring : row->ground),
          forces_(row->force),
          predictions_(row->predicted),
          powers_(row->power) {
        if constexpr (single) {
            const ResonatorRow& only = row->resonators.front();
            kick_ = Numbers<uniform>(only.kick);
            displacements_ = only.displacement;
            velocities_ = only.velocity;
        }
    }

    /// The half-step velocities of a block for the next step, and the forces on its beads.
    struct Step {
        Vector half, force;
    };
    /// `u`: displacements; `before`: the half-step velocities of this step, `swept`: those of the
    /// next one by the contacts alone.
    HWY_INLINE Step step(std::size_t i, Vector dt, Vector kick, Vector u, Vector before,
                         Vector swept) const {
        // The signs are those of the force on the bead.
        Vector speed, place = u, mass_half;
        if constexpr (single) {
            mass_half = Vector::load(velocities_ + i);
            const Vector moved = multiply_add(dt, mass_half, Vector::load(displacements_ + i));
            moved.store(displacements_ + i);
            place = moved - u;
        }
        if constexpr (damped) {
            speed = Vector::load(predictions_ + i);
            if constexpr (single) speed = mass_half - before - speed;
        }
        Vector force = springs_.force(i, place, speed);
        Vector mass_change, mass_velocity;
        if constexpr (single) {
            mass_change = force * kick_.at(i);
            mass_velocity = mass_half - mass_change;
            (mass_velocity - mass_change).store(velocities_ + i);
        } else {
            force = -force;
        }
        const Vector change = force * kick;
        if constexpr (damped) {
            const Vector whole = multiply_add(Vector(0.5), swept - before, change);
            const Vector velocity = before + whole;
            const Vector power = Vector::load(powers_ + i);
            if constexpr (single) {
                multiply_add(force, velocity - mass_velocity, power).store(powers_ + i);
                (whole + mass_change).store(predictions_ + i);
            } else {
                multiply_add(force, velocity, power).store(powers_ + i);
                const Vector after = multiply_add(Vector(2.0), change, swept);
                (after + whole).store(predictions_ + i);
                return {after, force + Vector()};
            }
        }
        // Like a sum that starts at 0, the force is never minus 0.
        return {multiply_add(Vector(2.0), change, swept), force + Vector()};
    }
    double* forces() const { return forces_; }

  private:
    // Where springs differ, all of them may be cubic.
    Springs<!uniform, damped, uniform> springs_;
    double *forces_, *predictions_, *powers_;
    Numbers<uniform> kick_;  // of the masses
    double *displacements_ = nullptr, *velocities_ = nullptr;
};

}  // namespace beadwave::dynamics::BEADWAVE_TARGET
