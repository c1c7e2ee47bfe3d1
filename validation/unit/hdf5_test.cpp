// What files and groups are made of.

#include "io/hdf5/hdf5.hpp"

#include "history_fixture.hpp"
#include "io/hdf5/hdf5_reading.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

using namespace history_fixture;

namespace {

/// The names that `make` has put into the group "g" of a file that had far more room than it needs.
std::vector<std::string> names_after_cut(const std::filesystem::path& path,
                                         const std::function<void(const hdf5::File&)>& make) {
    {
        hdf5::File file = hdf5::create_file(path);
        hsize_t reserved = 0;
        hdf5::reserve(file, 1 << 20, reserved);
        make(file);
        hdf5::cut_to_size(file, reserved);
        hdf5::abandon(file);  // what cut_to_size left is all there is
    }
    CHECK(std::filesystem::file_size(path) < (1 << 20));
    std::filesystem::path copy = path;
    copy += ".copy";  // of the abandoned one HDF5 remembers more than the disk has
    std::filesystem::copy_file(path, copy);
    const hdf5::File file = hdf5::open_to_read(copy);
    return hdf5::names_in(hdf5::open_group(file.id(), "g"));
}

}  // namespace

TEST_CASE("a file that is cut to its size keeps the names of its large groups") {
    const TemporaryFolder folder;
    std::vector<std::string> names;
    for (int i = 0; i < 50; ++i)
        names.push_back(fmt::format("group_{:02}", i));

    CHECK(names_after_cut(folder / "own.h5", [&](const hdf5::File& file) {
              const hdf5::Group group = hdf5::create_group(file.id(), "g");
              for (const std::string& name : names)
                  hdf5::create_group(group.id(), name);
          }) == names);
    // A group as HDF5 makes it itself: its names are in a heap.
    CHECK(names_after_cut(folder / "heap.h5", [&](const hdf5::File& file) {
              const hdf5::Group group(
                  H5Gcreate2(file.id(), "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
              for (const std::string& name : names)
                  hdf5::create_group(group.id(), name);
          }) == names);
}
