// Texts of variable length in an HDF5 file whose heap is damaged: HDF5 1.10 would read and write
// beyond its memory.

#include "history_fixture.hpp"
#include "io/hdf5/hdf5_reading.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace beadwave::validation::damaged_texts_test {

using namespace beadwave::io;

namespace {

const std::vector<std::string> texts{"m s-1", "", "N", "a text that is longer than its neighbours"};

hdf5::Type text_of_variable_length() {
    hdf5::Type type(H5Tcopy(H5T_C_S1));
    H5Tset_size(type.id(), H5T_VARIABLE);
    return type;
}

void make(const std::filesystem::path& path, bool in_dataset) {
    hdf5::File file = hdf5::create_file(path);
    if (in_dataset) {
        const hdf5::Type type = text_of_variable_length();
        const hsize_t count = texts.size();
        std::vector<const char*> starts;
        for (const std::string& text : texts)
            starts.push_back(text.c_str());
        hdf5::write_all(hdf5::create_dataset(file.id(), "texts", type.id(), {&count, 1}), type.id(),
                        starts.data());
    } else {
        for (std::size_t k = 0; k < texts.size(); ++k)
            hdf5::set_free_text(file.id(), "text " + std::to_string(k), texts[k]);
    }
    hdf5::close(file);
}

/// Why the file is refused; empty if it is not.
std::string refusal(const std::filesystem::path& path) {
    try {
        hdf5::check_file(path);
        hdf5::open_to_read(path);
        return {};
    } catch (const std::runtime_error& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("a damaged heap of texts is refused before HDF5 reads a text") {
    for (const bool in_dataset : {false, true}) {
        CAPTURE(in_dataset);
        const history_fixture::TemporaryFolder folder;
        const std::filesystem::path path = folder / "texts.h5";
        make(path, in_dataset);
        REQUIRE(refusal(path).empty());
        std::ifstream in(path, std::ios::binary);
        const std::string right{std::istreambuf_iterator<char>(in), {}};
        const std::size_t heap = right.find("GCOL");
        REQUIRE(heap != std::string::npos);
        const std::string expected = std::string("is damaged: the text of /") +
                                     (in_dataset ? "texts" : ": text 0") +
                                     " is not where it should be";
        const auto is_found = [&](std::size_t at, char bit) {
            CAPTURE(at);
            std::string wrong = right;
            wrong[heap + at] = static_cast<char>(wrong[heap + at] ^ bit);
            std::ofstream(path, std::ios::binary) << wrong;
            const std::string why = refusal(path);
            if (!why.empty()) CHECK(why == expected);
            return !why.empty();
        };
        for (const char bit : {1, 4, 64}) {
            CAPTURE(bit);
            for (std::size_t at = 0; at < 16; ++at)  // signature, version, size
                CHECK(is_found(at, bit));
            for (const std::size_t at : {0U, 1U, 8U, 9U, 12U, 15U})  // index and length of a text
                CHECK(is_found(16 + at, bit));
            CHECK_FALSE(is_found(32, bit));  // a letter of the text
        }
        for (const std::size_t size : {right.size() - 1, heap + 100, heap + 16}) {
            CAPTURE(size);
            std::ofstream(path, std::ios::binary) << right.substr(0, size);
            CHECK_FALSE(refusal(path).empty());
        }
    }
}

}  // namespace beadwave::validation::damaged_texts_test
