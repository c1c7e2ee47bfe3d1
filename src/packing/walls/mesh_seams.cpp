#include "packing/walls/mesh_seams.hpp"

#include "packing/vector_length.hpp"
#include "packing/walls/wall.hpp"

#include <algorithm>

namespace beadwave::packing {
namespace {

/// The arm from the centre of the body to the point [m].
Vec3 arm_of(const MeshContact& contact) {
    return contact.arm == Vec3{} ? -contact.distance * contact.normal : contact.arm;
}

/// The height of the point of one contact over the tangent plane at the other one [m].
double height_over(const MeshContact& tangent, const MeshContact& point) {
    if (tangent.arm != Vec3{} || point.arm != Vec3{})
        return dot(arm_of(point) - arm_of(tangent), tangent.normal);
    return tangent.distance - point.distance * dot(point.normal, tangent.normal);
}

/// Whether the nearest contact and another are one.
bool are_one(const MeshContact& a, const MeshContact& b, double radius) {
    const double low = low_step * radius;
    if (a.on_rim && height_over(b, a) <= low) return true;
    if (b.on_rim && height_over(a, b) <= low) return true;
    return length_of(a.normal - b.normal) < one_direction &&
           length_of(arm_of(a) - arm_of(b)) < one_place * radius;
}

}  // namespace

void count_once(std::span<const MeshContact> contacts, double radius,
                std::span<std::int32_t> counting) {
    constexpr std::int32_t open = -2;
    constexpr double as_near = 1e-9;  // of the radius: beyond rounding, far below any overlap
    std::size_t remaining = 0;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        counting[k] = contacts[k].found() ? open : own_contact;
        remaining += contacts[k].found() ? 1 : 0;
    }
    while (remaining > 0) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < contacts.size(); ++k)
            if (counting[k] == open) least = std::min(least, contacts[k].distance);
        std::size_t nearest = 0;
        while (counting[nearest] != open || contacts[nearest].distance > least + as_near * radius)
            ++nearest;
        // A face before a rim that is as near to rounding, whose direction is not as exact.
        for (std::size_t k = nearest; k < contacts.size() && contacts[nearest].on_rim; ++k) {
            if (counting[k] == open && !contacts[k].on_rim &&
                contacts[k].distance <= least + as_near * radius)
                nearest = k;
        }
        counting[nearest] = own_contact;
        --remaining;
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            if (counting[k] != open || !are_one(contacts[nearest], contacts[k], radius)) continue;
            counting[k] = static_cast<std::int32_t>(nearest);
            --remaining;
        }
    }
}

void SeamGhosts::adopt(std::span<const Ghost> ghosts, std::span<const Wall> walls) {
    adopt(ghosts, [&](const Ghost& ghost) {
        return walls[static_cast<std::size_t>(ghost.wall)].mesh() != nullptr;
    });
}

void SeamGhosts::adopt(std::span<const Ghost> ghosts,
                       const std::function<bool(const Ghost&)>& chosen) {
    known_ = false;
    member_.clear();
    group_.assign(1, 0);
    contact_.clear();
    place_.clear();
    std::vector<Member> all;
    for (std::uint32_t g = 0; g < ghosts.size(); ++g) {
        const Ghost& ghost = ghosts[g];
        if (ghost.wall < 0 || !chosen(ghost)) continue;
        all.push_back(
            {.particle = ghost.of, .ghost = g, .wall = static_cast<std::size_t>(ghost.wall)});
    }
    std::ranges::stable_sort(all, {}, &Member::particle);
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
        while (end < all.size() && all[end].particle == all[begin].particle)
            ++end;
        if (end - begin < 2) continue;
        member_.insert(member_.end(), all.begin() + static_cast<std::ptrdiff_t>(begin),
                       all.begin() + static_cast<std::ptrdiff_t>(end));
        group_.push_back(member_.size());
    }
    if (member_.empty()) return;
    contact_.resize(member_.size());
    counting_.resize(member_.size());
    place_.assign(ghosts.size(), none);
    for (std::uint32_t m = 0; m < member_.size(); ++m)
        place_[member_[m].ghost] = m;
}

void SeamGhosts::count(std::size_t group, double radius) {
    const std::span<Member> of_group = members(group);
    const std::size_t begin = group_[group];
    const std::span<const MeshContact> contacts =
        std::span(contact_).subspan(begin, of_group.size());
    const std::span<std::int32_t> counting = std::span(counting_).subspan(begin, of_group.size());
    count_once(contacts, radius, counting);
    for (std::size_t k = 0; k < of_group.size(); ++k) {
        of_group[k].now = counting[k];
        of_group[k].counts = contacts[k].found() && counting[k] == own_contact;
    }
}

}  // namespace beadwave::packing
