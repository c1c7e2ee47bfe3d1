// The lines of the input as settings of a small scenario: as --vary if the line begins with '*', as
// --set otherwise.
#include "memory_file.hpp"
#include "scenario_use.hpp"
#include "subjects/chain/chain_reader.hpp"
#include "target.hpp"
#include "tasks/vary.hpp"

#include <sstream>
#include <string>

namespace {

using namespace beadwave;

constexpr std::string_view scenario = R"([material.steel]
youngs_modulus = 2e11
poisson_ratio = 0.3
yield_stress = 9e8
density = 8000
[[segment]]
beads = 3
radius = 1e-3
material = "steel"
velocity = 1.0
[law]
name = "hertz"
[time]
end = 1e-5
[sensors]
beads = [1, 2]
)";

/// The number of runs of a sweep that are read.
constexpr std::size_t most_runs = 8;

std::string scenario_path() {
    static const fuzz::MemoryFile file;
    file.hold({reinterpret_cast<const std::uint8_t*>(scenario.data()), scenario.size()});
    return file.path();
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::string path = scenario_path();
    std::vector<std::string> sets, varies;
    std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
    for (std::string line; std::getline(lines, line);) {
        const bool varied = line.starts_with('*');
        (varied ? varies : sets).push_back(line.substr(varied ? 1 : 0));
    }
    fuzz::attempt([&] {
        const io::TomlDocument file = io::load_toml(path, sets);
        const io::SweepPlan plan = tasks::read_plan(varies, sets);
        for (std::size_t run = 0; run < std::min(plan.runs(), most_runs); ++run)
            fuzz::use_scenario(io::read_chain(io::variant_of(file, plan.settings(run)),
                                              io::NamedFiles::relative_to(path))
                                   .scenario);
        // The text in the history gives the same scenario.
        if (varies.empty()) io::read_scenario_text(file.text, "history");
    });
    return 0;
}
