#include "beadwave/history.hpp"
#include "beadwave/input_error.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/format_version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <stdexcept>

namespace beadwave {

namespace hdf5 = io::hdf5;

namespace {

/// Where an array is in the file.
struct Place {
    std::string path{};
    hsize_t rows = 0;            ///< complete ones
    std::size_t components = 0;  ///< of the last dimension that count; 0: all
};

}  // namespace

struct History::File {
    std::string name;
    hdf5::File file;
    std::string system{};
    std::map<std::string, Place> arrays{};

    /// The result of `ask` on the open file. Its errors begin with the name of the file.
    template <class Ask>
    auto read(const Ask& ask) const {
        try {
            return ask(file.id());
        } catch (const std::runtime_error& error) {
            throw InputError(fmt::format("{}: {}", name, error.what()));
        }
    }

    const Place& find(const std::string& array) const {
        const auto found = arrays.find(array);
        if (found == arrays.end())
            throw InputError(fmt::format("{}: there is no array {}", name, array));
        return found->second;
    }

    void add(const std::string& array, const std::string& path) {
        const std::vector<hsize_t> shape = hdf5::shape_of(hdf5::open_dataset(file.id(), path));
        if (!shape.empty()) arrays[array] = {path, shape.front(), 0};
    }

    /// An element of H5MD. A killed run may leave one more sample in some of its datasets.
    void add_element(const std::string& array, const std::string& path, const std::string& times) {
        hsize_t rows = hdf5::rows_of(hdf5::open_dataset(file.id(), path + "/value"));
        for (const char* column : {"/step", "/time"})
            rows = std::min(rows, hdf5::rows_of(hdf5::open_dataset(file.id(), path + column)));
        arrays[array] = {path + "/value", rows, 0};
        if (!times.empty()) {
            arrays[times + "_step"] = {path + "/step", rows, 0};
            arrays[times + "_time"] = {path + "/time", rows, 0};
        }
    }

    void add_all();
};

void History::File::add_all() {
    const hid_t id = file.id();
    system = hdf5::read_text(id, "parameters/system");
    const std::string bodies = system == "chain" ? "particles/beads" : "particles/all";
    for (const std::string& name_in : hdf5::names_in(hdf5::open_group(id, bodies))) {
        const std::string path = bodies + "/" + name_in;
        if (name_in == "box" || name_in == "name" || name_in == "species" || name_in == "id")
            continue;
        if (!hdf5::has(id, path + "/value")) {
            add(name_in, path);
            continue;
        }
        add_element(name_in, path, "snapshot");
        // H5MD wants three numbers per vector; along a chain one counts, in a mechanism two.
        const auto shape = hdf5::shape_of(hdf5::open_dataset(id, path + "/value"));
        if (shape.size() == 3 && shape.back() == 3 && system != "packing")
            arrays[name_in].components = system == "chain" ? 1 : 2;
    }
    const hdf5::Group observables = hdf5::open_group(id, "observables");
    for (const std::string& name_in : hdf5::names_in(observables)) {
        const std::string path = "observables/" + name_in;
        if (!hdf5::has(id, path + "/value")) {
            if (name_in != "contacts") add(name_in, path);
            continue;
        }
        std::string times = name_in == "kinetic_energy" ? "energy"
                            : name_in == "region_edges" ? "measure"
                                                        : "";
        for (const char* numbers : {"/beads", "/particles"}) {
            if (!hdf5::has(id, path + numbers)) continue;
            add("sensors", path + numbers);
            times = "sensor";
        }
        add_element(name_in, path, times);
    }
    for (const char* name_in :
         {"contact_gap", "wall_point", "wall_normal", "wall_radius", "wall_length"}) {
        const std::string path = std::string("parameters/") + name_in;
        if (hdf5::has(id, path)) add(name_in, path);
    }
    const auto add_table = [&](const std::string& path, const std::string& table) {
        for (const std::string& column : hdf5::names_in(hdf5::open_group(id, path)))
            if (column != "step" && column != "time")
                add(table + "/" + column, path + "/" + column);
    };
    if (hdf5::has(id, "orbit")) {
        for (const std::string& one : hdf5::names_in(hdf5::open_group(id, "orbit")))
            if (one != "instability_kinds") add("orbit/" + one, "orbit/" + one);
    }
    for (const std::string table : {"contacts", "impacts"})
        if (hdf5::has(id, "connectivity/" + table)) add_table("connectivity/" + table, table);
    if (!hdf5::has(id, "impacts")) return;
    for (const std::string& number : hdf5::names_in(hdf5::open_group(id, "impacts"))) {
        const std::string path = "impacts/" + number;
        add_table(path, "impacts/" +
                            hdf5::read_text_attribute(hdf5::open_group(id, path).id(), "contact"));
    }
}

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
    file_->read([&](hid_t) {
        file_->add_all();
        return 0;
    });
}

