#include "subjects/orbits/sections.hpp"

#include "beadwave/input_error.hpp"
#include "orbits/starts.hpp"
#include "subjects/orbits/motion_start.hpp"
#include "subjects/orbits/result_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::tasks {
namespace {

namespace hdf5 = io::hdf5;

bool is_sections(const std::filesystem::path& path) {
    return is_result(path, "poincare");
}

const io::ResultKind sections_result{.name = "Poincare sections that beadwave wrote",
                                     .is_one = is_sections};

void check(const OrbitRequest& request) {
    refuse_orbit_options(request, "--poincare");
    if (request.lyapunov.wanted)
        throw InputError("--poincare and --lyapunov are both given; expected one of the two");
    if (request.lyapunov.exponents > 0)
        throw InputError("--exponents is for exponents; expected --lyapunov with it");
    if (request.lyapunov.transient && *request.lyapunov.transient < 0) {
        throw InputError(
            fmt::format("--transient {}: expected 0 or more points", *request.lyapunov.transient));
    }
}

/// The bead next to the one that is shown, if that can move; otherwise the other neighbour, or the
/// bead itself.
std::uint64_t next_bead(const Prepared& prepared, std::uint64_t bead) {
    const std::vector<std::size_t>& body = prepared.map->body();
    for (const std::uint64_t other : {bead + 1, bead - 1}) {
        if (other < prepared.chain.beads() && std::ranges::find(body, other) != body.end())
            return other;
    }
    return bead;
}

/// The steps of the motion, and what is looked at.
orbits::SectionRequest section_request(const Prepared& prepared, const OrbitRequest& request,
                                       SectionsResult& result) {
    const SectionOptions& options = request.section;
    const LyapunovOptions& counts = request.lyapunov;
    constexpr std::int64_t usual_points = 1000, usual_transient = 100;
    result.transient = counts.transient.value_or(usual_transient);
    result.points = request.periods > 0 ? static_cast<std::int64_t>(request.periods) : usual_points;
    result.bead = options.bead.value_or(middle_bead(prepared));
    orbits::SectionRequest wanted{
        .time_step = 0.0,
        .freedom = freedom_of(prepared, request.scenario, "--bead", result.bead),
        .transient = result.transient,
        .points = result.points,
        .stop = request.stop};
    if (prepared.map->driven()) {
        if (options.crossing) {
            throw InputError(fmt::format(
                "{}: --section {}: the chain is driven, and looked at once per period of the "
                "drive; expected no --section",
                request.scenario, *options.crossing));
        }
        result.frequency = frequency_of(request, *prepared.map);
        wanted.steps =
            request.steps > 0 ? request.steps : motion_steps(prepared.job, 1.0 / result.frequency);
        wanted.time_step = 1.0 / result.frequency / static_cast<double>(wanted.steps);
    } else {
        if (request.frequency || request.steps > 0) {
            throw InputError(fmt::format(
                "{}: {} is for driven chains; this one is looked at where a bead turns; expected "
                "no {} (time.step sets the step)",
                request.scenario, request.frequency ? "--frequency" : "--steps",
                request.frequency ? "--frequency" : "--steps"));
        }
        result.crossing = options.crossing.value_or(next_bead(prepared, result.bead));
        wanted.crossing = freedom_of(prepared, request.scenario, "--section", *result.crossing);
        // The step of a run.
        wanted.time_step = prepared.job.chosen_step().value().step;
    }
    result.time_step = wanted.time_step;
    return wanted;
}

/// Whether the start is the rest of the chain, where forces cancel but for rounding.
bool is_at_rest(orbits::PeriodMap& map, const orbits::State& start, double time_step,
                double length) {
    if (orbits::largest(start.velocity) > 0.0 || orbits::largest(start.displacement) > 0.0)
        return false;
    double mass = map.mass(0);
    for (std::size_t i = 1; i < map.freedoms(); ++i)
        mass = std::min(mass, map.mass(i));
    // Its way in a thousand steps.
    constexpr double steps = 1e3, small = 1e-6;
    return map.unbalanced_force() / mass * time_step * time_step * steps * steps < small * length;
}

/// A table with a row of each start.
std::vector<double> rows(const SectionsResult& result, std::vector<double> orbits::Section::*row) {
    std::vector<double> all;
    for (const orbits::Section& each : result.sections)
        all.insert(all.end(), (each.*row).begin(), (each.*row).end());
    return all;
}

void write_file(const io::Output& output, const SectionsResult& result) {
    ResultFile{output, sections_result, "poincare", result.scenario_text, result.warnings}.write(
        [&](hid_t group) {
            const std::size_t starts = result.sections.size(),
                              points = result.sections.front().time.size();
            hdf5::set_attribute(group, "bead", static_cast<int>(result.bead));
            if (result.crossing)
                hdf5::set_attribute(group, "section", static_cast<int>(*result.crossing));
            hdf5::set_attribute(group, "transient", static_cast<int>(result.transient));
            write_table(group, "frequency", {}, std::span(&result.frequency, 1), "Hz");
            write_table(group, "time_step", {}, std::span(&result.time_step, 1), "s");
            const auto table = [&](const char* name, std::vector<double> orbits::Section::*row,
                                   const char* unit) {
                write_table(group, name, {starts, points}, rows(result, row), unit);
            };
            table("displacement", &orbits::Section::displacement, "m");
            table("velocity", &orbits::Section::velocity, "m s-1");
            table("time", &orbits::Section::time, "s");
        });
}

}  // namespace

