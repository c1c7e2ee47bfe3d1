#include "subjects/orbits/branch_file.hpp"

#include "beadwave/input_error.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/format_version.hpp"
#include "subjects/orbits/result_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

namespace beadwave::tasks {
namespace {

namespace fs = std::filesystem;
namespace hdf5 = io::hdf5;

bool is_branch(const fs::path& path) {
    return is_result(path, "branch");
}

const io::ResultKind branch_result{.name = "a branch that beadwave wrote", .is_one = is_branch};

/// Of instabilities, in the order of their numbers in the file.
const std::array<std::string, 5> kind_names{"tangent", "period-doubling", "neimark-sacker", "real",
                                            "oscillatory"};

std::vector<double> along(const BranchResult& result, double orbits::BranchPoint::*number) {
    std::vector<double> all;
    for (const orbits::BranchPoint& each : result.branch.points)
        all.push_back(each.*number);
    return all;
}

/// A row of each point.
std::vector<double> rows(const BranchResult& result, std::vector<double> orbits::State::*row) {
    std::vector<double> all;
    for (const orbits::BranchPoint& each : result.branch.points)
        all.insert(all.end(), (each.state.*row).begin(), (each.state.*row).end());
    return all;
}

void write_points(hid_t group, const BranchResult& result) {
    const std::vector<orbits::BranchPoint>& points = result.branch.points;
    const std::size_t count = points.size(), freedoms = points.front().state.displacement.size(),
                      width = result.most_multipliers();
    const auto list = [&](const char* name, double orbits::BranchPoint::*number, const char* unit) {
        write_table(group, name, {count}, along(result, number), unit);
    };
    list("value", &orbits::BranchPoint::value, result.key == "frequency" ? "Hz" : "");
    list("frequency", &orbits::BranchPoint::frequency, "Hz");
    list("energy", &orbits::BranchPoint::energy, "J");
    list("amplitude", &orbits::BranchPoint::amplitude, "m");
    list("least_overlap", &orbits::BranchPoint::least_overlap, "m");
    std::vector<int> stable, totals;
    std::vector<double> multipliers, instabilities;
    for (std::size_t k = 0; k < count; ++k) {
        const orbits::Stability& own = points[k].stability;
        stable.push_back(own.stable() ? 1 : 0);
        totals.push_back(static_cast<int>(own.total));
        const std::vector<double> parts = parts_of(own.multipliers);
        multipliers.insert(multipliers.end(), parts.begin(), parts.end());
        multipliers.resize((k + 1) * 2 * width, NAN);  // of an orbit with fewer than others
        for (const orbits::Instability& each : own.instabilities) {
            const auto kind = std::ranges::find(kind_names, each.kind) - kind_names.begin();
            instabilities.insert(instabilities.end(),
                                 {static_cast<double>(k), static_cast<double>(kind),
                                  each.multiplier.real(), each.multiplier.imag()});
        }
    }
    hdf5::write_vector<int>(group, "stable", stable);
    hdf5::write_vector<int>(group, "multipliers_total", totals);
    write_table(group, "multipliers", {count, width, 2}, multipliers, "1");
    write_table(group, "instabilities", {instabilities.size() / 4, 4}, instabilities, "1");
    hdf5::set_attribute(hdf5::open_dataset(group, "instabilities").id(), "kinds",
                        std::span<const std::string>(kind_names));
    write_table(group, "displacement", {count, freedoms},
                rows(result, &orbits::State::displacement), "m");
    write_table(group, "velocity", {count, freedoms}, rows(result, &orbits::State::velocity),
                "m s-1");
    const std::vector<std::int64_t> bead(result.bead.begin(), result.bead.end());
    hdf5::write_vector<std::int64_t>(group, "bead", bead);
    const std::size_t beads = result.radius.size();
    write_table(group, "radius", {beads}, result.radius, "m");
    write_table(group, "motion", {count, result.samples, beads}, result.motion, "m",
                H5T_IEEE_F32LE);
}

/// One group per bifurcation: bifurcation_0, bifurcation_1, ...
void write_bifurcations(hid_t group, const BranchResult& result) {
    for (std::size_t k = 0; k < result.branch.bifurcations.size(); ++k) {
        const orbits::Bifurcation& each = result.branch.bifurcations[k];
        const hdf5::Group one = hdf5::create_group(group, fmt::format("bifurcation_{}", k));
        hdf5::set_attribute(one.id(), "kind", each.kind);
        hdf5::set_attribute(one.id(), "after", static_cast<int>(each.after));
        const auto number = [&](const char* name, double value, const char* unit) {
            write_table(one.id(), name, {}, std::span(&value, 1), unit);
        };
        number("value", each.value, result.key == "frequency" ? "Hz" : "");
        number("frequency", each.frequency, "Hz");
        number("energy", each.energy, "J");
        number("amplitude", each.amplitude, "m");
        write_table(one.id(), "multiplier", {2}, parts_of({each.multiplier}), "1");
        const std::size_t freedoms = each.state.displacement.size();
        write_table(one.id(), "displacement", {freedoms}, each.state.displacement, "m");
        write_table(one.id(), "velocity", {freedoms}, each.state.velocity, "m s-1");
    }
}

std::size_t number_from_zero(std::int64_t number) {
    if (number < 0) throw std::runtime_error("has a number of a bead or point below 0");
    return static_cast<std::size_t>(number);
}

void read_points(hid_t group, BranchResult& result) {
    const auto value = read_table(group, "value"), frequency = read_table(group, "frequency"),
               energy = read_table(group, "energy"), amplitude = read_table(group, "amplitude"),
               overlap = read_table(group, "least_overlap"),
               multipliers = read_table(group, "multipliers"),
               u = read_table(group, "displacement"), v = read_table(group, "velocity"),
               instabilities = read_table(group, "instabilities");
    const std::vector<std::int64_t> totals = hdf5::read_integer_list(group, "multipliers_total");
    const std::size_t count = value.size();
    if (count == 0) throw std::runtime_error("has no points");
    const auto part = [&](const std::vector<double>& all, std::size_t k) {
        const std::size_t width = all.size() / count;
        return std::span(all).subspan(k * width, width);
    };
    const auto row = [&](const std::vector<double>& all, std::size_t k) {
        const auto numbers = part(all, k);
        return std::vector<double>(numbers.begin(), numbers.end());
    };
    if (totals.size() != count) throw std::runtime_error("has lists of different lengths");
    for (const auto* list : {&frequency, &energy, &amplitude, &overlap}) {
        if (list->size() != count) throw std::runtime_error("has lists of different lengths");
    }
    for (const auto* table : {&multipliers, &u, &v}) {
        if (table->size() % count != 0) throw std::runtime_error("has lists of different lengths");
    }
    for (std::size_t k = 0; k < count; ++k) {
        std::vector<orbits::Complex> own = complex_of(part(multipliers, k));
        std::erase_if(own, [](orbits::Complex z) { return std::isnan(z.real()); });
        result.branch.points.push_back(
            {.value = value[k],
             .frequency = frequency[k],
             .energy = energy[k],
             .amplitude = amplitude[k],
             .stability = {.multipliers = std::move(own),
                           .total = static_cast<std::size_t>(std::max<std::int64_t>(totals[k], 0))},
             .crossed_jump = false,
             .least_overlap = overlap[k],
             .state = {.displacement = row(u, k), .velocity = row(v, k)}});
    }
    for (std::size_t k = 0; k + 4 <= instabilities.size(); k += 4) {
        if (!(instabilities[k] >= 0.0 && instabilities[k] < static_cast<double>(count)) ||
            !(instabilities[k + 1] >= 0.0 &&
              instabilities[k + 1] < static_cast<double>(kind_names.size())))
            throw std::runtime_error("has instabilities of no point");
        const auto point = static_cast<std::size_t>(instabilities[k]),
                   kind = static_cast<std::size_t>(instabilities[k + 1]);
        result.branch.points.at(point).stability.instabilities.push_back(
            {kind_names.at(kind), {instabilities[k + 2], instabilities[k + 3]}});
    }
    for (const std::int64_t bead : hdf5::read_integer_list(group, "bead"))
        result.bead.push_back(number_from_zero(bead));
    result.radius = read_table(group, "radius");
    result.motion = read_table(group, "motion");
    const std::size_t of_sample = count * result.radius.size();
    if (of_sample == 0 ? !result.motion.empty() : result.motion.size() % of_sample != 0)
        throw std::runtime_error("has motions of another number of beads");
    result.samples = of_sample == 0 ? 0 : result.motion.size() / of_sample;
}

}  // namespace

std::size_t BranchResult::most_multipliers() const {
    std::size_t most = 0;
    for (const orbits::BranchPoint& each : branch.points)
        most = std::max(most, each.stability.multipliers.size());
    return most;
}

void check_branch_file(const io::Output& output) {
    io::check_output(output, branch_result);
}

void write_branch_file(const io::Output& output, const std::string& scenario_text,
                       const BranchResult& result) {
    ResultFile{output, branch_result, "branch", scenario_text, result.warnings}.write(
        [&](hid_t group) {
            hdf5::set_attribute(group, "key", result.key);
            hdf5::set_attribute(group, "ended", result.branch.ended);
            hdf5::set_attribute(group, "steps", static_cast<int>(result.steps));
            hdf5::set_attribute(group, "periods", static_cast<int>(result.periods));
            hdf5::set_attribute(group, "bifurcations",
                                static_cast<int>(result.branch.bifurcations.size()));
            write_points(group, result);
            write_bifurcations(group, result);
        });
}

BranchResult read_branch(const fs::path& file) {
    try {
        const hdf5::File opened = hdf5::open_to_read(file);
        if (!hdf5::has(opened.id(), "branch"))
            throw std::runtime_error("is no branch that beadwave orbit --continue wrote");
        io::check_format_version(opened, file.string());
        const hdf5::Group group = hdf5::open_group(opened.id(), "branch");
        BranchResult result{.key = hdf5::read_text_attribute(group.id(), "key"), .branch = {}};
        result.branch.ended = hdf5::read_text_attribute(group.id(), "ended");
        const auto one = [&](const char* name) {
            return hdf5::read_integers(group.id(), name).at(0);
        };
        result.steps = one("steps");
        result.periods = static_cast<std::size_t>(std::max<std::int64_t>(one("periods"), 1));
        result.file = file.string();
        read_points(group.id(), result);
        for (std::int64_t k = 0; k < one("bifurcations"); ++k) {
            const hdf5::Group own = hdf5::open_group(group.id(), fmt::format("bifurcation_{}", k));
            const auto number = [&](const char* name) { return hdf5::read_number(own.id(), name); };
            result.branch.bifurcations.push_back(
                {.kind = hdf5::read_text_attribute(own.id(), "kind"),
                 .value = number("value"),
                 .frequency = number("frequency"),
                 .multiplier = complex_of(read_table(own.id(), "multiplier")).at(0),
                 .after = number_from_zero(hdf5::read_integers(own.id(), "after").at(0)),
                 .amplitude = number("amplitude"),
                 .energy = number("energy"),
                 .state = {.displacement = read_table(own.id(), "displacement"),
                           .velocity = read_table(own.id(), "velocity")}});
        }
        return result;
    } catch (const InputError&) {
        throw;
    } catch (const std::exception& error) {
        throw InputError(fmt::format("{}: {}", file.string(), error.what()));
    }
}

}  // namespace beadwave::tasks
