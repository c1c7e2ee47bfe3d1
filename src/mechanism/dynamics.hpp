// The equations of motion as one list of numbers y and their time derivatives: coordinates q,
// speeds u, the work that normal force and friction took up so far at each contact point, the path
// that each contact point with a tangential spring has slipped, the impulse of the normal force at
// each contact point, normal force times slip of each contact point that wears, the energy that
// dampers took up, the work of friction in joints (if there is any), and the work of motors and
// applied forces.
#pragma once

#include "mechanism/cone_split.hpp"
#include "mechanism/contact_force.hpp"
#include "mechanism/contact_point.hpp"
#include "mechanism/coulomb_forces.hpp"
#include "mechanism/force_elements.hpp"
#include "mechanism/joint_friction.hpp"
#include "mechanism/linear_complementarity.hpp"
#include "mechanism/multibody.hpp"
#include "mechanism/result.hpp"
#include "mechanism/rubbing.hpp"
#include "recording/archive.hpp"

#include <limits>

namespace beadwave::mechanism {

/// A contact point with its law and its phase.
struct ContactState {
    ContactPoint point;
    /// Open: no force. Touching: the law gives a force. Spent: the bodies still overlap, but the
    /// force has ended. Resting, law "impulse" only: a normal reaction keeps the contact closed
    /// without an overlap.
    enum class Phase { open, touching, spent, resting } phase = Phase::open;
    /// Whether the law gives the force.
    bool has_force() const { return phase == Phase::touching || phase == Phase::spent; }
    std::unique_ptr<ContactForce> force{};  ///< null until the contact first closes
    bool loading = false;                   ///< the overlap grew at the last step
    double work_at_start = 0.0;             ///< of the current impact [J]
    double impact_speed = 0.0;              ///< of the current impact [m/s]
    double largest_overlap = 0.0;           ///< of the current impact [m]
    double force_mass = 0.0;                ///< effective mass that `force` was made with [kg]
    double force_speed = 0.0;               ///< impact speed that `force` was made with [m/s]
    /// Radii of curvature that `force` was made with, for shapes [m].
    std::array<double, 2> force_radii{};
    double normal_reaction = 0.0;  ///< of a resting contact, at the last derivatives() [N]
    /// The reaction of a resting contact along left_of(normal), with Coulomb's friction [N].
    double tangential_reaction = 0.0;
    double yielding_mass = 0.0;  ///< of a resting contact along the normal, likewise [kg]
    /// The sign of the slip of a resting contact with Coulomb's friction. 0: it sticks.
    double slip_direction = 0.0;
    double compression_impulse = 0.0;  ///< of the normal force, while loading, so far [N s]
    double compression_work = 0.0;     ///< work of the normal force, while loading [J]
    double impulse_at_start = 0.0;     ///< of the current impact [N s]
    double impulse_before = 0.0;       ///< at the start of the step [N s]
    double work_before = 0.0;          ///< at the start of the step [J]
    double spring_origin = 0.0;  ///< slipped path at which the tangential spring is relaxed [m]
    /// Whether the contact slides on its tangential spring; for friction with two states.
    bool slides = false;
};

/// Makes the law of a contact that closes at `impact_speed` [m/s]; `mass` is the effective mass
/// along the normal [kg]; `radii`: see contact_force.hpp. Throws PartError if it cannot be made.
void make_force(ContactState&, const Mechanism&, double mass, double impact_speed,
                const std::array<double, 2>& radii);

class Dynamics {
  public:
    explicit Dynamics(const Mechanism&);

    std::size_t coordinates() const { return n_; }
    std::size_t numbers() const { return first_sum() + (joint_frictions.empty() ? 2 : 3); }
    /// The numbers from first_path() up to first_sum() are no energies.
    std::size_t first_path() const { return slipped_; }
    std::size_t first_sum() const {
        return slipped_ + springs_ + contact_states.size() + rubbings_.size();
    }
    std::vector<double> first_state();

    void derivatives(double time, std::span<const double> y, std::span<double> dydt);
    /// False if the loops of joints do not close.
    [[nodiscard]] bool project_constraints(double time, std::vector<double>& y, double tolerance);
    /// The kinematics of all contact points at y.
    void contact_kinematics(double time, std::span<const double> y,
                            std::vector<ContactKinematics>& kinematics);
    double force(const ContactState& state, const ContactKinematics& kinematics) const;
    /// Work that the normal force of a contact point took up [J].
    double& normal_work(std::span<double> y, std::size_t point) const { return y[2 * n_ + point]; }
    double& friction_work(std::span<double> y, std::size_t point) const {
        return y[2 * n_ + contact_states.size() + point];
    }
    /// Impulse of the normal force of a contact point [N s].
    double normal_impulse(std::span<const double> y, std::size_t point) const {
        return y[slipped_ + springs_ + point];
    }

