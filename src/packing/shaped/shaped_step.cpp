#include "packing/shaped/shaped_step.hpp"

#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/elliptic_contact.hpp"
#include "laws/tangential/make_dashpot.hpp"
#include "packing/elements/element_limits.hpp"
#include "packing/shaped/flat_places.hpp"
#include "packing/shaped/shaped_member.hpp"
#include "packing/shaped/shaped_touch.hpp"
#include "packing/shaped/start_facings.hpp"
#include "packing/vector_length.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace beadwave::packing {
namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

PointMobility mobility_at(const ShapedParticle& body, const Vec3& arm, const Vec3& normal) {
    return {.along = body.mobility(arm, normal),
            .across = body.largest_mobility(arm),
            .turning = body.largest_turning(),
            .mean_turning = body.mean_turning()};
}

/// A place of a particle's surface.
struct Spot {
    laws::PrincipalRadii radii{endless, endless};  ///< [m]
    PointMobility mobility{};
    double ball = 0.0;      ///< radius of a sphere [m]; 0: it is none
    double size = endless;  ///< largest reach of the body [m]
    bool of_superellipsoid = false;

    double curvature() const {
        if (!of_superellipsoid) return 1.0 / std::sqrt(radii.first * radii.second);
        const double bound = largest_flat_radius * size;
        return 1.0 / std::sqrt(std::min(radii.first, bound) * std::min(radii.second, bound));
    }
};

/// The three places of one material; see possible_shaped_impacts().
struct Spots {
    std::size_t species;
    Spot shortest, lightest, flattest;

    std::array<const Spot*, 3> all() const { return {&shortest, &lightest, &flattest}; }
};

/// Fifth power of the duration of an elastic impact, but for what is the same everywhere.
double duration_of(const Spot& spot) {
    return spot.curvature() / (spot.mobility.along * spot.mobility.along);
}

void include_spot(Spots& spots, const Spot& spot) {
    if (duration_of(spot) < duration_of(spots.shortest)) spots.shortest = spot;
    if (spot.mobility.along > spots.lightest.mobility.along) spots.lightest = spot;
    if (spot.curvature() < spots.flattest.curvature()) spots.flattest = spot;
}

/// Visits places of the balls of a clump, all around, except those inside another ball.
template <class Visit>
void visit_spots_of_clump(const Packing& packing, std::size_t i, const Visit& visit) {
    const ShapedParticle body = particle_at_start(packing, i);
    const std::vector<ShapedMember> members = members_of(packing, i);
    constexpr int down = 17, around_all = 32;  // 11.25 degrees
    const double step = std::numbers::pi / (down - 1);
    for (const ShapedMember& member : members) {
        for (int k = 0; k < down * around_all; ++k) {
            const double polar = k % down * step, around = k / down * step;
            const Vec3 n{std::sin(polar) * std::cos(around), std::sin(polar) * std::sin(around),
                         std::cos(polar)};
            const Vec3 arm = member.place + member.radius * n;
            constexpr double rounding = 1e-9;
            const bool bare = std::ranges::none_of(members, [&](const ShapedMember& other) {
                return length_of(arm - other.place) < other.radius * (1.0 - rounding);
            });
            if (!bare) continue;
            visit(Spot{.radii = {member.radius, member.radius},
                       .mobility = mobility_at(body, arm, n),
                       .ball = 0.0,
                       .size = member.radius});
        }
    }
}

/// Visits places of an octant of the surface, which has all that there are.
template <class Visit>
void visit_spots(ShapedParticle body, const Visit& visit) {
    body.orientation = {};
    const shapes::Superellipsoid e = body.shape_at({});
    constexpr int steps = 12;  // 7.5 degrees
    const double step = 0.5 * std::numbers::pi / steps;
    for (int i = 0; i <= steps; ++i) {
        for (int k = 0; k <= (body.is_ball() ? 0 : steps); ++k) {
            const double polar = i * step, around = k * step;
            const Vec3 n{std::sin(polar) * std::cos(around), std::sin(polar) * std::sin(around),
                         std::cos(polar)};
            const shapes::Curvatures bends = principal(bending(e, n), n);
            visit(Spot{.radii = {1.0 / bends.larger, 1.0 / bends.smaller},
                       .mobility = mobility_at(body, reach_point(e, n), n),
                       .ball = body.is_ball() ? body.radius : 0.0,
                       .size = body.radius,
                       .of_superellipsoid = body.is_superellipsoid()});
            if (body.is_ball()) return;
        }
    }
}

