#include "subjects/orbits/result_file.hpp"

#include "io/durable/atomic_file.hpp"
#include "io/durable/full_io.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/format_version.hpp"

#include <functional>
#include <numeric>
#include <stdexcept>

namespace beadwave::tasks {

namespace hdf5 = io::hdf5;

void ResultFile::write(const std::function<void(hid_t group)>& content) const {
    io::AtomicFile file(output, kind);
    io::naming(output.path, [&] {
        hdf5::write_file(file.path(), 0, [&](hid_t id) {
            const hdf5::Group parameters = hdf5::create_group(id, "parameters");
            hdf5::write_text(parameters.id(), "scenario", scenario_text);
            hdf5::write_text(parameters.id(), "version", BEADWAVE_VERSION);
            hdf5::write_scalar(parameters.id(), "format_version", io::format_version);
            if (!warnings.empty()) hdf5::write_texts(parameters.id(), "warnings", warnings);
            content(hdf5::create_group(id, group).id());
        });
    });
    file.commit();
}

bool is_result(const std::filesystem::path& path, const char* group) {
    try {
        const hdf5::File file = hdf5::open_to_read(path);
        return hdf5::has(file.id(), group) && hdf5::has(file.id(), "parameters/version");
    } catch (const std::runtime_error&) {
        return false;
    }
}

std::vector<double> read_table(hid_t group, const char* name) {
    const hdf5::Dataset data = hdf5::open_dataset(group, name);
    const std::vector<hsize_t> shape = hdf5::shape_of(data);
    std::vector<double> numbers(
        std::accumulate(shape.begin(), shape.end(), hsize_t{1}, std::multiplies<>()));
    hdf5::read_into(data, numbers);
    return numbers;
}

std::vector<double> parts_of(const std::vector<orbits::Complex>& all) {
    std::vector<double> parts;
    parts.reserve(2 * all.size());
    for (const orbits::Complex z : all) {
        parts.push_back(z.real());
        parts.push_back(z.imag());
    }
    return parts;
}

std::vector<orbits::Complex> complex_of(std::span<const double> parts) {
    std::vector<orbits::Complex> all(parts.size() / 2);
    for (std::size_t k = 0; k < all.size(); ++k)
        all[k] = {parts[2 * k], parts[2 * k + 1]};
    return all;
}

}  // namespace beadwave::tasks
