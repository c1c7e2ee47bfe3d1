// The manual page and the shell completion of a command line.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace beadwave::cli {

/// The manual page, in roff; `version` is in its footer.
std::string man_page(const CLI::App& app, const std::string& version);

/// The completion for bash: commands, options, files, and names of laws where a law is expected.
std::string bash_completion(const CLI::App& app);

}  // namespace beadwave::cli
