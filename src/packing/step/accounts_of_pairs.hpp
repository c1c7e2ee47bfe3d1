// What each contact of a packing dissipated, pair by pair: contact_accounts.hpp says how. All pairs
// of two bodies share an account: images, triangles of a mesh, balls of two clumps.
#pragma once

#include "packing/box_motion.hpp"
#include "packing/contacts/contact_energy.hpp"
#include "packing/contacts/pair_accounts.hpp"
#include "packing/walls/wall_loads.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace beadwave::packing {

/// A change of the velocities of a particle from outside [m/s, rad/s].
struct VelocityChange {
    std::size_t particle;
    Vec3 velocity, spin;
};

class AccountsOfPairs {
  public:
    /// How powers are added, which is a matter of rounding alone: all pairs of a contact before the
    /// sum over steps gets them, or each of them by itself.
    enum class Sums { of_contacts, of_pairs };

    /// `packing` must outlive it.
    AccountsOfPairs(const Packing& packing, Sums sums) : packing_(packing), sums_(sums) {}

    /// The two bodies of a contact; of a wall particles() + its number.
    struct Bodies {
        std::uint32_t first, second;
        bool operator==(const Bodies&) const = default;
    };
    /// How a pair acts in a step.
    struct Action {
        Vec3 force;                         ///< on the second body [N]
        Vec3 torque_1, torque_2;            ///< on the first and the second [N m]
        double wall_torque;                 ///< on a wall, about its direction [N m]
        std::array<std::int32_t, 3> image;  ///< of the second body, which touches [periods]
        double sliding_work;                ///< on springs and sliders [J]
        double rolling_work = 0.0, twisting_work = 0.0;  ///< [J]

        bool is_nothing() const {
            return force == Vec3{} && torque_1 == Vec3{} && torque_2 == Vec3{} &&
                   sliding_work == 0.0 && rolling_work == 0.0 && twisting_work == 0.0;
        }
    };

    // A step of dt [s]: begin_step(), add() for each pair, end_step(), then take_power().

    void begin_step();
    /// `touches` false: counts only if these two have touched before.
    void add(const Bodies& bodies, bool touches, const Action& action);
    void end_step(double dt, const WallLoads& loads, const BoxMotion& box);
    /// Takes the power of the pairs with the present velocities; velocity(i): (velocity, spin).
    /// After a step all of it counts, after forces were computed anew half of the change. At the
    /// start all sums begin, with what each account stores.
    template <class Velocity>
    void take_step_power(Velocity velocity) {
        const bool by_pairs = sums_ == Sums::of_pairs;
        clear_power();
        each_power(velocity, [&](PlainAccount& account, double power) {
            account.power_now += power;
            if (by_pairs) account.power += power;
        });
        for (PlainAccount& account : accounts_.all())
            if (!by_pairs) account.power += account.power_now;
    }
    template <class Velocity>
    void take_changed_power(Velocity velocity) {
        const std::vector<double> before = clear_power();
        each_power(velocity,
                   [](PlainAccount& account, double power) { account.power_now += power; });
        for (std::size_t k = 0; k < before.size(); ++k) {
            PlainAccount& account = accounts_.all()[k];
            account.power += 0.5 * (account.power_now - before[k]);
        }
    }
    template <class Velocity>
    void start(Velocity velocity, const std::vector<ContactEnergy>& stored) {
        take_changed_power(velocity);
        begin_sums(stored);
    }
    /// Velocities have changed at the end of a step, of which the part `weight` counts.
    void add_changes(std::span<const VelocityChange> changes, double weight);

    /// What is stored leaves the packing with a particle.
    void release(const Bodies& bodies, const ContactEnergy& stored);
    /// What the first stores passes on to the second, and the other way.
    void exchange(const Bodies& one, const ContactEnergy& of_one, const Bodies& two,
                  const ContactEnergy& of_two);

    /// Those of all bodies that have touched.
    const std::vector<PlainAccount>& all() const { return accounts_.all(); }
    /// The number + 1 of the account of two bodies; 0: they have not touched.
    std::uint32_t known(const Bodies& bodies) const {
        const Bodies b = ordered(bodies);
        return accounts_.known(b.first, b.second);
    }

    std::vector<double> account_numbers() const { return accounts_.numbers(); }
    std::vector<double> action_numbers() const;
    /// Throws std::invalid_argument if these are none of them.
    void restore(std::span<const double> accounts, std::span<const double> actions);

  private:
    struct Acting {
        std::uint32_t account;
        Bodies bodies;
        Vec3 force, torque_1, torque_2;
    };

    static Bodies ordered(const Bodies& b) {
        return b.first < b.second ? b : Bodies{b.second, b.first};
    }
    bool is_wall(std::uint32_t body) const { return body >= packing_.particles(); }
    /// Returns that of each account.
    std::vector<double> clear_power();
    void begin_sums(const std::vector<ContactEnergy>& stored);
    template <class Velocity>
    double power_of(const Acting& action, Velocity velocity) const {
        const auto [v, w] = velocity(action.bodies.first);
        const double power = dot(action.torque_1, w) - dot(action.force, v);
        if (is_wall(action.bodies.second)) return power;
        const auto [v2, w2] = velocity(action.bodies.second);
        const double turning = dot(action.torque_2, w2), moving = dot(action.force, v2);
        return sums_ == Sums::of_pairs ? power + turning + moving : power + (turning + moving);
    }
    template <class Velocity, class Take>
    void each_power(Velocity velocity, Take take) {
        for (const Acting& action : actions_)
            take(accounts_[action.account], power_of(action, velocity));
    }

    const Packing& packing_;
    Sums sums_;
    ContactAccounts<PlainAccount> accounts_;
    std::vector<Acting> actions_;  // of the last step
};

}  // namespace beadwave::packing