std::vector<Spots> spots_of(const Packing& p, bool held) {
    std::vector<std::optional<Spots>> of(p.species_list.size());
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < p.particles(); ++i) {
        if (p.is_held(i) != held) continue;
        const bool same = last && p.species[i] == p.species[*last] &&
                          p.semi_axes[i] == p.semi_axes[*last] && p.mass[i] == p.mass[*last] &&
                          (p.exponents.empty() || p.exponents[i] == p.exponents[*last]) &&
                          (p.clumps.empty() || p.clumps[i] == p.clumps[*last]);
        if (same) continue;
        last = i;
        const auto include = [&](const Spot& spot) {
            auto& spots = of[p.species[i]];
            if (spots)
                include_spot(*spots, spot);
            else
                spots = Spots{p.species[i], spot, spot, spot};
        };
        if (p.is_clump(i))
            visit_spots_of_clump(p, i, include);
        else
            visit_spots(particle_at_start(p, i), include);
    }
    std::vector<Spots> found;
    for (const auto& spots : of) {
        if (spots) found.push_back(*spots);
    }
    return found;
}

/// Contacts of two places, or of one with a flat.
class Impacts {
  public:
    explicit Impacts(const Packing& packing) : packing_(packing), laws_(packing) {}

    void add(std::size_t species, const Spot& spot, std::size_t other_species, const Spot& other) {
        PointMobility both;
        for (double PointMobility::*part : {&PointMobility::along, &PointMobility::across,
                                            &PointMobility::turning, &PointMobility::mean_turning})
            both.*part = spot.mobility.*part + other.mobility.*part;
        impacts_.push_back(
            {.law = law(species, spot, other_species, other, both), .mobility = both});
    }

    std::vector<ShapedImpact> take() { return std::move(impacts_); }

  private:
    PairLaw law(std::size_t species, const Spot& spot, std::size_t other_species, const Spot& other,
                const PointMobility& mobility) const {
        const PairSettings& settings = laws_.settings_of(species, other_species);
        const laws::Elasticity& a = packing_.species_list[species].elasticity;
        const laws::Elasticity& b = packing_.species_list[other_species].elasticity;
        const bool flat = std::isinf(other.radii.first);
        if (spot.ball > 0.0 && (flat || other.ball > 0.0)) {
            // Laws that need both bodies have them between spheres.
            const laws::Contact contact = laws::sphere_contact(
                spot.ball, 1.0 / mobility.along, a, flat ? endless : other.ball, endless, b);
            const laws::AnyLaw normal = laws::make(contact, settings.law);
            const double shear = laws::effective_shear_modulus(a, b);
            return {.normal = normal,
                    .slider = laws::make_slider(settings.friction, contact.radius, shear,
                                                laws::make_dashpot(settings.friction, contact,
                                                                   shear, normal, settings.law)),
                    .rolling = settings.rolling.acts()
                                   ? laws::make_rolling(settings.rolling, contact.radius, shear,
                                                        1.0 / mobility.mean_turning)
                                   : laws::make_rolling({}, 0.0, 0.0, 0.0)};
        }
        const laws::ContactEllipse ellipse =
            spot.of_superellipsoid || other.of_superellipsoid
                ? ellipse_of_gap({.larger = 1.0 / spot.radii.first + 1.0 / other.radii.first,
                                  .smaller = 1.0 / spot.radii.second + 1.0 / other.radii.second,
                                  .direction = {}},
                                 std::min(spot.size, other.size))
                      .ellipse
                : laws::contact_ellipse(spot.radii, other.radii, 0.0);
        return law_of(closing_on(ellipse, mobility.along), mobility.mean_turning, settings, a, b);
    }

    const Packing& packing_;
    PairLaws laws_;
    std::vector<ShapedImpact> impacts_;
};

void add_overlap_of(std::vector<ShapedOverlap>& all, const Packing& packing, const PairLaws& laws,
                    ShapedOverlap now, const Touch& touch, const Closing& closing,
                    std::size_t other_species) {
    now.contact.direction = touch.normal;
    now.contact.overlap = touch.overlap;
    const std::size_t species = packing.species[now.contact.first];
    now.law =
        law_of(closing, now.mobility[0].mean_turning + now.mobility[1].mean_turning,
               laws.settings_of(species, other_species), packing.species_list[species].elasticity,
               packing.species_list[other_species].elasticity);
    all.push_back(std::move(now));
}

/// Adds the overlap of a member whose centre is `height` above a wall [m]; `balls`: the particle
/// and the wall, with the direction from one to the other.
void add_overlap_with_wall(std::vector<ShapedOverlap>& all, const Packing& packing,
                           const PairLaws& laws, const CompressedContact& balls,
                           const ShapedMember& member, double height) {
    const ShapedParticle first = as_member(particle_at_start(packing, balls.first), member);
    const Touch touch = touch_of(first, -balls.direction, height);
    if (!(touch.overlap > 0.0)) return;
    const ShapedOverlap now{
        .contact = balls,
        .law = {},
        .mobility = {mobility_at(first, touch.arm_1, touch.normal), PointMobility{}}};
    add_overlap_of(all, packing, laws, now, touch, closing_of(first, -balls.direction, height),
                   packing.walls[balls.second - packing.particles()].species);
}