History::~History() = default;
History::History(History&&) noexcept = default;
History& History::operator=(History&&) noexcept = default;

std::string History::system() const {
    return file_->system;
}

std::string History::scenario() const {
    return file_->read([](hid_t file) { return hdf5::read_text(file, "parameters/scenario"); });
}

double History::time_step() const {
    if (file_->system == "mechanism") return 0.0;
    return file_->read([](hid_t file) { return hdf5::read_number(file, "parameters/time_step"); });
}

std::vector<std::string> History::names() const {
    std::vector<std::string> names;
    for (const auto& [name, place] : file_->arrays)
        names.push_back(name);
    return names;
}

bool History::has(const std::string& name) const {
    return file_->arrays.contains(name);
}

std::vector<std::size_t> History::shape(const std::string& name) const {
    const Place& place = file_->find(name);
    const std::vector<hsize_t> stored = file_->read(
        [&](hid_t file) { return hdf5::shape_of(hdf5::open_dataset(file, place.path)); });
    std::vector<std::size_t> shape(stored.begin(), stored.end());
    shape.front() = static_cast<std::size_t>(place.rows);
    if (place.components == 1) shape.pop_back();
    if (place.components > 1) shape.back() = place.components;
    return shape;
}

std::vector<double> History::read(const std::string& name, std::size_t first,
                                  std::size_t count) const {
    const Place& place = file_->find(name);
    if (first >= place.rows) return {};
    const hsize_t rows = std::min<hsize_t>(count, place.rows - first);
    std::vector<double> numbers = file_->read([&](hid_t file) {
        return hdf5::read_rows(hdf5::open_dataset(file, place.path), first, rows);
    });
    if (place.components == 0) return numbers;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (i % 3 < place.components) numbers[kept++] = numbers[i];
    numbers.resize(kept);
    return numbers;
}

std::vector<double> History::over_time(const std::string& name, std::size_t item) const {
    const std::vector<std::size_t> shape = this->shape(name);
    const std::size_t width =
        std::accumulate(shape.begin() + 1, shape.end(), std::size_t{1}, std::multiplies<>());
    if (item >= width) {
        throw InputError(fmt::format("{}: a sample of {} has {} numbers; there is no number {}",
                                     file_->name, name, width, item));
    }
    const std::vector<double> all = read(name);
    std::vector<double> numbers;
    for (std::size_t at = item; at < all.size(); at += width)
        numbers.push_back(all[at]);
    return numbers;
}

std::size_t History::sensor(std::int64_t body) const {
    const std::vector<double> bodies = has("sensors") ? read("sensors") : std::vector<double>{};
    const auto found = std::ranges::find(bodies, static_cast<double>(body));
    if (found == bodies.end())
        throw InputError(fmt::format("{}: number {} has no sensor", file_->name, body));
    return static_cast<std::size_t>(found - bodies.begin());
}

}  // namespace beadwave
