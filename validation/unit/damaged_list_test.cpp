// Lists of many members or attributes in an HDF5 file that is damaged.

#include "history_fixture.hpp"
#include "io/hdf5/hdf5_reading.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace beadwave::validation::damaged_list_test {

using namespace beadwave::io;

namespace {

/// Memory that nobody has set is not zero by chance.
class FilledMemory {
  public:
    FilledMemory() { fill(0x5a); }
    ~FilledMemory() { fill(0); }
    FilledMemory(const FilledMemory&) = delete;
    FilledMemory& operator=(const FilledMemory&) = delete;

  private:
    static void fill([[maybe_unused]] int byte) {
#ifdef __GLIBC__
        mallopt(M_PERTURB, byte);
#endif
    }
};

// HDF5 keeps up to 8 in the header of their object. The table of so many is not in recycled memory.
constexpr int many = 100;

void make(const std::filesystem::path& path, bool members) {
    hdf5::File file = hdf5::create_file(path);
    for (int k = 0; k < many; ++k) {
        const std::string name = "name " + std::to_string(100 + k);
        if (members) {
            hdf5::create_group(file.id(), name);
        } else {
            hdf5::set_attribute(file.id(), name, k);
        }
    }
    hdf5::close(file);
}

/// Whether the file is refused. What is not refused must be complete.
bool is_refused(const std::filesystem::path& path, std::size_t members) {
    try {
        const hdf5::File file = hdf5::open_to_read(path);
        const std::vector<std::string> names = hdf5::names_in(hdf5::open_group(file.id(), "/"));
        CHECK(names.size() == members);
        if (members > 0) CHECK(names.front() == "name 100");
        if (members > 0) CHECK(names.back() == "name 199");
        return false;
    } catch (const std::runtime_error&) {
        return true;
    }
}

}  // namespace

TEST_CASE("a list of many members or attributes with a flipped bit is refused or complete") {
    const FilledMemory filled;
    for (const bool members : {true, false}) {
        CAPTURE(members);
        const history_fixture::TemporaryFolder folder;
        const std::filesystem::path path = folder / "list.h5";
        make(path, members);
        REQUIRE_FALSE(is_refused(path, members ? many : 0));
        std::ifstream in(path, std::ios::binary);
        const std::string right{std::istreambuf_iterator<char>(in), {}};
        for (const std::string signature : {"FRHP", "FHDB", "BTHD", "BTLF"}) {  // heap and index
            CAPTURE(signature);
            const std::size_t first = right.find(signature);
            REQUIRE(first != std::string::npos);
            for (std::size_t behind : {4U, 12U, 20U}) {
                CAPTURE(behind);
                std::string wrong = right;
                wrong[first + behind] ^= 1;
                std::ofstream(path, std::ios::binary) << wrong;
                CHECK(is_refused(path, members ? many : 0));
            }
        }
    }
}

}  // namespace beadwave::validation::damaged_list_test
