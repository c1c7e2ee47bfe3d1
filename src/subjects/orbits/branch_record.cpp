#include "subjects/orbits/branch_record.hpp"

#include "io/durable/checksum.hpp"
#include "subjects/orbits/branch_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

namespace beadwave::tasks {
namespace {

/// Numbers that differ for chains that differ in beads, laws, elements or drives: a short motion.
std::string fingerprint_of(const Prepared& prepared) {
    orbits::PeriodMap& map = *prepared.map;
    orbits::State state = map.rest();
    for (std::size_t i = 0; i < map.freedoms(); ++i) {
        state.displacement[i] = 1e-7 * (1.0 + std::sin(static_cast<double>(i)));
        state.velocity[i] = 1e-3 * std::cos(static_cast<double>(i));
    }
    map.set_drive(map.drive_frequency());
    constexpr double step = 1e-6;
    map.run(state, step, 16);
    return fmt::format("{}", fmt::join(orbits::numbers_of(state), ","));
}

std::uint64_t checksum_of(const OrbitRequest& request, const Prepared& prepared,
                          const std::string& text) {
    std::uint64_t sum = io::checksum(fingerprint_of(prepared), io::checksum(text));
    for (const auto& [key, content] : prepared.job.file_texts())
        sum = io::checksum(content, io::checksum(key, sum));
    sum = io::checksum(
        fmt::format("{},{},{},{},{},{},{},{},{},{}", request.continuation, request.switch_at,
                    std::max<std::uint64_t>(request.periods, 1), request.solver,
                    request.frequency ? fmt::format("{}", *request.frequency) : "", request.guess,
                    request.which, request.steps, request.most_points, request.travelling),
        sum);
    const std::string prefix = "history:";
    if (request.guess.starts_with(prefix)) {
        std::ifstream file(request.guess.substr(prefix.size()), std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        sum = io::checksum(bytes, sum);
    }
    if (request.near) {
        for (const double x : orbits::numbers_of(*request.near))
            sum = io::checksum(fmt::format("{},", x), sum);
    }
    return sum;
}

/// How many samples of a period there are of each orbit: fewer where the branch is long.
std::size_t samples_of(std::size_t points, std::size_t beads, std::int64_t steps) {
    constexpr std::size_t most = 64, fewest = 16, numbers = 8'000'000;
    const std::size_t wanted = std::clamp(numbers / (points * beads), fewest, most);
    return std::min(wanted, static_cast<std::size_t>(steps));
}

/// The displacements of the beads during one period from a state, sample by sample [m].
void add_motion(std::vector<double>& to, const orbits::Setting& setting, orbits::State state,
                std::int64_t steps, std::size_t samples) {
    const auto beads = static_cast<std::ptrdiff_t>(setting.map->beads());
    const double step = setting.period / static_cast<double>(steps);
    const auto add = [&](const orbits::State& now, std::int64_t done) {
        const orbits::Bodies all = setting.map->bodies(now, static_cast<double>(done) * step);
        to.insert(to.end(), all.displacement.begin(), all.displacement.begin() + beads);
    };
    const auto count = static_cast<std::int64_t>(samples);
    add(state, 0);
    std::int64_t done = 0, next = 1;
    setting.map->run(state, step, steps, nullptr, [&](const orbits::State& now) {
        ++done;
        if (next >= count || done < next * steps / count) return;
        add(now, done);
        ++next;
    });
}

}  // namespace

BranchRecord::BranchRecord(const OrbitRequest& request, const Prepared& prepared,
                           const jobs::JobFile* file)
    : output_(request.output, request.overwrite),
      scenario_text_(file != nullptr ? file->text() : prepared.job.scenario().text),
      journal_((check_branch_file(output_), output_),
               checksum_of(request, prepared, scenario_text_)) {}

std::string BranchRecord::keep_points() {
    if (journal_.points() == 0) {
        journal_.remove();
        return {};
    }
    return fmt::format("{} orbits are kept in {}; the same command goes on from them",
                       journal_.points(), journal_.path());
}

void BranchRecord::write(BranchResult& result, const orbits::Problem& problem) {
    if (!journal_.write_error().empty()) {
        result.warnings.push_back(
            fmt::format("points could not be stored while the branch was followed: {}",
                        journal_.write_error()));
    }
    const std::vector<orbits::BranchPoint>& points = result.branch.points;
    result.samples = samples_of(points.size(), result.radius.size(), problem.steps());
    for (const orbits::BranchPoint& each : points) {
        add_motion(result.motion, problem.at(each.value), each.state, problem.steps(),
                   result.samples);
    }
    result.file = output_.path.string();
    write_branch_file(output_, scenario_text_, result);
    journal_.remove();
}

}  // namespace beadwave::tasks
