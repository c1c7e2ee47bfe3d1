// The contacts of ellipsoids, superellipsoids and clumps while a packing is pressed (press.hpp).
//
// The stiffness of a contact is that of the place at which it closed or at which the list was
// built, so that between two lists the forces are those of an energy. At rest all are made anew for
// the present places: these are the forces with which a run begins.

#include "packing/build/particle_shapes.hpp"
#include "packing/build/press_springs.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing/edges.hpp"
#include "packing/neighbours/neighbour_list.hpp"
#include "packing/neighbours/pair_matching.hpp"
#include "packing/shaped/shaped_member.hpp"
#include "packing/shaped/shaped_touch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace beadwave::packing {
namespace {

class ShapesOfPacking final : public PressSprings {
  public:
    explicit ShapesOfPacking(Packing& packing)
        : PressSprings(packing), laws_(packing), smallest_(smallest_of(packing)) {
        force.resize(2 * packing.particles());
    }

    void list() override {
        body_.clear();
        for (std::size_t i = 0; i < packing_.particles(); ++i)
            body_.push_back(particle_at_start(packing_, i));
        member_ = members_at_start(packing_);
        std::vector<double> radius;
        listed_at_.clear();
        for (const ShapedMember& member : member_) {
            radius.push_back(member.radius);
            listed_at_.push_back(place_of(member));
        }
        const std::vector<Vec3> none;
        list_ = find_neighbours({.position = listed_at_,
                                 .radius = radius,
                                 .walls = packing_.walls,
                                 .moved = none,
                                 .box = packing_.box,
                                 .skin = skin_});
        leave_out_own_pairs(list_, member_);
        contact_.clear();
        const Edges edges = Edges::of_box(packing_.box);
        for (std::size_t p = 0; p < list_.pairs(); ++p) {
            const PairKey key = pair_key(list_, member_.size(), p);
            Contact contact{
                .first = key.first, .second = key.second, .shift = edges.shift(key.image)};
            contact_.push_back(contact);
        }
    }

    bool list_is_old() const override {
        double moved = 0.0;
        for (std::size_t m = 0; m < member_.size(); ++m) {
            const Vec3 d = place_of(member_[m]) - listed_at_[m];
            moved = std::max(moved, dot(d, d));
        }
        return 2.0 * std::sqrt(moved) >= skin_;
    }

    void evaluate() override {
        std::ranges::fill(force, Vec3{});
        stiffest = deepest = 0.0;
        Sums sums;
        for (Contact& contact : contact_)
            add(contact, sums);
        finish(sums);
    }

    void move(double time, const std::vector<Vec3>& velocity) override {
        const std::size_t n = packing_.particles();
        for (std::size_t i = 0; i < n; ++i) {
            ShapedParticle& body = body_[i];
            packing_.position[i] += time * velocity[i];
            body.start = packing_.position[i];
            body.orientation =
                turned(body.orientation, (time / packing_.radius[i]) * velocity[n + i]);
            packing_.orientation[i] = body.given_orientation();
        }
        for (ShapedMember& member : member_) {
            if (member.of_clump)
                member.place = to_space(body_[member.body].orientation, member.centre);
        }
    }

    bool renew_laws() override {
        for (Contact& contact : contact_)
            contact.normal_law.reset();
        evaluate();
        return true;
    }

    double smallest() const override { return smallest_; }
    double mass(std::size_t coordinate) const override {
        return packing_.mass[coordinate % packing_.particles()];
    }

  private:
    struct Contact {
        std::uint32_t first = 0, second = 0;  ///< members
        Vec3 shift{};                         ///< of the second [m]
        Vec3 normal{};                        ///< the last that was searched for; 0: none
        std::optional<laws::AnyLaw> normal_law{};
    };

