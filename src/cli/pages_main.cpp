// Writes the manual page and the completions of the program for bash, zsh and fish: pages FOLDER.
#include "cli/command_line.hpp"
#include "cli/completion.hpp"
#include "cli/pages.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: pages FOLDER\n";
        return 2;
    }
    const beadwave::cli::CommandLine line;
    const auto write = [&](const char* name, const std::string& text) {
        std::ofstream file(std::filesystem::path(argv[1]) / name);
        file << text;
        file.close();
        return static_cast<bool>(file);
    };
    const bool written =
        write("beadwave.1", beadwave::cli::man_page(*line.app, BEADWAVE_VERSION)) &&
        write("beadwave", beadwave::cli::bash_completion(*line.app)) &&
        write("_beadwave", beadwave::cli::zsh_completion(*line.app)) &&
        write("beadwave.fish", beadwave::cli::fish_completion(*line.app));
    return written ? 0 : 1;
}
