#include "packing/build/press.hpp"

#include "beadwave/argument_error.hpp"
#include "laws/neck.hpp"
#include "packing/build/press_springs.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing/edges.hpp"
#include "packing/neighbours/neighbour_list.hpp"
#include "packing/neighbours/pair_matching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

namespace beadwave::packing {
namespace {

constexpr int most_rounds = 400;
constexpr std::int64_t most_steps = 200'000;  // of one round
constexpr double pressure_tolerance = 1e-3;

class SpheresOfPacking final : public PressSprings {
  public:
    explicit SpheresOfPacking(Packing& packing)
        : PressSprings(packing), laws_(packing), radius_(packing.radius), mass_(packing.mass) {
        force.resize(packing.particles());
    }

    void list() override {
        const std::vector<Vec3> none;
        position_ = packing_.position;
        list_ = find_neighbours({.position = position_,
                                 .radius = radius_,
                                 .walls = packing_.walls,
                                 .moved = none,
                                 .box = packing_.box,
                                 .skin = skin_});
        laws_.forget();
        shift_.clear(), second_.clear(), kind_.clear();
        const Edges edges = Edges::of_box(packing_.box);
        for (std::size_t p = 0; p < list_.pairs(); ++p) {
            const PairKey key = pair_key(list_, packing_.particles(), p);
            second_.push_back(key.second);
            shift_.push_back(edges.shift(key.image));
            kind_.push_back(laws_.kind(key.first, key.second));
        }
        listed_at_ = position_;
    }

    bool list_is_old() const override {
        double moved = 0.0;
        for (std::size_t i = 0; i < packing_.particles(); ++i) {
            const Vec3 d = position_[i] - listed_at_[i];
            moved = std::max(moved, dot(d, d));
        }
        return 2.0 * std::sqrt(moved) >= skin_;
    }

    void evaluate() override {
        std::ranges::fill(force, Vec3{});
        Sums sums;
        stiffest = deepest = 0.0;
        for (std::size_t p = 0; p < second_.size(); ++p) {
            const std::uint32_t i = list_.first[p], j = second_[p];
            const Vec3 branch = position_[j] - position_[i] + shift_[p];
            const double radii = radius_[i] + radius_[j];
            const double squared = dot(branch, branch);
            if (!(squared < radii * radii)) continue;
            const double distance = std::sqrt(squared), overlap = radii - distance;
            const double f = laws_.law(kind_[p]).normal.respond(overlap, 0.0, {}).force;
            const Vec3 on_second = (f / distance) * branch;
            force[i] -= on_second;
            force[j] += on_second;
            sums.forces += f;
            sums.virial += f * distance;
            sums.contacts += 1.0;
            deepest = std::max(deepest, overlap / radii);
            // No law here is stiffer than twice its chord.
            const double mass = std::min(mass_[i], mass_[j]);
            stiffest = std::max(stiffest, 2.0 * f / (overlap * mass));
        }
        finish(sums);
    }

    void move(double time, const std::vector<Vec3>& velocity) override {
        for (std::size_t i = 0; i < packing_.particles(); ++i)
            packing_.position[i] = position_[i] += time * velocity[i];
    }
    double smallest() const override { return *std::ranges::min_element(radius_); }
    double mass(std::size_t i) const override { return mass_[i]; }

