#include "tasks/modes.hpp"

#include "beadwave/input_error.hpp"
#include "chain/build_chain.hpp"
#include "io/scenario/scenario_reader.hpp"
#include "jobs/threads.hpp"
#include "linear/chain_operator.hpp"
#include "modes/chain_bands.hpp"
#include "modes/chain_modes.hpp"
#include "modes/chain_transfer.hpp"
#include "ranks/communicator.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <utility>

namespace beadwave::tasks {
namespace {

/// "low:high:count" as evenly spaced frequencies.
std::vector<double> frequencies_of(const std::string& text) {
    const auto refuse = [&](const std::string& why) {
        throw InputError(
            fmt::format("--transfer {}: {}; expected LOW:HIGH:COUNT, frequencies in "
                        "Hz above 0 and how many, such as 1000:20000:500",
                        shortened(text), why));
    };
    double low = 0.0, high = 0.0, count = 0.0;
    char rest = '\0';
    if (std::sscanf(text.c_str(), "%lf:%lf:%lf%c", &low, &high, &count, &rest) != 3)
        refuse("three numbers are needed");
    if (!(low > 0.0) || !(high >= low) || !std::isfinite(high))
        refuse("the frequencies must rise from above 0");
    constexpr double most = 1e6;
    if (!(count >= 1.0) || count > most || count != std::floor(count))
        refuse(fmt::format("the count must be a whole number from 1 to {:g}", most));
    std::vector<double> frequencies;
    const auto points = static_cast<std::size_t>(count);
    for (std::size_t i = 0; i < points; ++i) {
        const double part =
            points == 1 ? 0.0 : static_cast<double>(i) / static_cast<double>(points - 1);
        frequencies.push_back(low + (high - low) * part);
    }
    return frequencies;
}

struct Described {
    std::string name;
    std::string scenario_text{};
    std::vector<std::int64_t> sensors{};
    std::vector<std::string> warnings{};
};

std::string input_of(const chain::Chain& chain, const ModesRequest& request,
                     const std::string& name) {
    if (!request.input.empty()) return request.input;
    if (chain.left_drive.has_value() != chain.right_drive.has_value())
        return chain.left_drive ? "left" : "right";
    throw InputError(fmt::format(
        "{}: --transfer: {}; expected --input left, --input right or --input N, a bead", name,
        chain.left_drive ? "both walls are driven" : "no wall of the scenario is driven"));
}

ModesResult analyse(const chain::Chain& chain, Described described, const ModesRequest& request) {
    ModesResult result;
    result.warnings = std::move(described.warnings);
    modes::Analysis& analysis = result.analysis;
    analysis.system = "chain";
    analysis.scenario_text = std::move(described.scenario_text);
    const linear::ChainOperator linear = linear::linearise(chain, described.name);
    for (std::size_t i = 0; i < linear.size(); ++i) {
        analysis.body.push_back(static_cast<std::int64_t>(linear.first_bead + i));
        analysis.position.push_back({linear.position[i], 0.0, 0.0});
    }
    if (!request.transfer.empty()) {
        std::vector<std::int64_t> sensors = std::move(described.sensors);
        if (sensors.empty()) sensors = {analysis.body.front(), analysis.body.back()};
        analysis.transfer =
            modes::transfer(linear,
                            {.input = input_of(chain, request, described.name),
                             .frequency = frequencies_of(request.transfer),
                             .sensors = std::move(sensors),
                             .threads = jobs::startable_threads(jobs::wanted_threads(
                                 request.threads, *ranks::serial_communicator()))},
                            described.name);
    }
    analysis.dispersion = modes::dispersion(linear);
    analysis.modes = modes::solve(linear);
    result.warnings.insert(result.warnings.end(), analysis.modes.warnings.begin(),
                           analysis.modes.warnings.end());
    if (!request.output.empty()) modes::write({request.output, request.overwrite}, analysis);
    result.file = request.output;
    return result;
}

ModesResult analyse(io::TomlDocument document, io::NamedFiles files, const std::string& name,
                    const ModesRequest& request) {
    for (const char* key : {"body", "particles"}) {
        if (document.root().has(key)) {
            document.origin.fail(key, "makes this no chain; modes are computed of chains only");
        }
    }
    const io::ReadScenario read = io::read_chain(std::move(document), std::move(files));
    const chain::Chain chain = chain::build_chain(read.scenario);
    Described described{
        .name = name, .scenario_text = read.scenario.text, .warnings = read.warnings};
    if (read.scenario.sensors) described.sensors = read.scenario.sensors->ids;
    return analyse(chain, std::move(described), request);
}

}  // namespace

ModesResult modes_of(const ModesRequest& request) {
    return analyse(io::load_toml(request.scenario, request.overrides),
                   io::NamedFiles::relative_to(request.scenario), request.scenario, request);
}

ModesResult modes_of_text(const std::string& text, const std::string& name,
                          const ModesRequest& request) {
    return analyse(io::parse_toml(text, name, request.overrides),
                   io::NamedFiles::relative_to(std::filesystem::path(name)), name, request);
}

ModesResult modes_of_chain(const chain::Chain& chain, const ModesRequest& request) {
    return analyse(chain, {.name = "chain"}, request);
}

}  // namespace beadwave::tasks