    void add_normal_impulse(std::span<double> y, std::size_t point, double impulse) const {
        y[slipped_ + springs_ + point] += impulse;
    }

    /// The wear of the contact points, of which each step has a beginning, an end, and a commit.
    /// Kinematics are those of the last contact_kinematics() or derivatives().
    void begin_rubbing(double time, const std::vector<ContactKinematics>& kinematics,
                       std::span<const double> y);
    void end_rubbing(double time, const std::vector<ContactKinematics>& kinematics,
                     std::span<const double> y);
    void commit_rubbing();
    /// Adds what an impact without duration rubbed [J].
    void add_rubbing(std::size_t point, const ContactKinematics& kinematics, double rubbed);
    bool wears() const { return !rubbings_.empty(); }
    /// Between two steps: gives bearings the shape of their wear where it has become deeper by
    /// Mechanism::wear_update_depth. True if one changed.
    bool update_worn_bearings();
    /// The step in which a part of a bearing becomes deeper by Mechanism::wear_update_depth, with
    /// forces and motion at begin_rubbing(); infinite if none does [s].
    double longest_worn_step() const;
    std::int64_t wear_updates() const { return wear_updates_; }  ///< of all bearings, so far

    /// Whether friction acts by a tangential spring at a contact point, and keeps it at its limit.
    bool has_tangential_spring(std::size_t point) const { return slip_of_[point] != none; }
    std::size_t slip_index(std::size_t point) const { return slip_of_[point]; }
    bool slides(std::size_t point, const ContactKinematics& kinematics,
                std::span<const double> y) const;
    /// Ends a step: makes the spring no longer than friction allows; open: relaxed.
    void commit_tangential_spring(std::size_t point, const ContactKinematics& kinematics,
                                  std::span<const double> y);
    /// The force of the tangential spring and its damper, as if it had no limit, less what friction
    /// holds there: above 0 a contact that sticks begins to slide [N].
    double spring_excess(std::size_t point, const ContactKinematics& kinematics,
                         std::span<const double> y) const;
    /// Whether the contact has two states of friction and sticks.
    bool may_break_away(std::size_t point) const;
    /// The length that errors of the slipped path are compared with: the longest spring at present,
    /// or the size of the mechanism if nothing presses [m].
    double spring_range(std::size_t point, const ContactKinematics& kinematics) const;

    /// Time derivative of the approach speed at a contact point, at the last derivatives() [m/s^2].
    double approach_acceleration(std::size_t point) const;

    /// The Delassus matrix of these contact points: how much an impulse of 1 N s at one of them
    /// (column) reduces the approach speed at another (row), at the last contact_kinematics() or
    /// derivatives() [1/kg].
    Matrix delassus_matrix(const std::vector<std::size_t>& points,
                           const std::vector<ContactKinematics>& kinematics);
    /// The mu of Coulomb's friction at a contact point under the law "impulse", in an impact;
    /// otherwise 0.
    double coulomb_friction(std::size_t point) const;
    /// The mu of a contact that rests and slips at this speed along left_of(normal), or sticks
    /// [m/s].
    double resting_friction(std::size_t point, double slip_speed) const;
    /// How forces at these contact points change their motion, and mu; without forces nothing
    /// moves. At the last contact_kinematics() or derivatives().
    CoulombProblem coulomb_problem(const std::vector<std::size_t>& points,
                                   const std::vector<ContactKinematics>& kinematics);
    /// The names of contacts for messages: `contacts "left", "right"`.
    std::string contact_names(const std::vector<std::size_t>& points) const;
    /// What forces would do to the resting contacts, at the last derivatives().
    CoulombProblem resting_problem();
    bool has_resting_friction() const;
    std::vector<std::size_t> resting() const;
    /// Slip directions of resting contacts after an impact; slip up to `least` is rounding [m/s].
    void set_slip_directions(double time, std::span<const double> y, double least);
    /// Which resting contacts stick and which begin to slip, from y on. Contacts that stick, and
    /// those whose slip is at most `stopped` [m/s], can do either; the others keep on slipping.
    /// `breaks`: friction_holds() said that one begins to slip here. False: no finite forces keep
    /// the contacts closed while they slip so: they jam.
    [[nodiscard]] bool decide_friction(double time, const std::vector<double>& y, double stopped,
                                       bool breaks);
    /// Whether friction can hold all contacts that stick, at the last derivatives().
    bool friction_holds();
    /// Accelerations up to this part nothing, at the last derivatives(): what moves by rounding
    /// while a body moves by the size of the mechanism, and rounding of the forces [m/s^2].
    double rounding_acceleration() const;
    /// The normal reaction that belongs to it, of a resting contact [N].
    double negligible_force(std::size_t point) const;
    /// How far contacts and joints at rest are from moving.
    struct Margin {
        double least = std::numeric_limits<double>::infinity();  ///< below zero: something moves
        double scale = 0.0;                                      ///< the largest force
    };
    /// The margin of resting contacts, at the last derivatives(): the least normal force, or mu N
    /// minus the friction where a contact sticks, of the best way to share the forces [N].
    Margin resting_margin() const;
    /// The margin of joints that friction holds, at the last derivatives(): the limit minus the
    /// force [N or N m].
    Margin joint_margin() const;
    /// A contact that rests and slips, and is about to jam: friction leaves little of the motion by
    /// which the normal force parts the bodies. At the last contact_kinematics().
    std::optional<std::size_t> jamming_contact(const std::vector<ContactKinematics>& kinematics);
    /// Effective mass along the normal of a contact point, at the last contact_kinematics() or
    /// derivatives() [kg].
    double effective_mass(std::size_t point, const ContactKinematics& kinematics);
    /// Changes the speeds in y by an impulse at a contact point: along the normal, and along
    /// left_of(normal) [N s].
    void apply_impulse(std::size_t point, const ContactKinematics& kinematics, double normal,
                       double tangential, std::span<double> y);

