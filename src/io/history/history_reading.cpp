#include "beadwave/history.hpp"
#include "beadwave/input_error.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/format_version.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beadwave {

namespace hdf5 = io::hdf5;

struct History::File {
    std::string name;
    hdf5::File file;

    /// The result of `ask` on the open file. Its errors begin with the name of the file.
    template <class Ask>
    auto read(const Ask& ask) const {
        try {
            return ask(file.id());
        } catch (const std::runtime_error& error) {
            throw InputError(fmt::format("{}: {}", name, error.what()));
        }
    }
};

namespace {

constexpr const char* displacements = "particles/beads/displacement";

hsize_t rows_of(hid_t file, const std::string& element) {
    return hdf5::rows_of(hdf5::open_dataset(file, element + "/time"));
}

std::vector<double> column(hid_t file, const std::string& element, std::size_t item) {
    const hdf5::Dataset dataset = hdf5::open_dataset(file, element + "/value");
    const std::vector<hsize_t> shape = hdf5::shape_of(dataset);
    const hsize_t rows = std::min(hdf5::rows_of(dataset), rows_of(file, element));
    const std::vector<double> all = hdf5::read_rows(dataset, 0, rows);
    const std::size_t width = shape.size() > 1 ? shape[1] : 1;
    if (shape.size() > 2 || item >= width)
        throw std::runtime_error(element + "/value does not have the shape of a history's dataset");
    std::vector<double> numbers;
    for (std::size_t row = 0; row < rows; ++row)
        numbers.push_back(all[row * width + item]);
    return numbers;
}

}  // namespace

History::History(const std::filesystem::path& path)
    : file_(std::make_unique<File>(File{path.string(), {}})) {
    file_->read([&](hid_t) {
        file_->file = hdf5::open_to_read(path);
        return 0;
    });
    file_->read([](hid_t file) {
        for (const char* group : {"h5md", "parameters", "particles", "observables"})
            hdf5::open_group(file, group);
        return 0;
    });
    io::check_format_version(file_->file, file_->name);
}

History::~History() = default;
History::History(History&&) noexcept = default;
History& History::operator=(History&&) noexcept = default;

std::string History::scenario() const {
    return file_->read([](hid_t file) { return hdf5::read_text(file, "parameters/scenario"); });
}

double History::time_step() const {
    return file_->read([](hid_t file) { return hdf5::read_number(file, "parameters/time_step"); });
}

std::vector<double> History::mass() const {
    return file_->read([](hid_t file) { return hdf5::read_vector(file, "particles/beads/mass"); });
}

std::vector<double> History::radius() const {
    return file_->read(
        [](hid_t file) { return hdf5::read_vector(file, "particles/beads/radius"); });
}

std::vector<std::int64_t> History::sensors() const {
    return file_->read([](hid_t file) {
        if (!hdf5::has(file, "observables/sensor_force")) return std::vector<std::int64_t>{};
        return hdf5::read_integer_list(file, "observables/sensor_force/beads");
    });
}

SensorRecord History::sensor(std::int64_t bead) const {
    const std::vector<std::int64_t> beads = sensors();
    const auto found = std::ranges::find(beads, bead);
    if (found == beads.end())
        throw InputError(fmt::format("{}: bead {} has no sensor", file_->name, bead));
    const auto item = static_cast<std::size_t>(found - beads.begin());
    return file_->read([&](hid_t file) {
        SensorRecord record{.time = hdf5::read_vector(file, "observables/sensor_force/time"),
                            .force = column(file, "observables/sensor_force", item),
                            .velocity = column(file, "observables/sensor_velocity", item)};
        return record;
    });
}

LedgerRecord History::ledger(const std::string& entry) const {
    return file_->read([&](hid_t file) {
        const std::string element = "observables/" + entry;
        return LedgerRecord{.time = hdf5::read_vector(file, element + "/time"),
                            .value = column(file, element, 0)};
    });
}

std::size_t History::snapshot_count() const {
    return file_->read([](hid_t file) {
        return hdf5::has(file, displacements)
                   ? static_cast<std::size_t>(rows_of(file, displacements))
                   : std::size_t{0};
    });
}

Snapshot History::snapshot(std::size_t number) const {
    if (number >= snapshot_count()) {
        throw InputError(
            fmt::format("{}: there is no snapshot {}; the history has {}, counted from 0",
                        file_->name, number, snapshot_count()));
    }
    return file_->read([&](hid_t file) {
        const auto row = [&](const std::string& element) {
            return hdf5::read_rows(hdf5::open_dataset(file, element), number, 1);
        };
        const hdf5::Dataset time = hdf5::open_dataset(file, std::string(displacements) + "/time");
        Snapshot snapshot{.time = hdf5::read_number_in_row(time, number),
                          .displacement = row(std::string(displacements) + "/value"),
                          .velocity = {}};
        const std::vector<double> vectors = row("particles/beads/velocity/value");
        if (snapshot.displacement.size() * 3 != vectors.size())
            throw std::runtime_error(
                "particles/beads/velocity/value does not have the shape of the displacement");
        for (std::size_t i = 0; i < vectors.size(); i += 3)
            snapshot.velocity.push_back(vectors[i]);
        return snapshot;
    });
}

}  // namespace beadwave
