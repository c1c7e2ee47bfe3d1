// The messages of the standard library's errors, for people.

#include "io/files/error_message.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

namespace beadwave::validation::error_message_test {

using beadwave::io::message_of;

namespace {

template <class Work>
std::string message_after(const Work& work) {
    try {
        work();
    } catch (const std::exception& error) {
        return message_of(error);
    }
    return "no error";
}

}  // namespace

TEST_CASE(
    "a container that would exceed all memory is missing memory, not the name of a function") {
    const std::size_t too_many = std::numeric_limits<std::size_t>::max() / 4;
    std::vector<double> numbers{1.0};
    std::string text;
    CHECK(message_after([&] { numbers.resize(too_many); }) == "not enough memory");
    CHECK(message_after([&] { numbers.reserve(too_many); }) == "not enough memory");
    CHECK(message_after([&] { std::vector<double> made(too_many); }) == "not enough memory");
    CHECK(message_after([&] { text.resize(std::numeric_limits<std::size_t>::max()); }) ==
          "not enough memory");
    CHECK(message_after([] { throw std::bad_alloc(); }) == "not enough memory");
    CHECK(message_after([] { throw std::length_error("the saved state is too long"); }) ==
          "the saved state is too long");
}

}  // namespace beadwave::validation::error_message_test
