// The file driver of HDF5 files: what damaged metadata do to a writer.

#include "io/durable/hdf5_driver.hpp"

#include "history_fixture.hpp"
#include "io/hdf5/hdf5_reading.hpp"

#include <doctest/doctest.h>

#include <array>
#include <stdexcept>

namespace beadwave::validation::hdf5_driver_test {

using namespace beadwave::io;

namespace {

struct NoHook final : hdf5::MetadataWriteHook {
    void before(int, haddr_t, std::size_t) override {}
    haddr_t shortest() const override { return 0; }
};

/// Flips a bit behind each place of this signature. Returns how often it is there.
int damage(const std::filesystem::path& path, const std::string& signature) {
    std::ifstream in(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    int count = 0;
    for (std::size_t at = bytes.find(signature); at != std::string::npos;
         at = bytes.find(signature, at + 1)) {
        bytes[at + signature.size() + 4] ^= 1;
        ++count;
    }
    std::ofstream(path, std::ios::binary) << bytes;
    return count;
}

}  // namespace

TEST_CASE("a shared file whose chunk index is damaged fails the writer, which does not wait") {
    for (const std::string signature : {"EAHD", "EAIB"}) {
        CAPTURE(signature);
        const history_fixture::TemporaryFolder folder;
        const std::filesystem::path path = folder / "shared.h5";
        NoHook hook;
        constexpr std::array<hsize_t, 2> chunk{2, 3}, row{1, 3};
        const auto add_row = [&](const hdf5::Dataset& data, hsize_t number) {
            const std::array<hsize_t, 2> shape{number + 1, 3}, first{number, 0};
            constexpr std::array<double, 3> numbers{1.0, 2.0, 3.0};
            hdf5::extend(data, shape);
            hdf5::write_block(data, H5T_NATIVE_DOUBLE, first, row, numbers.data());
        };
        {
            hdf5::File file = hdf5::create_swmr_file(path, hook, [](const hdf5::File&) {});
            {
                const hdf5::Dataset data =
                    hdf5::create_extensible(file.id(), "rows", H5T_NATIVE_DOUBLE, chunk, row);
                add_row(data, 0);
            }
            hdf5::close(file);
        }
        REQUIRE(damage(path, signature) == 1);
        hdf5::File file = hdf5::open_swmr_file(path, hook);
        hdf5::start_swmr(file);
        CHECK_THROWS_WITH_AS(
            {
                const hdf5::Dataset data = hdf5::open_dataset(file.id(), "rows");
                for (hsize_t number = 1; number < 8; ++number)
                    add_row(data, number);
                hdf5::flush(file);
            },
            doctest::Contains("incorrect metadata checksum"), std::runtime_error);
        hdf5::discard(file);
    }
}

}  // namespace beadwave::validation::hdf5_driver_test