    /// The speeds of the joints with friction at y [rad/s or m/s].
    std::vector<double> joint_speeds(double time, std::span<const double> y);
    /// Time derivatives of joint_speeds(), at the last derivatives() [rad/s^2 or m/s^2].
    const std::vector<double>& joint_accelerations() const { return joint_forces_->accelerations; }
    /// Whether friction can hold the joints that it holds, at the last derivatives().
    bool joints_hold() const;
    bool joints_jam() const { return !joint_frictions.empty() && !joint_forces_; }
    /// The joint to name if there were no finite forces of friction at the last derivatives().
    std::optional<std::size_t> jammed_joint() const;
    /// Which joints friction holds from the start on.
    void start_joint_friction(double time, std::span<double> y);
    /// Which joints friction holds from y on, and which begin to move. Joints that move at most at
    /// `stopped` [rad/s or m/s] stop. `breaks`: joints_hold() said that one begins to move here.
    /// Changes the speeds by rounding.
    void decide_joint_friction(double time, std::span<double> y, double stopped, bool breaks);

    /// Energies at y; the initial energy and the errors stay zero.
    Ledger ledger(double time, std::span<const double> y);
    double kinetic_energy() const;  ///< at the last set() of the mechanism [J]
    Sample sample(double time, std::span<const double> y);

    /// Saves or restores the state that is not in y.
    void serialize(Archive&);

    /// Largest acceleration that any force alone, gravity included, gives a body, at the last
    /// derivatives(); an angular acceleration counts at the size of the mechanism [m/s^2].
    double largest_acceleration() const { return largest_acceleration_; }
    /// The potential energy that the size of the mechanism makes; energies below its rounding are
    /// zero [J].
    double energy_of_weight() const;
    /// Energies below it are rounding: those of a body that rests are some 1e-16 of its weight's.
    double rounding_energy() const { return 1e-12 * energy_of_weight(); }
    /// The rounding of the work of forces in a step, over the step's square, at the last
    /// derivatives() [J/s^2]: where forces are in balance they move bodies by some 1e-15 of what
    /// each alone would.
    double rounding_energy_rate() const { return 1e-11 * largest_energy_rate_; }

    /// Where derivatives() takes the reactions of resting contacts from: it solves for them, takes
    /// those of the states (time stepping: the mean over a step), or leaves them out.
    enum class Reactions { solved, given, none } reactions = Reactions::solved;

    const Mechanism mechanism;
    Multibody multibody;
    const ForceElements force_elements;
    std::vector<ContactState> contact_states;
    std::vector<JointFrictionState> joint_frictions;  ///< of the joints with friction
    double size = 0.0;                                ///< of the mechanism [m]
    std::int64_t evaluations = 0;

