// How the members of bodies face meshes and curved walls at the start.
#pragma once

#include "packing/shaped/shaped_member.hpp"
#include "packing/shaped/shaped_surface.hpp"

#include <functional>
#include <string>

namespace beadwave::packing {

/// Calls visit(member, wall, facing) for each that is found. Where patches or walls meet, contacts
/// that count once come more than once: for limits.
void visit_start_facings(
    const Packing& packing,
    const std::function<void(const ShapedMember&, std::size_t, const SurfaceFacing&)>& visit);

/// A clump with balls on both sides of a mesh or a curved wall, in one sentence; empty: none.
std::string fault_of_start_places(const Packing& packing);

}  // namespace beadwave::packing
