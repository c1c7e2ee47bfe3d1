// The memory of messages is kept while they need it.

#include "ranks/message_buffer.hpp"

#include <doctest/doctest.h>

#include <cstddef>

namespace beadwave::validation::message_buffer_test {

using ranks::MessageBuffer;

TEST_CASE("messages of one length, and long and short ones in turn, use the same memory") {
    MessageBuffer buffer;
    const double* const memory = buffer.of(1000).data();
    for (int k = 0; k < 10; ++k) {
        for (const std::size_t count : {0, 8, 1000, 8, 1000, 1000, 300}) {
            CAPTURE(count);
            CHECK(buffer.of(count).size() == count);
            CHECK(buffer.numbers().size() == count);
            CHECK(buffer.capacity() >= 1000);
            CHECK(buffer.numbers().data() == memory);
        }
    }
}

TEST_CASE("the memory of a long message is released after three short ones") {
    MessageBuffer buffer;
    buffer.of(1000);
    buffer.of(8);
    buffer.of(8);
    CHECK(buffer.capacity() >= 1000);
    CHECK(buffer.of(8).size() == 8);
    CHECK(buffer.capacity() < 1000);
    buffer.of(1000);
    for (int k = 0; k < 3; ++k)
        buffer.of(0);
    CHECK(buffer.capacity() == 0);
}

}  // namespace beadwave::validation::message_buffer_test
