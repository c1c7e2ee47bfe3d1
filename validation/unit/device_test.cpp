// The host in the place of a device, and the device code of this build.

#include "device/embedded_code.hpp"
#include "device/twin.hpp"
#include "device_numbers.hpp"
#include "simd/flush_subnormals.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace beadwave::validation::device_test {

using device::Device;

TEST_CASE("a kernel on the host runs once for each thread of whole blocks") {
    struct Arguments {
        int* runs;
        std::size_t count;
    };
    device::add_twin_kernel(
        "device_test", "count", [](const void* arguments, std::size_t first, std::size_t end) {
            const auto& [runs, count] = *static_cast<const Arguments*>(arguments);
            for (std::size_t i = first; i < end; ++i)
                ++runs[i];
        });
    for (const int threads : {1, 2, 3, 7}) {
        const std::unique_ptr<Device> twin = device::make_twin(threads);
        for (const std::size_t count : {0, 1, 127, 128, 129, 1000, 5000}) {
            CAPTURE(threads);
            CAPTURE(count);
            const std::size_t whole = (count + 127) / 128 * 128;
            std::vector<int> runs(whole + 128, 0);
            const device::Array<int> on_twin(*twin, runs.size());
            CHECK(reinterpret_cast<std::size_t>(on_twin.data()) % 256 == 0);
            on_twin.upload(runs.data());
            const Arguments arguments{on_twin.data(), count};
            twin->launch(twin->kernel("device_test", "count"), count, &arguments, sizeof arguments);
            on_twin.download(runs.data());
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < runs.size(); ++i)
                wrong += runs[i] != (i < whole ? 1 : 0);
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("memory of the host in the place of a device holds NaN before it is written") {
    const std::unique_ptr<Device> twin = device::make_twin(1);
    const device::Array<double> numbers(*twin, 3);
    std::vector<double> read(3, 1.0);
    numbers.download(read.data());
    for (const double number : read)
        CHECK(std::isnan(number));
}

TEST_CASE("a twin says which kernel is missing, and that memory is not enough") {
    const std::unique_ptr<Device> twin = device::make_twin(2);
    CHECK(twin->name() == "host (2 threads)");
    CHECK(device_error_of([&] { twin->kernel("device_test", "none"); }) ==
          "this beadwave has no kernel none of device_test for the host");
#ifndef BEADWAVE_SANITISED  // the sanitizers end the program instead
    CHECK(device_error_of([&] { twin->allocate(std::size_t{1} << 60); }) ==
          "the host has not enough memory for 1152921504606846976 bytes");
#endif
}

TEST_CASE("the twin gives the bits of IEEE arithmetic") {
    device::add_twin_kernel(
        "check", "check", [](const void* arguments, std::size_t first, std::size_t end) {
            for (std::size_t i = first; i < end; ++i)
                device::check_thread(*static_cast<const device::CheckArguments*>(arguments), i);
        });
    for (const int threads : {1, 3}) {
        const std::unique_ptr<Device> twin = device::make_twin(threads);
        for (const std::size_t count : {1, 128, 2000}) {
            const CheckedNumbers numbers(count);
            const std::vector<double> here = numbers.here();
            CHECK(different_numbers(numbers.on(*twin), here) == 0);
            // Also if an engine calls that flushes subnormal numbers.
            std::vector<double> within;
            {
                const simd::FlushSubnormals flush;
                within = numbers.on(*twin);
                CHECK(simd::FlushSubnormals::is_on());
            }
            CHECK(different_numbers(within, here) == 0);
        }
    }
}

TEST_CASE("every module of device code rounds to nearest and has no atomic operation on floats") {
    if (without_device_code()) return;
    for (const std::string& module : device::embedded_modules()) {
        CAPTURE(module);
        const std::string code = device::embedded_code(module);
        REQUIRE(code.size() > 100);
        CHECK(code.data()[code.size()] == '\0');
        CHECK(code.find('\0') == std::string_view::npos);
        CHECK(code.find(".entry") != std::string_view::npos);
        CHECK(code.find(".extern") == std::string_view::npos);  // a function that nobody has
        CHECK(device::needs_of(code).compute_capability >= 50);
        // The words of an operation: fma.rn.f64, red.global.add.f32.
        std::set<std::string> wrong;
        std::size_t begin = 0, operations = 0;
        while (begin < code.size()) {
            const std::size_t end = std::min(code.find_first_of(" \t\n;", begin), code.size());
            const std::string word(code.substr(begin, end - begin));
            begin = end + 1;
            const auto has = [&](const char* part) { return word.find(part) != std::string::npos; };
            if (!has(".f64") && !has(".f32") && !has(".f16") && !has("bf16")) continue;
            const std::string operation = word.substr(0, word.find('.'));
            static const std::set<std::string> rounds = {"add", "sub", "mul",  "fma",
                                                         "mad", "div", "sqrt", "rcp"};
            operations += rounds.contains(operation);
            if (has(".approx") || has(".ftz") || has(".sat") || has(".full") ||
                operation == "atom" || operation == "red" ||
                (rounds.contains(operation) && !has(".rn.")))
                wrong.insert(word);
        }
        CHECK(operations > 0);
        for (const std::string& word : wrong)
            CHECK_MESSAGE(false, word);
    }
}

TEST_CASE("device code of one name only is found, with what it needs") {
    CHECK(device::embedded_code("no such module").empty());
    const device::CodeNeeds needs =
        device::needs_of("// made\n.version 7.4\n.target sm_90a, debug\n.address_size 64\n");
    CHECK(needs.compute_capability == 90);
    CHECK(needs.version == "7.4");
    if (without_device_code()) return;
    CHECK(device::embedded_code("check").find(".entry check(") != std::string_view::npos);
}

}  // namespace beadwave::validation::device_test
