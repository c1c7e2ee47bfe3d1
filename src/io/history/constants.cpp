#include "io/history/constants.hpp"

#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/format_version.hpp"
#include "io/history/provenance.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace beadwave::io {
namespace {

using recording::Constant;
using recording::Named;
using recording::Numbering;

/// Groups by their paths; creates those that do not exist.
class Groups {
  public:
    /// `all`: paths of groups, so that it is known how many groups one of them has.
    Groups(hid_t file, const std::vector<std::string>& all) : file_(file) {
        const std::set<std::string> different(all.begin(), all.end());
        for (const std::string& path : different) {
            if (const std::size_t slash = path.rfind('/'); slash != std::string::npos)
                ++groups_in_[path.substr(0, slash)];
        }
    }

    hid_t at(const std::string& path) {
        const auto found = groups_.find(path);
        if (found != groups_.end()) return found->second.id();
        const std::size_t slash = path.rfind('/');
        const hid_t outer = slash == std::string::npos ? file_ : at(path.substr(0, slash));
        const std::string name = path.substr(slash + 1);
        const auto inner = groups_in_.find(path);
        hdf5::Group group =
            path == "parameters"
                ? hdf5::open_group(outer, name)
                : hdf5::create_group(outer, name, inner == groups_in_.end() ? 0 : inner->second);
        return groups_.emplace(path, std::move(group)).first->second.id();
    }
    /// The group that contains an object.
    hid_t of(const std::string& object) { return at(object.substr(0, object.rfind('/'))); }

  private:
    hid_t file_;
    std::map<std::string, std::size_t> groups_in_;
    std::map<std::string, hdf5::Group> groups_;
};

/// Writes value(0), value(1), ... without a whole column in memory.
template <typename Number, typename Value>
void write_in_pieces(const hdf5::Dataset& dataset, hid_t type, hsize_t count, const Value& value) {
    std::vector<Number> piece(std::min<hsize_t>(count, 1 << 16));
    for (hsize_t first = 0; first < count; first += piece.size()) {
        const hsize_t size = std::min<hsize_t>(piece.size(), count - first);
        for (hsize_t i = 0; i < size; ++i)
            piece[i] = value(static_cast<std::size_t>(first + i));
        hdf5::write_block(dataset, type, {&first, 1}, {&size, 1}, piece.data());
    }
}

hdf5::Type enum_of(const std::vector<std::string>& names) {
    hdf5::Type type(hdf5::checked("create", "species type",
                                  [] { return H5Tenum_create(hdf5::type_of<int>()); }));
    for (int i = 0; i < static_cast<int>(names.size()); ++i) {
        const std::string& name = names[static_cast<std::size_t>(i)];
        hdf5::checked("name species", name,
                      [&] { return H5Tenum_insert(type.id(), name.c_str(), &i); });
    }
    return type;
}

/// Writes the constant, or creates its space, in the group at its path.
struct Writer {
    const Constant& constant;
    hid_t parent;
    std::string name;

    hdf5::Dataset create(hid_t type) const {
        const std::vector<hsize_t> shape(constant.shape.begin(), constant.shape.end());
        return constant.shared ? hdf5::create_to_fill(parent, name, type, shape.at(0))
                               : hdf5::create_dataset(parent, name, type, shape);
    }
    void operator()(std::span<const double> numbers) const {
        const hdf5::Dataset dataset = create(hdf5::type_of<double>());
        if (!constant.shared) hdf5::write_all(dataset, hdf5::type_of<double>(), numbers.data());
        if (!constant.unit.empty()) h5md::set_unit(dataset, constant.unit);
    }
    void operator()(const std::function<std::vector<double>()>& made) const {
        (*this)(std::span<const double>(made()));
    }
    void operator()(double number) const {
        const hdf5::Dataset dataset = hdf5::write_scalar(parent, name, number);
        if (!constant.unit.empty()) h5md::set_unit(dataset, constant.unit);
    }
    void operator()(std::int64_t number) const {
        hdf5::write_scalar(parent, name, static_cast<int>(number));
    }
    void operator()(const Numbering& numbers) const {
        const hid_t type = hdf5::type_of<std::int64_t>();
        const hdf5::Dataset dataset = create(type);
        if (constant.shared) return;
        write_in_pieces<std::int64_t>(dataset, type, numbers.count,
                                      [](std::size_t i) { return static_cast<std::int64_t>(i); });
    }
    void operator()(const Named& named) const {
        const hdf5::Type type = enum_of(named.names);
        const hdf5::Dataset dataset = create(type.id());
        if (!constant.shared) write_in_pieces<int>(dataset, type.id(), named.count, named.index);
    }
    void operator()(const std::vector<std::string>& texts) const {
        hdf5::write_texts(parent, name, texts);
    }
};

}  // namespace

