#include "cli/program.hpp"

int main(int argc, char** argv) {
    return beadwave::cli::program(argc, argv);
}
