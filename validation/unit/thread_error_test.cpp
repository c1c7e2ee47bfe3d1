// What threads of an OpenMP region throw.

#include "stepping/thread_error.hpp"

#include <doctest/doctest.h>

#include <new>
#include <stdexcept>

namespace beadwave::validation::thread_error_test {

TEST_CASE("what a thread of a region throws is thrown after it, and no further work is done") {
    stepping::ThreadError error;
    constexpr int count = 1000;
    int after = 0;
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < count; ++i)
        error.guard([&] {
            if (i % 100 == 7) throw std::bad_alloc();
        });
    CHECK(error.failed());
    error.guard([&] { ++after; });
    CHECK(after == 0);
    CHECK_THROWS_AS(error.rethrow(), std::bad_alloc);
}

TEST_CASE("without an exception nothing is thrown after a region") {
    stepping::ThreadError error;
    int done = 0;
    error.guard([&] { ++done; });
    CHECK(done == 1);
    CHECK(!error.failed());
    CHECK_NOTHROW(error.rethrow());
}

}  // namespace beadwave::validation::thread_error_test
