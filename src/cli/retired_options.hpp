// Options that have a new name.
#pragma once

#include <string>

namespace beadwave::cli {

/// "beadwave fit: --vary is now called --bounds" if the command line has an option by its old name;
/// otherwise empty.
std::string retired_option(int argc, const char* const* argv);

}  // namespace beadwave::cli