/// Adds the overlap of two members, of bodies with this branch.
void add_overlap(std::vector<ShapedOverlap>& all, const Packing& packing, const PairLaws& laws,
                 const CompressedContact& balls, const ShapedMember& member,
                 const ShapedMember& other, const Vec3& branch_of_bodies) {
    const ShapedParticle first = as_member(particle_at_start(packing, balls.first), member),
                         second = as_member(particle_at_start(packing, balls.second), other);
    const Vec3 branch = branch_of_bodies + (other.place - member.place);
    if (length_of(branch) >= first.radius + second.radius) return;
    const Touch touch = touch_of(first, second, branch, {});
    if (!(touch.overlap > 0.0)) return;
    const ShapedOverlap now{.contact = balls,
                            .law = {},
                            .mobility = {mobility_at(first, touch.arm_1, touch.normal),
                                         mobility_at(second, touch.arm_2, touch.normal)}};
    add_overlap_of(all, packing, laws, now, touch, closing_of(first, second, branch, touch.normal),
                   packing.species[balls.second]);
}

}  // namespace

std::vector<ShapedImpact> possible_shaped_impacts(const Packing& packing) {
    const std::vector<Spots> free = spots_of(packing, false), held = spots_of(packing, true);
    Impacts impacts(packing);
    for (std::size_t a = 0; a < free.size(); ++a) {
        for (const Spot* spot : free[a].all()) {
            const auto meet = [&](const Spots& others) {
                for (const Spot* other : others.all())
                    impacts.add(free[a].species, *spot, others.species, *other);
            };
            for (std::size_t b = a; b < free.size() && packing.particles() > 1; ++b)
                meet(free[b]);
            for (const Spots& others : held)
                meet(others);
            for (const Wall& wall : packing.walls) {
                Spot flat;
                if (wall.load) flat.mobility.along = flat.mobility.across = 1.0 / wall.load->mass;
                impacts.add(free[a].species, *spot, wall.species, flat);
            }
        }
    }
    return impacts.take();
}

std::vector<ShapedOverlap> overlapping_shapes(const Packing& packing) {
    const PairLaws laws(packing);
    std::vector<ShapedOverlap> overlapping;
    const std::size_t n = packing.particles();
    for (const CompressedContact& balls : compressed_pairs(packing)) {
        const double reach = packing.radius[balls.first];
        if (balls.second >= n) {
            if (!std::holds_alternative<Plane>(packing.walls[balls.second - n].shape)) continue;
            const double height = reach - balls.overlap;
            for (const ShapedMember& member : members_of(packing, balls.first)) {
                add_overlap_with_wall(overlapping, packing, laws, balls, member,
                                      height - dot(balls.direction, member.place));
            }
            continue;
        }
        const Vec3 branch =
            balls.direction * (reach + packing.radius[balls.second] - balls.overlap);
        if (!(length_of(branch) > 0.0)) {  // one place: refused with its own message
            overlapping.push_back({.contact = balls, .law = {}, .mobility = {}});
            continue;
        }
        for (const ShapedMember& first : members_of(packing, balls.first)) {
            for (const ShapedMember& second : members_of(packing, balls.second))
                add_overlap(overlapping, packing, laws, balls, first, second, branch);
        }
    }
    visit_start_facings(
        packing, [&](const ShapedMember& member, std::size_t wall, const SurfaceFacing& facing) {
            const CompressedContact contact{.first = member.body,
                                            .second = static_cast<std::uint32_t>(n + wall),
                                            .direction = -facing.normal,
                                            .overlap = facing.overlap};
            add_overlap_with_wall(overlapping, packing, laws, contact, member, facing.height());
        });
    return overlapping;
}

double fastest_tumbling(const Packing& packing) {
    double fastest = 0.0;
    for (std::size_t i = 0; i < packing.particles(); ++i) {
        const ShapedParticle body = particle_at_start(packing, i);
        if (body.is_ball() || body.held) continue;
        const Vec3& moments = body.moments;
        fastest = std::max(fastest,
                           length_of(body.momentum) / std::min({moments.x, moments.y, moments.z}));
    }
    for (const DrivenParticle& each : packing.elements.driven) {
        if (!particle_at_start(packing, each.particle).is_ball())
            fastest = std::max(fastest, turning_speed(packing.elements.motions[each.motion]));
    }
    return fastest;
}

}  // namespace beadwave::packing
