#include "subjects/orbits/branch_journal.hpp"

#include "subjects/orbits/result_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace beadwave::tasks {
namespace {

using nlohmann::json;

constexpr std::string_view journal_opening = "# beadwave branch, ";

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

/// Adds the points of a row. Returns false if it is none: then nothing is added.
bool enter(const std::string& line, orbits::BranchPart& part) {
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

}  // namespace

BranchJournal::BranchJournal(const io::Output& hdf5, std::uint64_t branch)
    : rows_(hdf5, "branch"),
      first_line_(
          fmt::format("{}version {}, {:016x}\n", journal_opening, BEADWAVE_VERSION, branch)) {
    read(hdf5.overwrite);
}

void BranchJournal::read(bool overwrite) {
    std::ifstream file(rows_.path(), std::ios::binary);
    std::string line;
    off_t good = 0;
    // A line without its end was cut by a kill.
    const auto next = [&] { return std::getline(file, line) && !file.eof(); };
    if (!overwrite && rows_.size() > 0) {
        const bool whole = next();
        if (!line.starts_with(journal_opening) && (whole || !journal_opening.starts_with(line))) {
            io::refuse(rows_.path(),
                       "exists and does not hold points of a branch; refusing to overwrite it "
                       "without --overwrite");
        }
        const bool same = whole && line + '\n' == first_line_;
        good = static_cast<off_t>(first_line_.size());
        orbits::BranchPart part;
        while (whole && next()) {
            if (!same) {
                io::refuse(rows_.path(),
                           "holds points of another unfinished branch, with another scenario, "
                           "another range, other options or another version; --overwrite starts "
                           "anew, -o names another file");
            }
            if (!enter(line, part)) break;
            good += static_cast<off_t>(line.size()) + 1;
        }
        if (!same) good = 0;
        points_ = part.branch.points.size();
        bifurcations_ = part.branch.bifurcations.size();
        if (points_ > 0) earlier_ = std::move(part);
    }
    rows_.keep(good);
    if (good == 0) put(first_line_);
}

void BranchJournal::put(const std::string& text) {
    // After a loss of power the points of the last second are computed again.
    const auto now = std::chrono::steady_clock::now();
    const bool due = now - synced_ >= std::chrono::seconds(1);
    rows_.put(text, due);
    if (due && write_error().empty()) synced_ = now;
}

void BranchJournal::add(const orbits::Branch& branch, const orbits::BranchPlace& place) {
    if (write_error().empty()) put(row_of(branch, points_, bifurcations_, place));
    points_ = branch.points.size();
    bifurcations_ = branch.bifurcations.size();
}

}  // namespace beadwave::tasks
