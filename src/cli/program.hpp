// The command line: `beadwave run | sweep | compare | collide | laws | report`.
#pragma once

namespace beadwave::cli {

/// Runs the program. 0: done; 1: the run failed; 2: the input is wrong.
int program(int argc, char** argv);

}  // namespace beadwave::cli