SectionsResult sections_of(const OrbitRequest& request) {
    const jobs::JobFile file(request.scenario, request.overrides);
    const auto job = file.variant({});
    return sections_of(*job, request, file.text());
}

SectionsResult sections_of(const jobs::Job& job, const OrbitRequest& request,
                           const std::string& text) {
    check(request);
    const Prepared prepared(job, request);
    SectionsResult result{.warnings = job.warnings(),
                          .scenario_text = text.empty() ? prepared.job.scenario().text : text,
                          .file = request.output};
    const io::Output output(request.output, request.overwrite);
    if (!request.output.empty()) io::check_output(output, sections_result);
    const orbits::SectionRequest wanted = section_request(prepared, request, result);
    orbits::PeriodMap& map = *prepared.map;
    // Without a drive velocities differ by the spread over about a contact's duration.
    const double period = result.frequency > 0.0 ? 1.0 / result.frequency : 1e3 * wanted.time_step;
    const orbits::State start =
        motion_start(request, prepared, std::max<std::int64_t>(wanted.steps, std::int64_t{512}));
    if (result.frequency > 0.0) map.set_drive(result.frequency);
    const std::uint64_t starts = std::max<std::uint64_t>(request.lyapunov.starts, 1);
    const double spread = orbits::typical_length(prepared.chain, map);
    const bool rests = result.crossing && is_at_rest(map, start, wanted.time_step, spread);
    if (rests && starts == 1) {
        throw InputError(fmt::format(
            "{}: --poincare: the chain starts at rest and nothing drives it; expected a velocity "
            "of a segment, --guess history:FILE, or --starts with random ones",
            request.scenario));
    }
    orbits::PeriodMap other(prepared.chain, request.scenario);
    std::vector<orbits::State> all = orbits::starts_around(start, starts + (rests ? 1 : 0), spread,
                                                           period, request.lyapunov.seed);
    if (rests) all.erase(all.begin());
    for (orbits::State& each : all)
        result.sections.push_back(orbits::section(map, other, std::move(each), wanted));
    if (!request.output.empty()) write_file(output, result);
    return result;
}

std::string SectionsResult::text() const {
    std::string out =
        fmt::format("  {:>6} {:>18} {:>18}\n", "start", "displacement_m", "velocity_m_per_s");
    // With many points the file, or JSON, has them all.
    constexpr std::size_t most = 20;
    for (std::size_t k = 0; k < sections.size(); ++k) {
        const orbits::Section& own = sections[k];
        for (std::size_t i = 0; i < std::min(own.time.size(), most); ++i) {
            out += fmt::format("  {:>6} {:>18.10g} {:>18.10g}\n", k, own.displacement[i],
                               own.velocity[i]);
        }
        if (own.time.size() > most)
            out += fmt::format("  {:>6} ... {} more points\n", k, own.time.size() - most);
    }
    out += crossing ? fmt::format("  bead {} where bead {} turns\n", bead, *crossing)
                    : fmt::format("  bead {} once per period of {:.10g} Hz\n", bead, frequency);
    if (!file.empty()) out += fmt::format("  file {}\n", file);
    return out;
}

nlohmann::ordered_json SectionsResult::json() const {
    auto starts = nlohmann::ordered_json::array();
    for (const orbits::Section& each : sections) {
        starts.push_back({{"displacement", each.displacement},
                          {"velocity", each.velocity},
                          {"time", each.time}});
    }
    nlohmann::ordered_json object{{"sections", starts},     {"bead", bead},
                                  {"frequency", frequency}, {"time_step", time_step},
                                  {"transient", transient}, {"warnings", warnings}};
    if (crossing) object["section"] = *crossing;
    if (!file.empty()) object["file"] = file;
    return object;
}

}  // namespace beadwave::tasks
