// The catalogue of laws as a page of the documentation.
#pragma once

#include <string>

namespace beadwave::cli {

/// The text of docs/LAWS.md.
std::string laws_markdown();

}  // namespace beadwave::cli
