// The snapshots of a history in a file that has places for them, copied by any number of ranks.

#include "io/files/snapshot_copy.hpp"

#include "beadwave/input_error.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "program.hpp"
#include "thread_ranks.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace beadwave::validation::snapshot_copy_test {
namespace {

namespace hdf5 = io::hdf5;

constexpr hsize_t rows = 5, items = 50'000;
// Three numbers per item: a row is more than what is copied at once. One number: two rows are less.
constexpr hsize_t chunk_of_vectors = 43'690, chunk_of_numbers = 30'000;

/// Another one for each place.
double number(hsize_t row, hsize_t item, hsize_t component) {
    return static_cast<double>(100 * (row + 1) * items + 10 * item + component);
}

/// [row][item][component], from an item on.
std::vector<double> numbers(hsize_t count, hsize_t first, hsize_t end, hsize_t width) {
    std::vector<double> all;
    for (hsize_t row = 0; row < count; ++row) {
        for (hsize_t item = first; item < end; ++item) {
            for (hsize_t component = 0; component < width; ++component)
                all.push_back(number(row, item, component));
        }
    }
    return all;
}

/// A dataset of snapshots as a history has them, in chunks.
void add_source(hid_t file, const std::string& name, hid_t type, std::vector<hsize_t> shape,
                hsize_t items_per_chunk) {
    std::vector<hsize_t> chunk = shape;
    chunk[0] = 1, chunk[1] = items_per_chunk;
    const hdf5::Dataset dataset = hdf5::create_extensible(file, name, type, chunk, shape);
    hdf5::extend(dataset, shape);
    const std::vector<double> all =
        numbers(shape[0], 0, shape[1], shape.size() > 2 ? shape[2] : hsize_t{1});
    hdf5::write_block(dataset, hdf5::type_of<double>(), std::vector<hsize_t>(shape.size(), 0),
                      shape, all.data());
}

/// It has a row more than is copied, as one that grows, and `rows_of_position` of the first
/// dataset.
void write_history(const std::filesystem::path& path, hsize_t rows_of_position = rows + 1) {
    hdf5::write_file(path, 0, [&](hid_t file) {
        add_source(file, "position", hdf5::type_of<double>(), {rows_of_position, items, 3},
                   chunk_of_vectors);
        add_source(file, "presence", hdf5::type_of<int>(), {rows + 1, items}, chunk_of_numbers);
        add_source(file, "force", hdf5::type_of<double>(), {rows + 1, items + 1}, chunk_of_numbers);
    });
}

void add_target(hid_t group, const std::string& name, std::vector<hsize_t> shape,
                const std::string& source, std::int64_t first_item) {
    const hdf5::Dataset dataset = hdf5::create_dataset(group, name, hdf5::type_of<double>(), shape);
    const std::vector<double> none(shape[0] * (shape.size() > 1 ? shape[1] : 1),
                                   std::numeric_limits<double>::quiet_NaN());
    hdf5::write_all(dataset, hdf5::type_of<double>(), none.data());
    if (source.empty()) return;
    hdf5::set_attribute(dataset.id(), "source", source);
    hdf5::set_attribute(dataset.id(), "first_item", std::span<const std::int64_t>(&first_item, 1));
}

/// A file of which nothing is copied yet. Its dataset `mass` has no source.
void write_target(const std::filesystem::path& path) {
    hdf5::write_file(path, 0, [](hid_t file) {
        const hdf5::Group grid = hdf5::create_group(file, "VTKHDF");
        const hdf5::Group steps = hdf5::create_group(grid.id(), "Steps");
        hdf5::set_attribute(steps.id(), "NSteps", static_cast<int>(rows));
        add_target(grid.id(), "Points", {rows * items, 3}, "/position", 0);
        const hdf5::Group data = hdf5::create_group(grid.id(), "PointData");
        add_target(data.id(), "force_right", {rows * items}, "/force", 1);
        add_target(data.id(), "presence", {rows * items}, "/presence", 0);
        add_target(data.id(), "mass", {items}, "", 0);
    });
}

std::vector<double> read(const std::filesystem::path& path, const std::string& name) {
    const hdf5::File file = hdf5::open_to_read(path);
    const hdf5::Dataset dataset = hdf5::open_dataset(file.id(), "VTKHDF/" + name);
    hsize_t count = 1;
    for (const hsize_t length : hdf5::shape_of(dataset))
        count *= length;
    std::vector<double> found(count);
    hdf5::read_into(dataset, found);
    return found;
}

/// The ranks of these tests are threads, which a build of HDF5 may not allow.
bool takes_threads() {
    hbool_t safe = false;
    H5is_library_threadsafe(&safe);
    return safe;
}

}  // namespace

