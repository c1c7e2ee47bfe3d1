// The manual page of a command line.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace beadwave::cli {

/// The manual page in roff; `version` is in its footer.
std::string man_page(const CLI::App& app, const std::string& version);

}  // namespace beadwave::cli
