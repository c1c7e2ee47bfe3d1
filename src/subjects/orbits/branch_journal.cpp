#include "subjects/orbits/branch_journal.hpp"

#include "subjects/orbits/result_file.hpp"

#include <nlohmann/json.hpp>

#include <limits>
#include <utility>
#include <vector>

namespace beadwave::tasks {
namespace {

using nlohmann::json;

constexpr io::Journal::Kind journal_kind{
    .name = "branch",
    .holds = "points of a branch",
    .others =
        "points of another unfinished branch, with another scenario, another range, other "
        "options or another version"};

json state_json(const orbits::State& state) {
    return {{"displacement", state.displacement}, {"velocity", state.velocity}};
}

orbits::State state_of(const json& row) {
    return {row.at("displacement").get<std::vector<double>>(),
            row.at("velocity").get<std::vector<double>>()};
}

json pair_json(orbits::Complex z) {
    return json::array({z.real(), z.imag()});
}

orbits::Complex complex_in(const json& pair) {
    return {pair.at(0).get<double>(), pair.at(1).get<double>()};
}

json point_json(const orbits::BranchPoint& point) {
    json instabilities = json::array();
    for (const orbits::Instability& each : point.stability.instabilities)
        instabilities.push_back({{"kind", each.kind}, {"multiplier", pair_json(each.multiplier)}});
    return {{"value", point.value},
            {"frequency", point.frequency},
            {"energy", point.energy},
            {"amplitude", point.amplitude},
            {"crossed_jump", point.crossed_jump},
            {"least_overlap", point.least_overlap},  // null: no contact can close
            {"state", state_json(point.state)},
            {"multipliers", parts_of(point.stability.multipliers)},
            {"total", point.stability.total},
            {"others", point.stability.others},
            {"instabilities", instabilities}};
}

orbits::BranchPoint point_of(const json& row) {
    orbits::BranchPoint point{.value = row.at("value").get<double>(),
                              .frequency = row.at("frequency").get<double>(),
                              .energy = row.at("energy").get<double>(),
                              .amplitude = row.at("amplitude").get<double>(),
                              .stability = {},
                              .crossed_jump = row.at("crossed_jump").get<bool>(),
                              .least_overlap = std::numeric_limits<double>::infinity(),
                              .state = state_of(row.at("state"))};
    if (const json& overlap = row.at("least_overlap"); !overlap.is_null())
        point.least_overlap = overlap.get<double>();
    point.stability.multipliers = complex_of(row.at("multipliers").get<std::vector<double>>());
    point.stability.total = row.at("total").get<std::size_t>();
    point.stability.others = row.at("others").get<double>();
    for (const json& each : row.at("instabilities")) {
        point.stability.instabilities.push_back(
            {each.at("kind").get<std::string>(), complex_in(each.at("multiplier"))});
    }
    return point;
}

json place_json(const orbits::Bifurcation& place) {
    return {{"kind", place.kind},           {"value", place.value},
            {"frequency", place.frequency}, {"multiplier", pair_json(place.multiplier)},
            {"after", place.after},         {"amplitude", place.amplitude},
            {"energy", place.energy},       {"state", state_json(place.state)}};
}

orbits::Bifurcation place_of(const json& row) {
    return {.kind = row.at("kind").get<std::string>(),
            .value = row.at("value").get<double>(),
            .frequency = row.at("frequency").get<double>(),
            .multiplier = complex_in(row.at("multiplier")),
            .after = row.at("after").get<std::size_t>(),
            .amplitude = row.at("amplitude").get<double>(),
            .energy = row.at("energy").get<double>(),
            .state = state_of(row.at("state"))};
}

std::string row_of(const orbits::Branch& branch, std::size_t first_point,
                   std::size_t first_bifurcation, const orbits::BranchPlace& place) {
    json points = json::array(), bifurcations = points;
    for (std::size_t k = first_point; k < branch.points.size(); ++k)
        points.push_back(point_json(branch.points[k]));
    for (std::size_t k = first_bifurcation; k < branch.bifurcations.size(); ++k)
        bifurcations.push_back(place_json(branch.bifurcations[k]));
    const orbits::CurvePoint& at = place.point;
    const json row{{"points", points},          {"bifurcations", bifurcations}, {"x", at.x},
                   {"parameter", at.parameter}, {"direction", at.direction},    {"rate", at.rate},
                   {"length", place.length}};
    return row.dump() + '\n';
}

}  // namespace

bool enter_branch_row(const std::string& line, orbits::BranchPart& part) {
    const json row = json::parse(line, nullptr, false);
    try {
        std::vector<orbits::BranchPoint> points;
        for (const json& each : row.at("points"))
            points.push_back(point_of(each));
        std::vector<orbits::Bifurcation> places;
        for (const json& each : row.at("bifurcations"))
            places.push_back(place_of(each));
        part.place = {.point = {.x = row.at("x").get<std::vector<double>>(),
                                .parameter = row.at("parameter").get<double>(),
                                .direction = row.at("direction").get<std::vector<double>>(),
                                .rate = row.at("rate").get<double>()},
                      .length = row.at("length").get<double>()};
        for (orbits::BranchPoint& each : points)
            part.branch.points.push_back(std::move(each));
        for (orbits::Bifurcation& each : places)
            part.branch.bifurcations.push_back(std::move(each));
        return true;
    } catch (const json::exception&) {
        return false;
    }
}

BranchJournal::BranchJournal(const io::Output& hdf5, std::uint64_t branch)
    : rows_(hdf5, journal_kind, BEADWAVE_VERSION, branch,
            [this](const std::string& row, std::int64_t) { return enter_branch_row(row, read_); }),
      points_(read_.branch.points.size()),
      bifurcations_(read_.branch.bifurcations.size()) {
    if (points_ > 0) earlier_ = std::move(read_);
}

void BranchJournal::add(const orbits::Branch& branch, const orbits::BranchPlace& place) {
    if (write_error().empty()) rows_.put(row_of(branch, points_, bifurcations_, place));
    points_ = branch.points.size();
    bifurcations_ = branch.bifurcations.size();
}

}  // namespace beadwave::tasks
