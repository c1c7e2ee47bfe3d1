// What a run says of contacts that are deeper than contact laws allow.
#pragma once

#include "packing/contacts/deep_contact.hpp"
#include "packing/packing.hpp"
#include "packing/packing_engine.hpp"

#include <cstdint>
#include <string>

namespace beadwave::running {

/// The warning about a contact beyond packing::large_depth; time_step [s].
std::string deep_contact(const packing::Packing& packing, const packing::DeepContact& contact,
                         double time_step);

/// Why a run with a contact beyond packing::lost_depth fails.
std::string too_deep(const packing::Packing& packing, const packing::DeepContact& contact,
                     double time_step);

/// The warning about ellipsoids so deep in each other that their common normal may be another one;
/// count: PackingEngine::uncertain_normals.
std::string uncertain_normals(std::int64_t count);
/// count: PackingEngine::flat_contacts.
std::string flat_contacts(std::int64_t count);

/// Why a box that strains is too narrow for its particles by now; empty: it is not.
std::string too_narrow(const packing::Packing& packing, const packing::BoxState& box);

}  // namespace beadwave::running
