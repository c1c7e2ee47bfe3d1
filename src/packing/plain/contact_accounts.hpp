// What each contact of a packing dissipated, in the plain engine. The sums over all contacts, which
// the ledger has, are
//
//     normal      = work of walls and images on the contacts - work of the contacts on particles
//                   - work on tangential springs and sliders - what the normal laws store now
//                   + what they stored at the start
//     tangential  = work on tangential springs and sliders - what the springs store now
//
// Every term is a sum over contacts, so each contact has an account with its own terms. An account
// belongs to two bodies and not to a pair of the neighbour list, which comes and goes: a particle
// and another one, with all its images, or a particle and a wall, with all its triangles.
#pragma once

#include "packing/contact_dissipation.hpp"
#include "packing/edges.hpp"
#include "packing/packing.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace beadwave::packing {

/// What a contact stores [J].
struct ContactEnergy {
    double normal = 0.0, sliding = 0.0, rolling = 0.0, twisting = 0.0;

    double tangential() const { return sliding + rolling + twisting; }
};

/// The force and torques of one pair in the present step.
struct PairAction {
    std::uint32_t account = 0;                   ///< its number + 1; 0: it never touched
    Vec3 force{};                                ///< on the second body [N]
    Vec3 torque_on_first{}, torque_on_second{};  ///< [N m]
};

struct ContactAccount {
    std::uint32_t first = 0, second = 0;  ///< as ContactDissipation
    double power = 0.0;                   ///< of the contact on particles, summed over steps [W]
    double power_now = 0.0;               ///< at this step [W]
    double power_at_start = 0.0;          ///< [W]
    double given = 0.0;  ///< work of a moving wall, or of images, on the contact [J]
    double sliding = 0.0, rolling = 0.0, twisting = 0.0;  ///< work on springs and sliders [J]
    double initial = 0.0;                                 ///< stored by the normal law [J]
    // Of this step and the one before, on a wall, or on the edges of the box by images.
    Vec3 on_wall{}, on_wall_before{};                    ///< [N]
    double wall_torque = 0.0, wall_torque_before = 0.0;  ///< about its direction [N m]
    Edges on_edges{}, on_edges_before{};                 ///< [N]
    static constexpr std::size_t numbers = 18 + 2 * Edges::numbers;

    /// Since the start [J].
    DissipationParts dissipated(const ContactEnergy& stored, double time_step) const {
        const double on_particles = time_step * (power - 0.5 * power_now + 0.5 * power_at_start);
        return {.normal = given - on_particles - (sliding + rolling + twisting) -
                          (stored.normal - initial),
                .sliding = sliding - stored.sliding,
                .rolling = rolling - stored.rolling,
                .twisting = twisting - stored.twisting};
    }

    /// What is stored in it leaves the packing: nothing of it was dissipated.
    void release(const ContactEnergy& stored) {
        initial -= stored.normal + stored.tangential();
        sliding -= stored.sliding;
        rolling -= stored.rolling;
        twisting -= stored.twisting;
    }

    /// Calls visit(number) for each number of it.
    template <class Self, class Visit>
    static void each_number(Self& self, Visit visit) {
        for (auto* number : {&self.power, &self.power_now, &self.power_at_start, &self.given,
                             &self.sliding, &self.rolling, &self.twisting, &self.initial})
            visit(*number);
        for (auto* vector : {&self.on_wall, &self.on_wall_before})
            visit(vector->x), visit(vector->y), visit(vector->z);
        visit(self.wall_torque), visit(self.wall_torque_before);
        for (auto* edges : {&self.on_edges, &self.on_edges_before})
            for (auto& number : edges->of)
                visit(number);
    }
};

class ContactAccounts {
  public:
    /// The number + 1 of the account of two bodies; opens it at the first call.
    std::uint32_t of(std::uint32_t first, std::uint32_t second);
    ContactAccount& operator[](std::uint32_t number) { return accounts_[number - 1]; }
    std::vector<ContactAccount>& all() { return accounts_; }
    const std::vector<ContactAccount>& all() const { return accounts_; }

    std::vector<double> numbers() const;
    /// Throws std::invalid_argument if these are no numbers(), with bodies below `bodies`.
    void restore(std::span<const double> numbers, std::size_t bodies);

  private:
    std::vector<ContactAccount> accounts_;
    std::unordered_map<std::uint64_t, std::uint32_t> number_;
};

}  // namespace beadwave::packing