    static double smallest_of(const Packing& packing) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < packing.particles(); ++i)
            least = std::min(least, smallest_size(packing, i));
        return least;
    }

    Vec3 place_of(const ShapedMember& member) const {
        return packing_.position[member.body] + member.place;
    }

    void add(Contact& contact, Sums& sums) {
        const ShapedMember &first = member_[contact.first], &second = member_[contact.second];
        const Vec3 between = packing_.position[second.body] - packing_.position[first.body];
        const Vec3 branch = between + contact.shift + (second.place - first.place);
        const double radii = first.radius + second.radius;
        const bool far = !(dot(branch, branch) < radii * radii);
        if (far) {
            contact.normal_law.reset();
            return;
        }
        const ShapedParticle a = as_member(body_[first.body], first),
                             b = as_member(body_[second.body], second);
        const bool round = first.is_ball() && second.is_ball();
        if (!round && contact.normal != Vec3{} && gap_along(a, b, branch, contact.normal) > 0.0) {
            contact.normal_law.reset();
            return;
        }
        const Touch touch = round ? touch_of_balls(first.radius, second.radius, branch)
                                  : touch_of_shapes(contact, a, b, branch);
        contact.normal = touch.normal;
        if (!(touch.overlap > 0.0)) {
            contact.normal_law.reset();
            return;
        }
        if (!contact.normal_law) contact.normal_law = law_at(contact, a, b, branch);
        press_apart(first, second, touch, contact.normal_law->respond(touch.overlap, 0.0, {}).force,
                    between + contact.shift, sums);
    }

    static Touch touch_of_shapes(const Contact& contact, const ShapedParticle& a,
                                 const ShapedParticle& b, const Vec3& branch) {
        // The normal alone leads on between ellipsoids.
        if (contact.normal_law && !a.is_superellipsoid() && !b.is_superellipsoid()) {
            const auto touch =
                touch_near(shapes::TurnedShape(a.shape_at({})), shapes::TurnedShape(b.shape_at({})),
                           branch, {.normal = contact.normal}, a.radius / (a.radius + b.radius));
            if (touch) return *touch;
        }
        return touch_of(a, b, branch, contact.normal);
    }

    /// `branch`: between the centres of the bodies.
    void press_apart(const ShapedMember& first, const ShapedMember& second, const Touch& touch,
                     double f, const Vec3& branch, Sums& sums) {
        const std::size_t n = packing_.particles();
        const Vec3 on_second = f * touch.normal;
        force[first.body] -= on_second;
        force[second.body] += on_second;
        const auto turn = [&](const ShapedMember& member, const Vec3& arm, const Vec3& on) {
            force[n + member.body] +=
                (1.0 / packing_.radius[member.body]) * cross(member.place + arm, on);
        };
        // The normal force between the centres of balls has no lever; rounding would give it one.
        const bool levers = !(first.is_ball() && second.is_ball());
        if (levers || first.of_clump) turn(first, touch.arm_1, -on_second);
        if (levers || second.of_clump) turn(second, touch.arm_2, on_second);
        sums.forces += f;
        sums.virial += dot(on_second, branch);
        sums.contacts += 1.0;
        deepest = std::max(deepest, depth_of(touch.overlap, first, second));
        // No law here is stiffer than twice its chord; the lever is no longer than the radius.
        const double mass = std::min(packing_.mass[first.body], packing_.mass[second.body]);
        stiffest = std::max(stiffest, 2.0 * 2.0 * f / (touch.overlap * mass));
    }

    static double depth_of(double overlap, const ShapedMember& first, const ShapedMember& second) {
        return overlap / (first.smallest_axis() + second.smallest_axis());
    }

    laws::AnyLaw law_at(const Contact& contact, const ShapedParticle& a, const ShapedParticle& b,
                        const Vec3& branch) const {
        const std::size_t one = packing_.species[member_[contact.first].body],
                          two = packing_.species[member_[contact.second].body];
        return law_of(closing_of(a, b, branch, contact.normal), a.mean_turning() + b.mean_turning(),
                      laws_.settings_of(one, two), packing_.species_list[one].elasticity,
                      packing_.species_list[two].elasticity)
            .normal;
    }

    PairLaws laws_;
    double smallest_;
    double skin_ = 0.3 * packing_.radius.smallest();
    std::vector<ShapedParticle> body_;
    std::vector<ShapedMember> member_;
    NeighbourList list_;
    std::vector<Contact> contact_;
    std::vector<Vec3> listed_at_;
};

}  // namespace

std::unique_ptr<PressSprings> springs_of_shapes(Packing& packing) {
    return std::make_unique<ShapesOfPacking>(packing);
}

}  // namespace beadwave::packing
