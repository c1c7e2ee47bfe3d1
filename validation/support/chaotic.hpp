// Bounds on one run of a system that rounding changes: chaotic motion, random packings. Such a
// bound holds for any seed and on any instruction set; validation/over_seeds.py shows by how much.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace beadwave::validation {

/// What is added to the seed of random particles: BEADWAVE_TEST_SEED of the environment, or 0.
int other_seed();

/// Settings that add it to the seed of every [[particles]] of a scenario; none for 0.
std::vector<std::string> other_seeds(const std::filesystem::path& scenario);

/// Of the macro below.
void check_between(const char* file, int line, const char* text, double value, double least,
                   double most);

/// In Python: between(name, value, least, most), which does the same.
extern const std::string python_between;

}  // namespace beadwave::validation

/// least < value < most. Noted with both bounds in the file BEADWAVE_TEST_VALUES of the
/// environment.
#define CHECK_BETWEEN(value, least, most) \
    ::beadwave::validation::check_between(__FILE__, __LINE__, #value, value, least, most)
