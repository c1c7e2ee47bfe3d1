// Writes the manual page and the bash completion of the program: pages FOLDER.
#include "cli/command_line.hpp"
#include "cli/pages.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: pages FOLDER\n";
        return 2;
    }
    const beadwave::cli::CommandLine line;
    const std::filesystem::path folder = argv[1];
    std::ofstream man(folder / "beadwave.1");
    man << beadwave::cli::man_page(*line.app, BEADWAVE_VERSION);
    std::ofstream completion(folder / "beadwave");
    completion << beadwave::cli::bash_completion(*line.app);
    man.close(), completion.close();
    return man && completion ? 0 : 1;
}
