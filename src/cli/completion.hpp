// What shells complete on a command line: commands, options, files; names of laws and keys of
// scenarios where these are expected. Generated from the command line.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace beadwave::cli {

std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);
std::string fish_completion(const CLI::App& app);

}  // namespace beadwave::cli
