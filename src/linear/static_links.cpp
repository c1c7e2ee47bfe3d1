#include "linear/static_links.hpp"

#include "beadwave/input_error.hpp"
#include "laws/law_slopes.hpp"
#include "laws/neck.hpp"
#include "linear/contact_notes.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing/neighbours/pair_matching.hpp"
#include "packing/walls/mesh_place.hpp"
#include "packing/walls/wall_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <variant>

namespace beadwave::linear {
namespace {

using packing::Packing;

std::string name_of_pair(const packing::PairKey& key) {
    if (key.wall >= 0)
        return fmt::format("the contact of particle {} with wall {}", key.first, key.wall);
    return fmt::format("the contact of particles {} and {}", key.first, key.second);
}

/// Static contacts by kind and overlap: a crystal has a few.
class StaticPairs {
  public:
    const laws::StaticContact& at(std::uint32_t kind, const laws::AnyLaw& law, double overlap) {
        if (known_.size() > most_known) known_.clear();
        const auto [place, is_new] = known_.try_emplace({kind, overlap});
        if (is_new) place->second = laws::static_contact(law, overlap);
        return place->second;
    }

  private:
    static constexpr std::size_t most_known = 4096;
    std::map<std::pair<std::uint32_t, double>, laws::StaticContact> known_;
};

/// Stiffness and damping of what resists sliding, rolling and twisting.
void add_tangential(const packing::PairLaw& law, double overlap, Link& link) {
    const double size = laws::size_overlap(law.normal, overlap);
    const double coefficient = std::visit(
        [](const auto& slider) {
            if constexpr (requires { slider.coefficient; })
                return slider.coefficient;
            else
                return 0.0;
        },
        law.slider);
    if (coefficient > 0.0) {
        link.sliding_stiffness = laws::tangential_stiffness(law.slider, size);
        link.sliding_damping = laws::tangential_damping(law.slider, size);
    }
    const double k = law.rolling.stiffness * std::sqrt(size);
    const double c = law.rolling.damping * std::sqrt(k);
    if (law.rolling.rolling > 0.0) {
        link.rolling_stiffness = k;
        link.rolling_damping = c;
    }
    if (law.rolling.twisting > 0.0) {
        link.twisting_stiffness = k;
        link.twisting_damping = c;
    }
}

}  // namespace

std::vector<Link> static_links(const Packing& packing, const std::string& name,
                               std::vector<std::string>& warnings) {
    const std::size_t n = packing.particles();
    const std::vector<Vec3> moved = packing::wall_displacements(packing.walls, 0.0);
    const packing::NeighbourList list =
        packing::find_neighbours({.position = packing.position.all(),
                                  .radius = packing.radius.all(),
                                  .walls = packing.walls,
                                  .moved = moved,
                                  .box = packing.box,
                                  .skin = packing::skin_of(packing),
                                  .fixed = packing.fixed});
    const std::vector<packing::SurfacePoint> on_walls =
        packing::wall_contacts(packing, list, moved);
    packing::PairLaws laws(packing);
    StaticPairs contacts;
    const Vec3 period = packing.box.upper - packing.box.lower;
    std::vector<Link> links;
    ContactNotes notes;
    for (std::size_t p = 0; p < list.pairs(); ++p) {
        const packing::PairKey key = packing::pair_key(list, n, p);
        const double radius = packing.radius[key.first];
        Link link{.first = key.first, .radius_1 = radius};
        double gap = 0.0, distance = 0.0;
        std::uint32_t other = key.second;
        if (key.wall >= 0) {
            other = static_cast<std::uint32_t>(n) + static_cast<std::uint32_t>(key.wall);
            const packing::SurfacePoint& at = on_walls[list.second[p] - n];
            distance = at.distance;
            gap = packing::first_gap(distance, radius);
            link.normal = -at.normal;
            link.wall = key.wall;
            link.lever = distance / radius;
            link.radius_2 = std::numeric_limits<double>::infinity();
        } else {
            const Vec3 r =
                packing.position[key.second] +
                Vec3{key.image[0] * period.x, key.image[1] * period.y, key.image[2] * period.z} -
                packing.position[key.first];
            distance = std::sqrt(dot(r, r));
            link.second = key.second;
            link.image = key.image;
            link.radius_2 = packing.radius[key.second];
            const double radii = radius + link.radius_2;
            gap = packing::first_gap(distance, radii);
            link.normal = r * (1.0 / distance);
            link.lever = distance / radii;
        }
        if (!(gap < 0.0)) continue;
        const std::uint32_t kind = laws.kind(key.first, other);
        const packing::PairLaw& law = laws.law(kind);
        const laws::StaticContact& contact = contacts.at(kind, law.normal, -gap);
        if (contact.jumps) {
            throw InputError(fmt::format(
                "{}: the law jumps at the static load of {}, {:.6g} N, so it has no stiffness "
                "there; expected another static load or another law",
                name, name_of_pair(key), contact.force));
        }
        notes.add(contact, [&] { return name_of_pair(key); });
        link.force = contact.force;
        link.normal_stiffness = contact.slopes.stiffness;
        link.normal_damping = contact.slopes.damping;
        if (laws::is_adhesive(law.normal)) link.scale = link.normal_stiffness * -gap;
        if (key.wall < 0) link.across = -contact.force / distance;
        add_tangential(law, -gap, link);
        links.push_back(link);
    }
    for (std::string& sentence : notes.sentences())
        warnings.push_back(std::move(sentence));
    return links;
}

std::vector<Vec3> net_forces(const Packing& packing, const std::vector<Link>& links) {
    std::vector<Vec3> net(packing.particles());
    for (const Link& link : links) {
        const Vec3 force = link.force * link.normal;
        net[link.first] += -force;
        if (link.second != Link::ground) net[link.second] += force;
    }
    for (std::size_t i = 0; i < net.size(); ++i) {
        net[i] += packing.mass[i] * packing.gravity;
        if (packing.is_fixed(i)) net[i] = {};
    }
    return net;
}

double largest_force(const std::vector<Link>& links) {
    double largest = 0.0;
    for (const Link& link : links)
        largest = std::max({largest, link.force, link.scale});
    return largest;
}

}  // namespace beadwave::linear
