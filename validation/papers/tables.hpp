// The papers' numbers as one Markdown text.
#pragma once

#include <string>

namespace beadwave::validation {

std::string paper_tables();

}  // namespace beadwave::validation