  private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    const Friction& friction_of(std::size_t point) const {
        return *mechanism.contacts[contact_states[point].point.contact].friction;
    }
    /// Length of the tangential spring, as if its force had no limit [m].
    double spring_length(std::size_t point, std::span<const double> y) const {
        return y[slip_of_[point]] - contact_states[point].spring_origin;
    }
    double spring_limit(std::size_t point, const ContactKinematics& kinematics) const;
    /// The coefficient that limits the force of a tangential spring, at this slip speed [m/s].
    double spring_coefficient(std::size_t point, double slip_speed) const;
    /// Energy in the tangential spring of a contact point [J].
    double spring_energy(std::size_t point, const ContactKinematics& kinematics,
                         std::span<const double> y) const;
    /// What a contact point stores and has dissipated [J]: the work that its forces took up is
    /// both.
    struct ContactEnergies {
        double stored = 0.0;
        ContactDissipation dissipated{};
    };
    ContactEnergies contact_energies(std::size_t point, const ContactKinematics& kinematics,
                                     std::span<const double> y) const;
    /// A contact point that wears.
    struct RubbingPoint {
        std::size_t point;
        Rubbing rubbing;
    };
    double& rubbing_rate(std::span<double> dydt, std::size_t k) const {
        return dydt[slipped_ + springs_ + contact_states.size() + k];
    }
    /// Adds the rate of rubbing of a contact point, if it wears.
    void add_rubbing_rate(std::span<double> dydt, std::size_t point, double normal_force,
                          const ContactKinematics& kinematics) const;
    RubbingMoment rubbing_moment(std::size_t k, double time, const ContactKinematics& kinematics,
                                 std::span<const double> y) const;
    /// In the frames of the second and of the first body [rad].
    std::array<double, 2> contact_angles(std::size_t point,
                                         const ContactKinematics& kinematics) const;
    void serialize_worn(Archive&, const RubbingPoint&);
    /// The depth of each part of a surface [m].
    std::vector<double> worn_depths(const RubbingPoint& of, Worn surface,
                                    std::vector<double> rubbed) const;
    /// Adds worn volumes and depths.
    void add_worn(double time, std::span<const double> y, Sample& sample) const;
    /// Friction on the first body along left_of(normal) [N].
    double friction(std::size_t point, const ContactKinematics& kinematics, double normal_force,
                    std::span<const double> y) const;
    /// Adds the normal reactions of resting contacts to the loads, and recomputes the
    /// accelerations.
    void apply_reactions(std::span<double> dydt);
    /// Whether a resting contact has Coulomb's friction and sticks.
    bool sticks(std::size_t point) const;
    void project_resting(double time, std::span<double> q, std::span<double> u);
    /// A force of this size along the normal, and along left_of(normal) [N].
    std::vector<Load> contact_loads(std::size_t point, const ContactKinematics& kinematics,
                                    double normal, double tangential) const;
    std::vector<Load> unit_loads(std::size_t point, const ContactKinematics& kinematics) const {
        return contact_loads(point, kinematics, 1.0, 0.0);
    }
    double negligible_acceleration(const CoulombProblem&) const;
    void add_contact_load(const ContactState& state, const ContactKinematics& kinematics,
                          const Vector& contact_force, std::vector<Load>& loads) const;

    const Joint& joint_of(std::size_t friction) const {
        return mechanism.joints[joint_frictions[friction].joint];
    }
    std::size_t joint_friction_sum() const { return first_sum() + 1; }
    /// A force of friction on the second body, and its opposite on the first.
    void add_joint_load(const Joint&, double force, std::vector<Load>& loads) const;
    std::vector<Load> joint_loads(const Joint&) const;   ///< of a unit force
    std::vector<std::vector<Load>> joint_loads() const;  ///< of each joint with friction
    /// The problem at the last accelerate() under the loads without friction.
    JointFrictionProblem joint_friction_problem(std::span<double> accelerations);
    /// Adds the friction of joints, and recomputes the accelerations. False: no finite forces.
    bool apply_joint_friction(std::span<double> dydt);
    /// Projects held joints; otherwise their speeds drift by the errors of the steps.
    void project_held_joints(double time, std::span<double> q, std::span<double> u);

    void include_acceleration(const ContactState&, const ContactKinematics&,
                              const Vector& contact_force);
    void include_acceleration(std::size_t body, const Load& load);

    std::size_t n_;
    std::vector<std::size_t>
        slip_of_;  ///< index in y of the slipped path, or none; by contact point
    std::size_t slipped_ = 0, springs_ = 0;  ///< index of the first slipped path; their number
    std::vector<RubbingPoint> rubbings_;     ///< of the contact points that wear
    std::int64_t wear_updates_ = 0;
    double largest_acceleration_ = 0.0;
    double largest_energy_rate_ = 0.0;  ///< of a force F on a mass m alone: F^2 / m [J/s^2]
    std::vector<Load> loads_;
    std::vector<double> dydt_;
    /// Accelerations of resting contacts without reactions, at the last derivatives() [m/s^2].
    std::vector<double> free_separations_, free_slips_;
    Solutions reactions_;  ///< of resting contacts, at the last derivatives() [N]
    std::vector<Cone> cones_;
    std::optional<JointFrictionForces> joint_forces_;  ///< of the last derivatives()
};

}  // namespace beadwave::mechanism
