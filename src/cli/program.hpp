// The program: parses the command line and runs one command.
#pragma once

namespace beadwave::cli {

/// Runs the program. 0: done; 1: the run failed; 2: the input is wrong.
int program(int argc, char** argv);

}  // namespace beadwave::cli
