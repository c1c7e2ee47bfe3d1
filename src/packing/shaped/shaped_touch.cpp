#include "packing/shaped/shaped_touch.hpp"

#include "beadwave/laws/catalogue.hpp"
#include "laws/tangential/make_dashpot.hpp"
#include "packing/shaped/flat_places.hpp"
#include "shapes/elliptic_stiffness.hpp"
#include "shapes/near_normal.hpp"
#include "shapes/superellipsoid_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace beadwave::packing {
namespace {

shapes::CommonNormal normal_of(const ShapedParticle& first, const ShapedParticle& second,
                               const Vec3& branch, const Vec3& guess) {
    return common_normal(first.shape_at({}), second.shape_at(branch), guess);
}

shapes::PlaneContact plane_contact_of(const ShapedParticle& first, const Vec3& wall_normal,
                                      double height) {
    return contact(first.shape_at({}), {.normal = wall_normal, .offset = -height});
}

Closing closing_on_gap(const shapes::Curvatures& relative, double size, double mobility) {
    const FlatEllipse gap = ellipse_of_gap(relative, size);
    Closing closing = closing_on(gap.ellipse, mobility);
    closing.flat = gap.bounded;
    return closing;
}

}  // namespace

Closing closing_on(const laws::ContactEllipse& ellipse, double mobility) {
    constexpr double rounding = 1e-12;
    const double q = ellipse.axis_ratio;
    return {.radius = ellipse.equivalent_radius,
            .axis_ratio = std::abs(q - 1.0) < rounding ? 1.0 : q,
            .slip_radius = shapes::slip_radius(ellipse),
            .mass = 1.0 / mobility};
}

Touch touch_of(const ShapedParticle& first, const ShapedParticle& second, const Vec3& branch,
               const Vec3& guess) {
    const shapes::CommonNormal c = normal_of(first, second, branch, guess);
    const double depth = c.overlap * first.radius / (first.radius + second.radius);
    const Vec3 arm = c.point_1 - depth * c.normal;
    return {.normal = c.normal,
            .overlap = c.overlap,
            .arm_1 = arm,
            .arm_2 = arm - branch,
            .certain = c.certain};
}

std::optional<Touch> touch_near(const shapes::TurnedShape& first, const shapes::TurnedShape& second,
                                const Vec3& branch, const Touch& last, double share) {
    const Vec3 arm_1 = last.arm_1 + (share * last.overlap) * last.normal,
               arm_2 = last.arm_2 - ((1.0 - share) * last.overlap) * last.normal;
    const auto found =
        near_normal(first, second, branch, {last.normal, last.overlap, arm_1, arm_2});
    if (!found) return std::nullopt;
    const Vec3 arm = found->arm_1 - (share * found->overlap) * found->normal;
    return Touch{.normal = found->normal,
                 .overlap = found->overlap,
                 .arm_1 = arm,
                 .arm_2 = arm - branch,
                 .certain = true};
}

Touch touch_of(const ShapedParticle& first, const Vec3& wall_normal, double height) {
    const shapes::Superellipsoid shape = first.shape_at({});
    const double overlap = reach(shape, -wall_normal) - height;
    return {.normal = -wall_normal,
            .overlap = overlap,
            .arm_1 = reach_point(shape, -wall_normal) + overlap * wall_normal,
            .arm_2 = {},
            .certain = true};
}

Touch touch_of_ball(double radius, const Vec3& wall_normal, double height) {
    return {.normal = -wall_normal,
            .overlap = radius - height,
            .arm_1 = -height * wall_normal,
            .arm_2 = {},
            .certain = true};
}

double gap_along(const ShapedParticle& first, const ShapedParticle& second, const Vec3& branch,
                 const Vec3& n) {
    return dot(n, branch) - (reach(first.shape_at({}), n) + reach(second.shape_at({}), n));
}

Closing closing_of(const ShapedParticle& first, const ShapedParticle& second, const Vec3& branch,
                   const Vec3& guess) {
    const shapes::CommonNormal c = normal_of(first, second, branch, guess);
    const double mobility =
        first.mobility(c.point_1, c.normal) + second.mobility(c.point_2 - branch, c.normal);
    if (first.is_superellipsoid() || second.is_superellipsoid())
        return closing_on_gap(c.relative, std::min(first.radius, second.radius), mobility);
    return closing_on(ellipse(c), mobility);
}

Closing closing_of(const ShapedParticle& first, const Vec3& wall_normal, double height) {
    const shapes::PlaneContact c = plane_contact_of(first, wall_normal, height);
    const double mobility = first.mobility(c.point, wall_normal);
    if (first.is_superellipsoid()) return closing_on_gap(c.curvatures, first.radius, mobility);
    return closing_on(ellipse(c), mobility);
}

PairLaw law_of(const Closing& closing, double turning, const PairSettings& settings,
               const laws::Elasticity& a, const laws::Elasticity& b) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const laws::Contact contact =
        laws::contact_of_radius(closing.radius, closing.axis_ratio, closing.mass, a, infinite, b);
    const laws::AnyLaw normal = laws::make(contact, settings.law);
    const double shear = laws::effective_shear_modulus(a, b);
    return {
        .normal = normal,
        .slider = laws::make_slider(
            settings.friction, closing.slip_radius, shear,
            laws::make_dashpot(settings.friction, contact, shear, normal, settings.law)),
        .rolling = settings.rolling.acts()
                       ? laws::make_rolling(settings.rolling, closing.radius, shear, 1.0 / turning)
                       : laws::make_rolling({}, 0.0, 0.0, 0.0)};
}

}  // namespace beadwave::packing