TEST_CASE("any number of ranks copies the snapshots of a history to their places") {
    const Folder folder;
    write_history(folder / "history.h5");
    for (const int count : {1, 2, 3, 40}) {  // 40: more ranks than pieces
        if (count > 1 && !takes_threads()) continue;
        CAPTURE(count);
        write_target(folder / "file");
        ThreadRanks::run(count, [&](ranks::Communicator& ranks) {
            io::copy_snapshots(ranks, {.history = (folder / "history.h5").string(),
                                       .file = ranks.first() ? folder / "file" : "",
                                       .result = "file"});
        });
        CHECK(read(folder / "file", "Points") == numbers(rows, 0, items, 3));
        CHECK(read(folder / "file", "PointData/force_right") == numbers(rows, 1, items + 1, 1));
        CHECK(read(folder / "file", "PointData/presence") == numbers(rows, 0, items, 1));
        const std::vector<double> mass = read(folder / "file", "PointData/mass");
        CHECK(mass.front() != mass.front());  // untouched
    }
}

TEST_CASE("all ranks report what one of them cannot copy") {
    if (!takes_threads()) return;
    const Folder folder;
    write_history(folder / "history.h5");
    write_history(folder / "other.h5");
    hdf5::write_file(folder / "none.h5", 0, [](hid_t) {});
    write_target(folder / "file");
    const std::string history = (folder / "history.h5").string();
    struct Fault {
        std::string of_all, of_last;  ///< the history of all ranks but the last, and of that
        bool stop;
        std::string what;
    };
    const std::string other = (folder / "other.h5").string(), none = (folder / "none.h5").string();
    for (const Fault& fault :
         {Fault{history, other, false, "rank 2 does not see the file of rank 0 there"},
          Fault{history, (folder / "gone").string(), false, "rank 2 does not see the file"},
          Fault{history, history, true, "interrupted; nothing was written"},
          Fault{none, none, false, none + ": cannot open dataset /position"}}) {
        CAPTURE(fault.what);
        std::atomic<int> reported = 0;
        ThreadRanks::run(3, [&](ranks::Communicator& ranks) {
            const bool last = ranks.rank() == 2;
            try {
                io::copy_snapshots(ranks, {.history = last ? fault.of_last : fault.of_all,
                                           .file = ranks.first() ? folder / "file" : "",
                                           .result = "file",
                                           .stop = [&] { return last && fault.stop; }});
            } catch (const std::runtime_error& error) {
                reported += std::string(error.what()).find(fault.what) != std::string::npos;
            }
        });
        CHECK(reported == 3);
    }
}

TEST_CASE("a history that has fewer snapshots than the file has places is refused") {
    const Folder folder;
    write_target(folder / "file");
    write_history(folder / "short.h5", rows - 1);
    const auto alone = ranks::serial_communicator();
    const std::string history = (folder / "short.h5").string();
    CHECK_THROWS_AS(
        io::copy_snapshots(*alone, {.history = history, .file = folder / "file", .result = "file"}),
        InputError);
}

}  // namespace beadwave::validation::snapshot_copy_test
