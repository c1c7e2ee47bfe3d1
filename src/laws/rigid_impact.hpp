// The impact of two rigid bodies at one point with Coulomb friction, in the plane. It takes no
// time: the normal impulse p grows from 0, and the velocities at the contact are functions of it
// (CorralReview section 3.1 names the impulse ratio, the phases and reverse slip; the method is
// that of E. J. Routh, "Dynamics of a System of Rigid Bodies", 1905, part 1, art. 180 and later):
//
//   slip:          the tangential impulse grows by mu dp against the slip
//   stick:         it grows as the bodies need it to stick, at most by mu dp
//   reverse slip:  where sticking needs more, the slip turns
//   jam:           slip, but the bodies approach faster and faster: friction wedges them together
//                  (P. Painleve's paradox). It ends where the slip ends, because the matrix of
//                  inverse masses is positive definite. A jam may begin without an approach speed.
//
// Compression ends where the bodies no longer approach. How long they separate after it depends on
// the definition of restitution (CorralReview section 2, Eqs 2.2 and 2.3).
#pragma once

#include <vector>

namespace beadwave::laws {

/// The numbers of two bodies at their contact: inverse masses of unit impulses along normal and
/// tangent [1/kg], that is, the 2 x 2 Delassus matrix, and the coefficient of friction.
struct RigidContact {
    double normal = 0.0;      ///< separation speed per normal impulse, above 0
    double tangential = 0.0;  ///< slip speed per tangential impulse, 0 or more
    double coupling = 0.0;    ///< slip speed per normal impulse, and the reverse; 0: not eccentric
    double friction = 0.0;    ///< mu [-], 0 or more
};

/// Velocity of the first body relative to the second at the contact [m/s].
struct ContactVelocity {
    double approach = 0.0;  ///< 0 or more before the impact; negative: the bodies separate
    double slip = 0.0;      ///< along the tangent
};

enum class RestitutionDefinition {
    newton,   ///< separation speed / impact speed. With friction it may create energy
    poisson,  ///< normal impulse of restitution / of compression
    stronge   ///< root of the work of the normal force in restitution / in compression
};

struct ImpactPhase {
    enum class Kind { slip, jam, stick, reverse_slip } kind = Kind::slip;
    bool compression = true;      ///< otherwise restitution
    double normal_impulse = 0.0;  ///< in this phase [N s]
};

struct RigidImpact {
    double normal_impulse = 0.0;       ///< on the first body, away from the second [N s]
    double tangential_impulse = 0.0;   ///< on the first body, along the tangent [N s]
    ContactVelocity after{};           ///< slip is exactly 0 after stick
    double compression_impulse = 0.0;  ///< normal [N s]
    double compression_work = 0.0;     ///< that the normal force took up [J]
    double restitution_work = 0.0;     ///< that it gave back [J]
    double dissipated = 0.0;           ///< loss of kinetic energy [J]
    bool sticks = false;               ///< at the end
    std::vector<ImpactPhase> phases{};

    double normal_dissipation() const { return compression_work - restitution_work; }  ///< [J]
    double friction_dissipation() const { return dissipated - normal_dissipation(); }  ///< [J]
};

/// The impact with this coefficient of restitution, from 0 to 1, in one definition. Exact up to
/// rounding. Throws ArgumentError for numbers that no pair of bodies has.
RigidImpact collide(const RigidContact&, const ContactVelocity& before, double restitution,
                    RestitutionDefinition);

/// Whether sliding in this direction (the sign of the slip) pushes the bodies together faster than
/// the normal force can part them: Painleve's paradox.
bool jams(const RigidContact&, double direction);

}  // namespace beadwave::laws
