// What each contact of a packing of ellipsoids or clumps dissipated:
// packing/contacts/contact_accounts.hpp says how. All touches of two clumps share an account.
#pragma once

#include "packing/box_motion.hpp"
#include "packing/contacts/contact_energy.hpp"
#include "packing/contacts/pair_accounts.hpp"
#include "packing/walls/wall_loads.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::packing {

class ShapedAccounts {
  public:
    explicit ShapedAccounts(const Packing& packing) : packing_(packing) {}

    /// The two bodies of a contact; of a wall particles() + its number.
    struct Bodies {
        std::uint32_t first, second;
    };
    /// How a contact acts in a step.
    struct Action {
        Vec3 force;                          ///< on the second body [N]
        Vec3 torque_1, torque_2;             ///< on the first and the second [N m]
        double wall_torque;                  ///< of the force on a wall, about its direction [N m]
        std::array<std::int32_t, 3> image;   ///< of the second body, which touches [periods]
        double sliding_work;                 ///< on springs and sliders [J]
        double rolling_work, twisting_work;  ///< likewise [J]
    };

    // A step of dt [s]: begin_step(), add() for each pair, end_step(), then take_power().

    void begin_step();
    /// `touches` false: counts only if these two have touched before.
    void add(const Bodies& bodies, bool touches, const Action& action);
    void end_step(double dt, const WallLoads& loads, const BoxMotion& box);
    /// Adds the power of the contacts with the present velocities; velocity(i): (velocity, spin).
    template <class Velocity>
    void take_power(Velocity velocity) {
        for (PlainAccount& account : accounts_.all())
            account.power_now = 0.0;
        each_power(velocity, [](PlainAccount& account, double power) {
            account.power_now += power;
            account.power += power;
        });
    }
    /// After forces were computed anew between two steps: half of the change counts.
    template <class Velocity>
    void renew_power(Velocity velocity) {
        std::vector<double> before;
        for (PlainAccount& account : accounts_.all()) {
            before.push_back(account.power_now);
            account.power_now = 0.0;
        }
        each_power(velocity,
                   [](PlainAccount& account, double power) { account.power_now += power; });
        for (std::size_t k = 0; k < before.size(); ++k) {
            PlainAccount& account = accounts_.all()[k];
            account.power += 0.5 * (account.power_now - before[k]);
        }
    }
    /// The velocity and spin of a particle have changed by these at the end of a step, of which
    /// the part `weight` counts.
    void add_change(std::size_t particle, const Vec3& velocity, const Vec3& spin, double weight);

    /// What is stored leaves the packing with a particle.
    void release(const Bodies& bodies, const ContactEnergy& stored);
    /// What the first stores passes on to the second, and the other way.
    void exchange(const Bodies& one, const ContactEnergy& of_one, const Bodies& two,
                  const ContactEnergy& of_two);

    /// All counts from now on; `stored`: by each account.
    void start(const std::vector<ContactEnergy>& stored);

    /// Those of all bodies that have touched.
    const std::vector<PlainAccount>& all() const { return accounts_.all(); }
    /// The number + 1 of the account of two bodies; 0: they have not touched.
    std::uint32_t known(const Bodies& bodies) const {
        const Bodies b = ordered(bodies);
        return accounts_.known(b.first, b.second);
    }
    /// What the pairs of each account store now; stored(visit): calls visit(bodies, energy) for
    /// each pair.
    template <class Stored>
    std::vector<ContactEnergy> stored_in_accounts(Stored stored) const {
        std::vector<ContactEnergy> now(accounts_.all().size());
        stored([&](const Bodies& bodies, const ContactEnergy& energy) {
            if (const std::uint32_t number = known(bodies)) now[number - 1].add(energy);
        });
        return now;
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
    template <class Velocity>
    double power_of(const Acting& action, Velocity velocity) const {
        const auto [v, w] = velocity(action.bodies.first);
        double power = dot(action.torque_1, w) - dot(action.force, v);
        if (is_wall(action.bodies.second)) return power;
        const auto [v2, w2] = velocity(action.bodies.second);
        return power + dot(action.torque_2, w2) + dot(action.force, v2);
    }
    template <class Velocity, class Take>
    void each_power(Velocity velocity, Take take) {
        for (const Acting& action : actions_)
            take(accounts_[action.account], power_of(action, velocity));
    }
    const Packing& packing_;
    ContactAccounts<PlainAccount> accounts_;
    std::vector<Acting> actions_;  // of the last step
};

}  // namespace beadwave::packing
