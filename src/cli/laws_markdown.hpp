// The catalogue as a page of documentation.
#pragma once

#include <string>

namespace beadwave::cli {

/// docs/LAWS.md.
std::string laws_markdown();

}  // namespace beadwave::cli
