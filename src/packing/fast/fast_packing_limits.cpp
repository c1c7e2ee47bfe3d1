// Stability limits of the fast engine, also of ranks together.

#include "beadwave/laws/slopes.hpp"
#include "fast_packing_engine.hpp"
#include "packing/neighbours/pair_matching.hpp"
#include "packing/walls/wall_limits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <vector>

namespace beadwave::packing {
namespace {

/// What a contact adds to the limits of a wall with a load or of the pistons of a box.
struct LimitingContact {
    double number;  ///< in the order of all ranks
    double wall;    ///< -1: a pair of particles
    Vec3 branch;    ///< [m]
    double stiffness, damping;
};

/// Contacts of walls with a load, and all contacts in a box with pistons.
void add_shared_limits(const std::vector<LimitingContact>& own, ranks::Communicator& ranks,
                       bool loaded, std::size_t number_of_walls, const BoxMotion& motion,
                       WallLimits& walls, BoxMotion::Limits& box) {
    if (loaded) {
        std::vector<LimitingContact> of_walls, all;
        std::ranges::copy_if(own, std::back_inserter(of_walls),
                             [](const LimitingContact& each) { return each.wall >= 0.0; });
        for (const auto& theirs : ranks.gather_numbers_to_all<LimitingContact>(of_walls))
            all.insert(all.end(), theirs.begin(), theirs.end());
        std::ranges::sort(all, {}, &LimitingContact::number);
        for (const LimitingContact& each : all)
            walls.add(static_cast<std::size_t>(each.wall), each.stiffness, each.damping);
    }
    if (!motion.has_pistons()) return;
    // All contacts count, in the order of one process: rank after rank adds its own to the sums.
    const auto count = static_cast<std::size_t>(ranks.count());
    std::size_t next = 0;
    for (double wall = -1.0; wall < static_cast<double>(number_of_walls); ++wall) {
        for (std::size_t r = 0; r < count; ++r) {
            if (static_cast<int>(r) == ranks.rank()) {
                for (; next < own.size() && own[next].wall == wall; ++next) {
                    motion.add_contact(box, own[next].branch, own[next].stiffness,
                                       own[next].damping);
                }
            }
            std::array<double, 6> sums{};
            std::ranges::copy(box.stiffness, sums.begin());
            std::ranges::copy(box.damping, sums.begin() + 3);
            std::vector<std::size_t> begin(count + 1, 0);
            std::fill(begin.begin() + static_cast<std::ptrdiff_t>(r) + 1, begin.end(), 6);
            ranks.share(sums, begin);
            std::copy_n(sums.begin(), 3, box.stiffness.begin());
            std::copy_n(sums.begin() + 3, 3, box.damping.begin());
        }
    }
}

}  // namespace

FastPackingEngine::ContactSlopes FastPackingEngine::slopes_of_contact(std::uint32_t e,
                                                                      double speed) const {
    if (contacts_.are_apart(e)) return {};
    const PairGeometry<double> s = contacts_.geometry(e);
    if (!contacts_.touches(e, s.overlap)) return {};
    const PairLaw& law = contacts_.law(e);
    const double approach =
        -dot(velocity_of(contacts_.entries.second[e]) - velocity_of(contacts_.entries.first[e]),
             s.normal);
    const laws::Slopes<double> slope =
        laws::slopes_of(law.normal, s.overlap, approach, contacts_.memory.normal(e), speed, dt_);
    const double size = contacts_.grip(e, s.overlap, 0.0).overlap;
    return {.touches = true,
            .branch = s.branch,
            .stiffness = slope.stiffness,
            .damping = slope.damping,
            .tangential = laws::tangential_stiffness(law.slider, size),
            .dashpot = laws::tangential_damping(law.slider, size)};
}

StabilityLimits FastPackingEngine::stability_limits(double speed) const {
    bodies_.exchange_velocities();
    WallLimits walls(packing_);
    BoxMotion::Limits box;
    std::vector<double> stiffness(bodies_.held(), 0.0), damping(bodies_.held(), 0.0);
    std::vector<LimitingContact> limiting;
    // The slopes of a law take longer than all else, so threads find those of many contacts; the
    // sums stay in the order of the list.
    constexpr std::size_t most = 16384;
    std::vector<ContactSlopes> of_contact(std::min(most, contacts_.listed.size()));
    for (std::size_t p = 0; p < contacts_.listed.size(); ++p) {
        if (p % most == 0) {
            const std::size_t count = std::min(most, contacts_.listed.size() - p);
#pragma omp parallel for num_threads(threads_) if (threads_ > 1 && count > 64)
            for (std::size_t k = 0; k < count; ++k) {
                if (k + laws_ahead < count)
                    prefetch(contacts_.law(contacts_.listed[p + k + laws_ahead]));
                of_contact[k] = slopes_of_contact(contacts_.listed[p + k], speed);
            }
        }
        const ContactSlopes& slope = of_contact[p % most];
        if (!slope.touches) continue;
        const std::uint32_t e = contacts_.listed[p];
        const auto add = [&](std::uint32_t i) {
            if (bodies_.is_held(i)) return;
            const double r = bodies_.radius(i), mass = bodies_.mass(i);
            const double arm = 1.0 + mass * r * r / bodies_.inertia(i);
            stiffness[i] += (slope.stiffness + arm * slope.tangential) / mass;
            damping[i] += (slope.damping + arm * slope.dashpot) / mass;
        };
        add(contacts_.entries.first[e]);
        const PairKey key = contacts_.key(e);
        if (key.wall < 0) add(key.second);
        if (share_.shared()) {
            const bool limits =
                box_.has_pistons() ||
                (key.wall >= 0 && packing_.walls[static_cast<std::size_t>(key.wall)].load);
            if (p >= contacts_.of_others && limits) {
                limiting.push_back({static_cast<double>(sums_.pair_number(p - contacts_.of_others)),
                                    static_cast<double>(key.wall), slope.branch,
                                    slope.stiffness + slope.tangential, slope.damping});
            }
            continue;
        }
        box_.add_contact(box, slope.branch, slope.stiffness + slope.tangential, slope.damping);
        if (key.wall >= 0) {
            walls.add(static_cast<std::size_t>(key.wall), slope.stiffness + slope.tangential,
                      slope.damping);
        }
    }
    for (std::size_t c = 0; c < elements_.stepper.carriers(); ++c) {
        const std::size_t i = bodies_.body_of(elements_.stepper.particle(c));
        if (!share_.has(i)) continue;
        const ElementStepper::Limits own =
            elements_.stepper.limits(c, bodies_.displacement_from_start(i));
        stiffness[i] += own.stiffness + own.inner_stiffness;
        damping[i] += own.damping + own.inner_damping;
    }
    const auto largest_of = [&](const std::vector<double>& all) {
        return *std::max_element(all.begin() + static_cast<std::ptrdiff_t>(share_.begin()),
                                 all.begin() + static_cast<std::ptrdiff_t>(share_.end()));
    };
    double largest[] = {largest_of(stiffness), largest_of(damping)};
    if (share_.shared()) {
        share_.ranks().largest(largest);
        add_shared_limits(limiting, share_.ranks(), walls_.loads.any(), packing_.walls.size(), box_,
                          walls, box);
    }
    double &stiffest = largest[0], &most_damped = largest[1];
    box_.raise(box, stiffest, most_damped);
    return walls.limits_with(stiffest, most_damped);
}

}  // namespace beadwave::packing
