#include "subjects/orbits/switch_branch.hpp"

#include "beadwave/input_error.hpp"
#include "orbits/leave.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::tasks {
namespace {

/// The bifurcation that is asked for.
const orbits::Bifurcation& bifurcation_of(const orbits::Branch& branch,
                                          const OrbitRequest& request) {
    const std::vector<orbits::Bifurcation>& all = branch.bifurcations;
    const auto number = static_cast<std::uint64_t>(std::llabs(request.switch_at));
    if (number <= all.size()) return all[number - 1];
    std::vector<std::string> list;
    for (const orbits::Bifurcation& each : all)
        list.push_back(fmt::format("{} at {:.9g}", each.kind, each.value));
    throw InputError(
        fmt::format("{}: --switch {}: the branch has {}; expected the number of one, from 1",
                    request.scenario, request.switch_at,
                    list.empty() ? "no bifurcations" : fmt::format("{}", fmt::join(list, ", "))));
}

}  // namespace

void switch_branch(BranchResult& result, const orbits::Problem& before, double least,
                   const orbits::BranchRequest& along, const OrbitRequest& request) {
    orbits::Bifurcation at = bifurcation_of(result.branch, request);
    const std::size_t times = orbits::periods_of_departure(at.kind);
    if (times == 0) {
        throw InputError(fmt::format(
            "{}: --switch {}: at a {} {}; expected a bifurcation of the kind period-doubling, "
            "tangent or real",
            request.scenario, request.switch_at, at.kind,
            at.kind == "fold" ? "the branch itself turns, and no other leaves"
                              : "no periodic orbits leave"));
    }
    result.steps *= static_cast<std::int64_t>(times);
    result.periods *= times;
    const auto family = [&before](double parameter) { return before.at(parameter); };
    const orbits::Problem problem(orbits::repeated(family, times), at.value_of_steps, result.steps,
                                  0, before.method());
    orbits::BranchRequest request_of_departure = along;
    request_of_departure.departure = orbits::leave(problem, at, least, request.switch_at < 0);
    if (!request_of_departure.departure) {
        throw InputError(fmt::format(
            "{}: --switch {}: at the {} bifurcation at {:.9g} no branch leaves that can be "
            "followed: "
            "the energy has an extreme there, or the orbits that leave have no turning point",
            request.scenario, request.switch_at, at.kind, at.value));
    }
    result.branch = orbits::follow_branch(problem, {}, least, request_of_departure);
    result.left = std::move(at);
}

}  // namespace beadwave::tasks