  private:
    PairLaws laws_;
    // Of all particles, for loops over pairs; columns are slower to read.
    std::vector<double> radius_, mass_;
    std::vector<Vec3> position_;
    double skin_ = 0.3 * *std::ranges::min_element(radius_);
    NeighbourList list_;
    std::vector<std::uint32_t> second_, kind_;
    std::vector<Vec3> shift_, listed_at_;
};

std::unique_ptr<PressSprings> springs_of(Packing& packing) {
    if (packing.has_shapes()) return springs_of_shapes(packing);
    return std::make_unique<SpheresOfPacking>(packing);
}

/// FIRE; true: at rest, or at less than `loose` [Pa].
bool relax(PressSprings& springs, double tolerance, double loose) {
    const std::size_t n = springs.force.size();
    std::vector<Vec3> velocity(n);
    springs.list();
    springs.evaluate();
    const double farthest = 0.02 * springs.smallest();  // in one step
    constexpr double first_mixing = 0.25, touch = 1e-9;
    double step = 0.0, mixing = first_mixing;
    int downhill = 0;
    for (std::int64_t count = 0; count < most_steps; ++count) {
        if (std::isnan(springs.pressure)) return false;
        if (!(springs.pressure > loose) || springs.deepest < touch) return true;
        const auto at_rest = [&] { return springs.net_force <= tolerance * springs.mean_force; };
        if (at_rest() && (!springs.renew_laws() || at_rest())) return true;
        // A particle among twelve contacts vibrates with up to sqrt(8) times that of one.
        const double longest = 0.5 / std::sqrt(springs.stiffest);
        if (count == 0) step = 0.1 * longest;
        double power = 0.0, speed = 0.0, size = 0.0;
        for (std::size_t i = 0; i < n; ++i)
            power += dot(springs.force[i], velocity[i]);
        if (power > 0.0) {
            if (++downhill > 20) step *= 1.1, mixing *= 0.99;
        } else {
            springs.move(-0.5 * step, velocity);
            std::ranges::fill(velocity, Vec3{});
            if (count > 20) step *= 0.5;
            downhill = 0, mixing = first_mixing;
        }
        step = std::clamp(step, 0.02 * longest, longest);
        for (std::size_t i = 0; i < n; ++i) {
            velocity[i] += (step / springs.mass(i)) * springs.force[i];
            speed += dot(velocity[i], velocity[i]);
            size += dot(springs.force[i], springs.force[i]);
        }
        const double turn = mixing * std::sqrt(speed / size);
        double fastest = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            velocity[i] = (1.0 - mixing) * velocity[i] + turn * springs.force[i];
            fastest = std::max(fastest, dot(velocity[i], velocity[i]));
        }
        const double moved = std::min(step, farthest / std::sqrt(fastest));
        springs.move(moved, velocity);
        if (springs.list_is_old()) springs.list();
        springs.evaluate();
    }
    return false;
}

void shrink(Packing& packing, double factor) {
    const Vec3 lower = packing.box.lower;
    for (std::size_t i = 0; i < packing.particles(); ++i) {
        Vec3& place = packing.position[i];
        place = lower + factor * (place - lower);
    }
    packing.box.upper = lower + factor * (packing.box.upper - lower);
}

void check(const Packing& packing, const PressPlan& plan, double fraction) {
    for (int axis = 0; axis < packing.dimension; ++axis) {
        if (packing.box.periodic[axis]) continue;
        throw ArgumentError(fmt::format(
            "the box is not periodic along {}; expected a box that repeats along all axes",
            "xyz"[axis]));
    }
    if (laws::is_adhesive(packing.law.name))
        throw ArgumentError(fmt::format(
            "particles under the law {} pull each other, so none come to rest without contact; "
            "expected a law without adhesion",
            packing.law.name));
    if (!packing.pours.empty() || !packing.exits.empty())
        throw ArgumentError(
            "a packing is pressed before the run, and a pour or an exit acts during it; expected a "
            "packing without them; pistons of the box press during the run, from their start on");
    if (!packing.walls.empty())
        throw ArgumentError("the packing has walls; expected a periodic box without walls");
    for (std::size_t i = 0; i < packing.particles(); ++i) {
        if (packing.is_fixed(i))
            throw ArgumentError(fmt::format("particle {} is fixed; expected free ones", i));
    }
    if (plan.volume_fraction && fraction > *plan.volume_fraction) {
        throw ArgumentError(fmt::format(
            "the particles already fill {:.4g} of the box; expected a fraction above that, up to "
            "which it is pressed, or a larger box",
            fraction));
    }
}

[[noreturn]] void give_up(const PressSprings& springs, const char* what) {
    throw ArgumentError(fmt::format(
        "{}; the fraction is {:.4g}, the pressure {:.4g}, and the largest net force {:.2g} of the "
        "mean contact force; expected a larger pressure, or a larger tolerance",
        what, springs.solid() / springs.volume(), springs.pressure, springs.imbalance()));
}

void check_width(const Packing& packing, double fraction) {
    const Vec3 width = packing.box.upper - packing.box.lower;
    const double edges[] = {width.x, width.y, width.z}, least = narrowest_box(packing);
    for (int axis = 0; axis < packing.dimension; ++axis) {
        if (edges[axis] >= least) continue;
        throw ArgumentError(fmt::format(
            "at the fraction {:.4g} the box is {:g} m wide along {}, and images of one particle "
            "come near each other; expected more particles, so that it stays wider than {:g} m",
            fraction, edges[axis], "xyz"[axis], least));
    }
}

}  // namespace

Pressed press(Packing& packing, const PressPlan& plan) {
    const std::unique_ptr<PressSprings> made = springs_of(packing);
    PressSprings& springs = *made;
    const double solid = springs.solid(), d = packing.dimension;
    const auto fraction = [&] { return solid / springs.volume(); };
    check(packing, plan, fraction());
    double strain = 0.01;  // of a round
    int rounds = 0;
    // At less than this the packing is loose, and need not come to rest.
    const double loose = plan.pressure ? 0.1 * *plan.pressure : 0.0;
    const auto rest = [&] {
        check_width(packing, fraction());
        if (!relax(springs, plan.tolerance, loose))
            give_up(springs, "the packing did not come to rest in 200,000 steps");
    };
    rest();
    if (plan.volume_fraction) {
        for (double whole = std::pow(fraction() / *plan.volume_fraction, 1.0 / d);
             rounds == 0 || whole < 1.0; ++rounds) {
            shrink(packing, std::max(whole, 1.0 - strain));
            whole = fraction() < *plan.volume_fraction * (1.0 - 1e-14)
                        ? std::pow(fraction() / *plan.volume_fraction, 1.0 / d)
                        : 1.0;
            rest();
        }
    } else {
        if (springs.pressure > *plan.pressure * (1.0 + pressure_tolerance)) {
            throw ArgumentError(fmt::format(
                "at rest the packing already has the pressure {:.4g}; expected a larger pressure, "
                "or a larger box",
                springs.pressure));
        }
        while (springs.pressure < *plan.pressure * (1.0 - pressure_tolerance)) {
            if (++rounds > most_rounds || strain < 1e-14)
                give_up(springs, "no box has the pressure");
            const std::vector<Vec3> place = packing.position;
            const std::vector<shapes::Quaternion> orientation = packing.orientation;
            const Vec3 upper = packing.box.upper;
            shrink(packing, 1.0 - strain);
            rest();
            if (springs.pressure <= *plan.pressure * (1.0 + pressure_tolerance)) continue;
            packing.position = place;
            packing.orientation = orientation;
            packing.box.upper = upper;
            springs.pressure = 0.0;
            strain *= 0.5;
        }
    }
    return {.pressure = springs.pressure,
            .volume_fraction = fraction(),
            .largest_net_force = springs.imbalance(),
            .rounds = rounds};
}

}  // namespace beadwave::packing
