#include "chaotic.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace beadwave::validation {

namespace {

void note(const std::string& name, double value, double least, double most) {
    if (const char* const file = std::getenv("BEADWAVE_TEST_VALUES"))
        std::ofstream(file, std::ios::app)
            << name << '\t' << value << '\t' << least << '\t' << most << '\n';
}

}  // namespace

int other_seed() {
    const char* const given = std::getenv("BEADWAVE_TEST_SEED");
    return given ? std::stoi(given) : 0;
}

std::vector<std::string> other_seeds(const std::filesystem::path& scenario) {
    std::vector<std::string> settings;
    if (other_seed() == 0) return settings;
    std::ifstream lines(scenario);
    int group = -1;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("[[particles]]")) ++group;
        if (!line.starts_with("seed")) continue;
        const int seed = std::stoi(line.substr(line.find('=') + 1)) + other_seed();
        settings.push_back("particles." + std::to_string(group) + ".seed=" + std::to_string(seed));
    }
    REQUIRE_MESSAGE(!settings.empty(), scenario.string(), " has no seed");
    return settings;
}

void check_between(const char* file, int line, const char* text, double value, double least,
                   double most) {
    note(text, value, least, most);
    INFO(doctest::String(text), " = ", value, ", expected between ", least, " and ", most);
    const bool passed = value > least && value < most;
    doctest::detail::decomp_assert(doctest::assertType::DT_CHECK, file, line, text,
                                   doctest::detail::Result(passed, passed ? "true" : "false"));
}

const std::string python_between = R"(
import os
def between(name, value, least, most):
    if "BEADWAVE_TEST_VALUES" in os.environ:
        with open(os.environ["BEADWAVE_TEST_VALUES"], "a") as notes:
            notes.write(f"{name}\t{value}\t{least}\t{most}\n")
    assert least < value < most, (name, value, least, most)
)";

}  // namespace beadwave::validation
