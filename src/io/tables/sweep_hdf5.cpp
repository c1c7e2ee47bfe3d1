#include "io/hdf5/hdf5.hpp"
#include "io/history/format_version.hpp"
#include "io/history/h5md.hpp"
#include "io/tables/ensemble.hpp"
#include "io/tables/sweep_writers.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

namespace beadwave::io {
namespace {

template <typename Number>
std::optional<std::vector<Number>> all_as(const std::vector<std::string>& texts) {
    std::vector<Number> numbers;
    for (const std::string& text : texts) {
        Number number{};
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, number);
        if (error != std::errc{} || stop != end) return std::nullopt;
        numbers.push_back(number);
    }
    return numbers;
}

/// The column of a key; `values` are its converted values.
template <typename Value>
std::vector<Value> column(const SweepPlan& plan, std::size_t key,
                          const std::vector<Value>& values) {
    std::vector<Value> column;
    column.reserve(plan.runs());
    for (std::size_t run = 0; run < plan.runs(); ++run)
        column.push_back(values[plan.index(run, key)]);
    return column;
}

void name_unit(const hdf5::Dataset& dataset, const std::string& unit) {
    if (!unit.empty()) h5md::set_unit(dataset, unit);
}

void write_parameters(hid_t sweep, const SweepPlan& plan) {
    const hdf5::Group group = hdf5::create_group(sweep, "parameters");
    for (std::size_t k = 0; k < plan.keys().size(); ++k) {
        const std::string& key = plan.keys()[k].key;
        const std::vector<std::string>& texts = plan.keys()[k].values;
        const auto name = [&](const hdf5::Dataset& data) {
            name_unit(data, plan.keys()[k].unit);
            const std::vector<std::string>& linked = plan.keys()[k].linked;
            if (!linked.empty())
                hdf5::set_attribute(data.id(), "linked", std::span<const std::string>(linked));
        };
        if (const auto integers = all_as<std::int64_t>(texts)) {
            name(hdf5::write_vector<std::int64_t>(group.id(), key, column(plan, k, *integers)));
        } else if (const auto numbers = all_as<double>(texts)) {
            name(hdf5::write_vector<double>(group.id(), key, column(plan, k, *numbers)));
        } else {
            std::vector<std::string> words;
            for (const std::string& text : texts)
                words.emplace_back(unquoted(text));
            name(hdf5::write_texts(group.id(), key, column(plan, k, words)));
        }
    }
}

void write_status(hid_t sweep, const SweepTable& table) {
    const hdf5::Type type(hdf5::checked("create", "status type",
                                        [] { return H5Tenum_create(hdf5::type_of<int>()); }));
    using Status = SweepTable::Status;
    for (const Status status : {Status::done, Status::failed, Status::not_run}) {
        const int number = static_cast<int>(status);
        hdf5::checked("name status", name_of(status),
                      [&] { return H5Tenum_insert(type.id(), name_of(status), &number); });
    }
    std::vector<int> numbers;
    std::vector<std::string> errors, warnings;
    for (std::size_t run = 0; run < table.plan().runs(); ++run) {
        numbers.push_back(static_cast<int>(table.status(run)));
        errors.push_back(table.error(run));
        warnings.push_back(table.warnings(run));
    }
    const hsize_t runs = numbers.size();
    hdf5::write_all(hdf5::create_dataset(sweep, "status", type.id(), {&runs, 1}), type.id(),
                    numbers.data());
    hdf5::write_texts(sweep, "error", errors);
    hdf5::write_texts(sweep, "warnings", warnings);
}

void write_sensors(hid_t sweep, const SweepTable& table) {
    const std::vector<std::int64_t>& sensors = table.columns().sensors;
    if (sensors.empty()) return;
    const std::string bodies = table.columns().body + "s";
    hdf5::write_vector<std::int64_t>(sweep, "sensor_" + bodies, sensors);
    const std::array<hsize_t, 2> shape{table.plan().runs(), sensors.size()};
    std::vector<double> numbers(table.plan().runs() * sensors.size());
    for (std::size_t q = 0; q < table.columns().of_sensor.size(); ++q) {
        for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = table.at_sensor(i / sensors.size(), q, i % sensors.size());
        const Quantity& quantity = table.columns().of_sensor[q];
        const hdf5::Dataset data =
            hdf5::create_dataset(sweep, "sensor_" + quantity.name, hdf5::type_of<double>(), shape);
        hdf5::write_all(data, hdf5::type_of<double>(), numbers.data());
        h5md::set_unit(data, quantity.unit);
        constexpr std::size_t most_in_attribute = 4000;  // as in a history
        if (sensors.size() <= most_in_attribute)
            hdf5::set_attribute(data.id(), bodies, std::span<const std::int64_t>(sensors));
    }
}

void write_runs(hid_t sweep, const SweepTable& table) {
    std::vector<double> numbers(table.plan().runs());
    for (std::size_t q = 0; q < table.columns().of_run.size(); ++q) {
        const Quantity& quantity = table.columns().of_run[q];
        for (std::size_t run = 0; run < numbers.size(); ++run)
            numbers[run] = table.of_run(run, q);
        if (quantity.name == "steps") {
            std::vector<std::int64_t> steps;
            for (const double number : numbers)
                steps.push_back(std::isnan(number) ? 0 : static_cast<std::int64_t>(number));
            hdf5::write_vector<std::int64_t>(sweep, quantity.name, steps);
        } else {
            const auto data = hdf5::write_vector<double>(sweep, quantity.name, numbers);
            if (!quantity.unit.empty() != '\0') h5md::set_unit(data, quantity.unit);
        }
    }
}

void write_over_time(hid_t sweep, const SweepTable& table) {
    const Columns& columns = table.columns();
    if (columns.over_time.empty()) return;
    const hdf5::Group group = hdf5::create_group(sweep, "over_time");
    const hdf5::Dataset times = hdf5::write_vector<double>(group.id(), "time", columns.times);
    h5md::set_unit(times, "s");
    const std::array<hsize_t, 2> shape{table.plan().runs(), columns.times.size()};
    std::vector<double> numbers(shape[0] * shape[1]);
    for (std::size_t q = 0; q < columns.over_time.size(); ++q) {
        for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = table.over_time(i / shape[1], q, i % shape[1]);
        const Quantity& quantity = columns.over_time[q];
        const hdf5::Dataset data =
            hdf5::create_dataset(group.id(), quantity.name, hdf5::type_of<double>(), shape);
        hdf5::write_all(data, hdf5::type_of<double>(), numbers.data());
        if (!quantity.unit.empty()) h5md::set_unit(data, quantity.unit);
    }
}

}  // namespace

void write_sweep_hdf5(const std::filesystem::path& path, const SweepTable& table,
                      const std::string& scenario_text) {
    hdf5::write_file(path, 0, [&](hid_t file) {
        const hdf5::Group parameters = hdf5::create_group(file, "parameters");
        hdf5::write_text(parameters.id(), "scenario", scenario_text);
        hdf5::write_text(parameters.id(), "version", BEADWAVE_VERSION);
        hdf5::write_scalar(parameters.id(), "format_version", format_version);

        const hdf5::Group sweep = hdf5::create_group(file, "sweep");
        std::vector<std::string> keys;
        for (std::size_t k = 0; k < table.plan().combined(); ++k)
            keys.push_back(table.plan().keys()[k].key);
        hdf5::set_attribute(sweep.id(), "varied", std::span<const std::string>(keys));
        write_parameters(sweep.id(), table.plan());
        write_status(sweep.id(), table);
        write_sensors(sweep.id(), table);
        write_runs(sweep.id(), table);
        write_over_time(sweep.id(), table);
        write_ensemble(sweep.id(), table);
    });
}

}  // namespace beadwave::io
