#include "subjects/design/design_files.hpp"

#include "io/durable/full_io.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/format_version.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <string>
#include <string_view>

namespace beadwave::tasks {
namespace {

namespace fs = std::filesystem;
namespace hdf5 = io::hdf5;

constexpr std::string_view best_scenario_head = "# The best design found by beadwave";

bool is_design(const fs::path& path) {
    try {
        const hdf5::File file = hdf5::open_to_read(path);
        return hdf5::has(file.id(), "design/evaluations") &&
               hdf5::has(file.id(), "parameters/version");
    } catch (const std::runtime_error&) {
        return false;
    }
}

bool is_best_scenario(const fs::path& path) {
    std::string start(best_scenario_head.size(), '\0');
    std::ifstream(path, std::ios::binary)
        .read(start.data(), static_cast<std::streamsize>(start.size()));
    return start == best_scenario_head;
}

const io::ResultKind design_result{.name = "a design that beadwave wrote", .is_one = is_design};
const io::ResultKind best_scenario{.name = "a scenario that beadwave design wrote",
                                   .is_one = is_best_scenario};

const io::Output& apart_from(const io::Output& output, const std::vector<fs::path>& inputs) {
    for (const fs::path& input : inputs) {
        if (fs::weakly_canonical(output.path) == fs::weakly_canonical(input))
            io::refuse(output.path, "is an input of this design; choose another name with -o");
    }
    return output;
}

/// One row per evaluation.
void write_rows(hid_t group, const char* name, const std::vector<Evaluation>& all,
                std::vector<double> Evaluation::*row) {
    std::vector<double> numbers;
    for (const Evaluation& each : all)
        numbers.insert(numbers.end(), (each.*row).begin(), (each.*row).end());
    const std::array<hsize_t, 2> shape{all.size(), (all.front().*row).size()};
    hdf5::write_all(hdf5::create_dataset(group, name, hdf5::type_of<double>(), shape),
                    hdf5::type_of<double>(), numbers.data());
}

void write_variable(hid_t group, const DesignResult& result, std::size_t index) {
    const design::Variable& own = result.tables.variables[index];
    const hdf5::Group one = hdf5::create_group(group, fmt::format("variable_{}", index));
    hdf5::set_attribute(one.id(), "input", own.input);
    const auto beads =
        std::to_array({static_cast<std::int64_t>(own.first), static_cast<std::int64_t>(own.last)});
    hdf5::set_attribute(one.id(), "beads", std::span<const std::int64_t>(beads));
    const auto part = [&](const design::Numbers& numbers) {
        return std::span(numbers.of(own.kind)).subspan(own.first, own.count());
    };
    hdf5::write_vector<double>(one.id(), "range", std::array{own.low, own.high});
    hdf5::write_vector<double>(one.id(), "start", part(result.start_numbers));
    hdf5::write_vector<double>(one.id(), "value", part(result.best.numbers));
}

void write_hdf5(const fs::path& path, const DesignResult& result) {
    hdf5::write_file(path, 0, [&](hid_t file) {
        const hdf5::Group parameters = hdf5::create_group(file, "parameters");
        hdf5::write_text(parameters.id(), "scenario", result.scenario_text);
        hdf5::write_text(parameters.id(), "design", result.design_text);
        hdf5::write_text(parameters.id(), "version", BEADWAVE_VERSION);
        hdf5::write_scalar(parameters.id(), "format_version", io::format_version);
        const hdf5::Group design = hdf5::create_group(file, "design");
        hdf5::set_attribute(design.id(), "stopped", result.stopped);
        hdf5::write_scalar<double>(design.id(), "value", result.best.value);
        if (result.relaxed) {
            hdf5::write_scalar<double>(design.id(), "value_before_rounding", result.relaxed->value);
        }
        hdf5::write_scalar<double>(design.id(), "start", result.start.value);
        hdf5::write_scalar<double>(design.id(), "time_step", result.steps.front().step);
        for (std::size_t k = 0; k < result.tables.variables.size(); ++k)
            write_variable(design.id(), result, k);
        const hdf5::Group evaluations = hdf5::create_group(design.id(), "evaluations");
        std::vector<double> values;
        for (const Evaluation& each : result.evaluations)
            values.push_back(each.value);
        hdf5::write_vector<double>(evaluations.id(), "value", values);
        write_rows(evaluations.id(), "unknowns", result.evaluations, &Evaluation::x);
        write_rows(evaluations.id(), "gradient", result.evaluations, &Evaluation::gradient);
        if (!result.tables.runs.empty())
            write_rows(evaluations.id(), "runs", result.evaluations, &Evaluation::runs);
    });
}

}  // namespace

DesignFiles::DesignFiles(const io::Output& hdf5, const std::vector<fs::path>& inputs)
    : hdf5_name_(hdf5.path),
      toml_name_(fs::path(hdf5.path).replace_extension(".best.toml")),
      hdf5_(apart_from(hdf5, inputs), design_result),
      toml_(apart_from(io::Output(toml_name_, hdf5.overwrite), inputs), best_scenario) {}

void DesignFiles::write(const DesignResult& result) {
    io::naming(hdf5_name_, [&] { write_hdf5(hdf5_.path(), result); });
    toml_.write(fmt::format("{} {}: value {}, {} at the start\n\n{}", best_scenario_head,
                            BEADWAVE_VERSION, result.best.value, result.start.value,
                            result.scenario_text));
    io::commit_together({&hdf5_, &toml_});
}

}  // namespace beadwave::tasks