void write_run(const hdf5::File& file, const RunDescription& run, const std::string& system) {
    const hdf5::Group parameters = hdf5::create_group(file.id(), "parameters");
    hdf5::write_scalar(parameters.id(), "format_version", format_version);
    hdf5::write_text(parameters.id(), "system", system);
    hdf5::write_text(parameters.id(), "scenario", run.scenario_text);
    hdf5::write_text(parameters.id(), "version", BEADWAVE_VERSION);
    hdf5::write_text(parameters.id(), "law", run.law);
    if (!run.file_texts.empty()) {
        const hdf5::Group files =
            hdf5::create_group(parameters.id(), "files", run.file_texts.size());
        for (const auto& [key, text] : run.file_texts)
            hdf5::write_text(files.id(), key, text);
    }
    // A mechanism has no fixed time step: its history is sampled at equal intervals.
    const bool sampled = system == "mechanism";
    h5md::set_unit(hdf5::write_scalar(parameters.id(), sampled ? "sampling_interval" : "time_step",
                                      run.time_step),
                   "s");
    if (!sampled) hdf5::write_text(parameters.id(), "time_step_rule", run.time_step_rule);
    hdf5::write_scalar(parameters.id(), sampled ? "samples" : "steps", run.steps);
    hdf5::write_scalar(parameters.id(), "threads", run.threads);
    write_provenance(parameters);
}

void write_constants(const hdf5::File& file, const recording::Description& description) {
    std::vector<std::string> tables;
    for (const recording::Table& table : description.tables)
        tables.push_back(table.path);
    Groups groups(file.id(), tables);
    const hid_t box = groups.at(description.bodies + "/box");
    std::vector<std::string> boundary;
    for (const bool periodic : description.periodic)
        boundary.emplace_back(periodic ? "periodic" : "none");
    hdf5::set_attribute(box, "dimension", 3);
    hdf5::set_attribute(box, "boundary", std::span<const std::string>(boundary));
    groups.at("observables");
    for (const Constant& constant : description.constants) {
        if (constant.path.empty()) continue;
        std::visit(Writer{constant, groups.of(constant.path),
                          constant.path.substr(constant.path.rfind('/') + 1)},
                   constant.value);
    }
    for (const recording::Stream& stream : description.streams)
        groups.of(stream.channels.front().path);
    for (const recording::Table& table : description.tables) {
        const hid_t group = groups.at(table.path);
        if (table.contact) hdf5::set_attribute(group, "contact", *table.contact);
    }
}

void write_sensor_numbers(const hdf5::File& file, const recording::Description& description,
                          const recording::Stream& stream, const h5md::Series& series) {
    const std::span<const std::int64_t> numbers = description.sensors;
    const std::string& name = description.sensor_bodies;
    constexpr std::size_t most_in_attribute = 4000;
    hdf5::Group first;
    for (std::size_t k = 0; k < stream.channels.size(); ++k) {
        if (numbers.size() <= most_in_attribute)
            hdf5::set_attribute(series.value(k).dataset().id(), name, numbers);
        hdf5::Group group = hdf5::open_group(file.id(), stream.channels[k].path);
        if (k > 0) {
            h5md::link(first.id(), name.c_str(), group.id());
            continue;
        }
        hdf5::write_vector<std::int64_t>(group.id(), name, numbers);
        first = std::move(group);
    }
}

}  // namespace beadwave::io
