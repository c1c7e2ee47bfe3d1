// What processes that share a job must have in common, whatever it is.
#pragma once

#include "ranks/agreement.hpp"

#include <vector>

namespace beadwave::jobs {

/// The version and the instruction set of this program; `more` follows.
std::vector<ranks::Fact> program_facts(const std::vector<ranks::Fact>& more = {});

}  // namespace beadwave::jobs
