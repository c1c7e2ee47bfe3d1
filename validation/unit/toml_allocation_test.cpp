// An allocation that fails while TOML is read ends as missing memory, never as another meaning of
// the text. The test lets its own operator new fail.

#include "io/durable/hdf5_driver.hpp"
#include "io/toml/toml_document.hpp"
#include "io/toml/toml_override.hpp"

#include <doctest/doctest.h>
#include <toml++/toml.h>

#include <cstdlib>
#include <new>
#include <optional>
#include <string>

namespace {

thread_local long left = -1;  ///< allocations until one fails; below zero: none fails

void* allocate(std::size_t bytes) {
    if (left >= 0 && left-- == 0) return nullptr;
    return std::malloc(bytes == 0 ? 1 : bytes);
}

}  // namespace

void* operator new(std::size_t bytes) {
    if (void* const memory = allocate(bytes)) return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return allocate(bytes);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
    std::free(memory);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

using namespace beadwave;

namespace {

/// Does `work` with each allocation failing in turn, until it needs none that fails. Returns how
/// many failed. What `work` throws other than std::bad_alloc fails the test.
template <class Work>
long fail_each(const Work& work) {
    for (long n = 0;; ++n) {
        left = n;
        try {
            work();
            const bool failed = left < 0;
            left = -1;
            if (!failed) return n;
            // Memory that was not needed, such as the buffer of a sort, may be missing.
        } catch (const std::bad_alloc&) {
            left = -1;
        } catch (const std::exception& error) {
            left = -1;
            const std::string what = error.what();
            FAIL("allocation " << n << ": " << what);
        }
    }
}

}  // namespace

TEST_CASE("missing memory gives --set no other meaning") {
    const std::string setting = "law.restitution=0.8125", longer = "law.a.b.c.d=2.5e-1";
    int wrong_values = 0, wrong_keys = 0;
    const long failed = fail_each([&] {
        toml::table table;
        const io::Overridden now = io::apply_override(table, setting);
        if (now.value.value<double>() != std::optional(0.8125)) ++wrong_values;
        if (io::apply_override(table, longer).key != "law.a.b.c.d") ++wrong_keys;
    });
    CHECK(wrong_values == 0);
    CHECK(wrong_keys == 0);
    CHECK(failed > 10);
}

TEST_CASE("missing memory gives a document no other meaning") {
    const std::string text =
        "[law]\nrestitution = 2.5e-1\nname = \"hertz\"\nlist = [1.5, 1979-05-27]\n";
    bool right = true;
    const long failed = fail_each([&] {
        const std::string settings[] = {"law.b=0.5"};
        const io::TomlDocument document = io::parse_toml(text, "x.toml", settings);
        const toml::table& law = *(*document.table)["law"].as_table();
        right = right && law["restitution"].value<double>() == std::optional(0.25) &&
                law["b"].value<double>() == std::optional(0.5) &&
                document.text.find("1979-05-27") != std::string::npos;
    });
    CHECK(right);
    CHECK(failed > 20);
}

TEST_CASE("the error of a write to HDF5 is kept without memory") {
    // HDF5 calls what keeps it from C, through which no exception may pass.
    io::hdf5::WriteErrors errors;
    left = 0;
    errors.add("No space left on device, said at length");
    const bool allocated = left < 0;
    left = -1;
    CHECK_FALSE(allocated);
    CHECK(std::string(errors.first()) == "No space left on device, said at length");
    errors.add("another");
    CHECK_THROWS_WITH(errors.check(),
                      "cannot write to it: No space left on device, said at length");
    io::hdf5::WriteErrors unnamed;
    unnamed.add("");
    CHECK(std::string(unnamed.first()) == "unknown error");
    CHECK_FALSE(io::hdf5::WriteErrors().any());
}
