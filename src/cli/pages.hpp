// The manual page and the shells' completion of a command line.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace beadwave::cli {

/// For man, as roff; `version` stands in its foot.
std::string man_page(const CLI::App& app, const std::string& version);

/// For bash: commands, their options, files, and names of laws where a law is asked for.
std::string bash_completion(const CLI::App& app);

}  // namespace beadwave::cli
