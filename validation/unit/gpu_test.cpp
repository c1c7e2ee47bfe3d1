// GPUs behind a library in the place of NVIDIA's driver (support/stub_cuda_driver.cpp), which fails
// as it is told, and that of this machine.

#include "device/gpu.hpp"

#include "device/embedded_code.hpp"
#include "device_numbers.hpp"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <stdlib.h>  // NOLINT: setenv is POSIX's, not the standard library's

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace beadwave::validation::gpu_test {

namespace {

using device::Device;

/// An environment variable, until the end of the scope.
class Environment {
  public:
    Environment(const char* name, const std::string& value) : name_(name) {
        const char* const before = std::getenv(name);
        had_ = before != nullptr;
        if (had_) before_ = before;
        ::setenv(name, value.c_str(), 1);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    ~Environment() { had_ ? ::setenv(name_, before_.c_str(), 1) : ::unsetenv(name_); }

  private:
    const char* name_;
    bool had_ = false;
    std::string before_;
};

/// The stub is the driver, with a fault or without.
struct Stub {
    Environment driver{"BEADWAVE_CUDA_DRIVER", BEADWAVE_STUB_DRIVER};
    Environment fault;
    explicit Stub(const std::string& name = {}) : fault("BEADWAVE_STUB_FAULT", name) {}

    /// What is open, taken or loaded.
    static int live() {
        void* const library = ::dlopen(BEADWAVE_STUB_DRIVER, RTLD_NOW | RTLD_LOCAL);
        REQUIRE(library != nullptr);
        void* const function = ::dlsym(library, "stub_live");
        REQUIRE(function != nullptr);
        return reinterpret_cast<int (*)()>(function)();
    }
};

}  // namespace

TEST_CASE("a GPU is listed, and its kernel gives the bits of IEEE arithmetic") {
    const Stub stub;
    const device::GpuList list = device::list_gpus();
    REQUIRE(list.gpus.size() == 1);
    CHECK(list.none_because.empty());
    CHECK(list.gpus[0].name == "Stub");
    CHECK(list.gpus[0].memory == 1000000);
    CHECK(list.gpus[0].compute_capability == "9.5");
    CHECK(list.gpus[0].driver == "12.4");
    if (without_device_code()) return;
    const std::unique_ptr<Device> gpu = device::open_gpu();
    CHECK(gpu->name() == "Stub");
    for (const std::size_t count : {1, 127, 128, 129, 1000}) {
        const CheckedNumbers numbers(count);
        CHECK(different_numbers(numbers.on(*gpu), numbers.here()) == 0);
        gpu->synchronise();
    }
    // No threads, no numbers: nothing to do, and no error.
    gpu->launch(gpu->kernel("check", "check"), 0, nullptr, 0);
    const device::Array<double> empty(*gpu, 0);
    empty.upload(nullptr);
    empty.download(nullptr);
}

TEST_CASE("a GPU of this machine, where there is one, gives the bits of IEEE arithmetic") {
    const device::GpuList list = device::list_gpus();
    if (list.gpus.empty()) {
        MESSAGE("skipped: " << list.none_because);
        return;
    }
    if (without_device_code()) return;
    for (int i = 0; i < 3; ++i) {
        const std::unique_ptr<Device> gpu = device::open_gpu();
        CHECK(gpu->name() == list.gpus[0].name);
        for (const std::size_t count : {1, 127, 128, 129, 1000, 100000}) {
            const CheckedNumbers numbers(count);
            CHECK(different_numbers(numbers.on(*gpu), numbers.here()) == 0);
        }
        CHECK(device_error_of([&] {
                  gpu->allocate(std::size_t{1} << 50);
              }).starts_with("the GPU " + gpu->name() + " has not enough memory: 1125899.91 GB "));
        gpu->synchronise();
    }
}

TEST_CASE("a thousand GPUs, opened and closed, leave nothing behind") {
    const Stub stub;
    const int before = Stub::live();
    for (int i = 0; i < 1000; ++i) {
        const std::unique_ptr<Device> gpu = device::open_gpu();
        const device::Array<double> numbers(*gpu, 1000);
        if (!device::embedded_modules().empty()) gpu->kernel("check", "check");
        if (i == 0) CHECK(Stub::live() > before);
    }
    CHECK(Stub::live() == before);
}

TEST_CASE("why there is no GPU is said in one sentence, by the list and by opening one") {
    const auto both = [] {
        std::string said = device_error_of([] { device::open_gpu(); });
        const device::GpuList list = device::list_gpus();
        CHECK(list.gpus.empty());
        CHECK(list.none_because == said);
        return said;
    };
    {
        const Environment none("BEADWAVE_CUDA_DRIVER", "/nowhere/libcuda.so.1");
        CHECK(both() ==
              "there is no driver of NVIDIA for a GPU: /nowhere/libcuda.so.1: cannot open shared "
              "object file: No such file or directory");
    }
    {
        const Environment other("BEADWAVE_CUDA_DRIVER", "libm.so.6");
        CHECK(both() == "the driver of NVIDIA in libm.so.6 is too old: it has no function cuInit");
    }
    {
        const Stub stub("no device");
        CHECK(both() == "the driver of NVIDIA finds no GPU");
    }
    {
        const Stub stub("no visible device");
        const Environment visible("CUDA_VISIBLE_DEVICES", "7");
        CHECK(both() == "the driver of NVIDIA finds no GPU that CUDA_VISIBLE_DEVICES=7 allows");
    }
    {
        const Stub stub("toolkit");
        CHECK(both() == BEADWAVE_STUB_DRIVER
              " is the empty library of a toolkit, not the driver of NVIDIA for a GPU");
    }
    {
        const Stub stub("mismatch");
        CHECK(both() ==
              "the driver of NVIDIA does not start: system has unsupported display driver / cuda "
              "driver combination (CUDA error 803)");
    }
}

TEST_CASE("a GPU whose memory is full says how much is asked for, free and there") {
    {
        const Stub stub("full");
        CHECK(device_error_of([] { device::open_gpu(); }) == "the memory of the GPU Stub is full");
        CHECK(Stub::live() == 0);
    }
    const Stub stub;
    const std::unique_ptr<Device> gpu = device::open_gpu();
    const device::Array<char> some(*gpu, 400000);
    CHECK(device_error_of([&] { device::Array<double>(*gpu, 250000); }) ==
          "the GPU Stub has not enough memory: 2.0 MB more are needed, 600000 bytes of its 1.0 MB "
          "are free");
    const device::Array<char> rest(*gpu, 600000);  // what is free can be taken
}

TEST_CASE("a driver or a GPU that does not take the code says why") {
    if (without_device_code()) return;
    const auto said = [](const std::string& fault) {
        const Stub stub(fault);
        const std::unique_ptr<Device> gpu = device::open_gpu();
        return device_error_of([&] { gpu->kernel("check", "check"); });
    };
    const device::CodeNeeds needs = device::needs_of(device::embedded_code("check"));
    CHECK(said("old") ==
          "the driver of the GPU Stub is too old: it offers CUDA 10.2, and does not know version " +
              needs.version + " of PTX, which this beadwave is compiled to");
    CHECK(said("bad code") ==
          "the driver of the GPU Stub does not compile check: application ptx input, line 9; "
          "fatal : Unknown symbol 'x'");
    const std::string capability = std::to_string(needs.compute_capability);
    CHECK(said("early GPU") == "the GPU Stub has compute capability 7.5, and this beadwave needs " +
                                   capability.substr(0, capability.size() - 1) + "." +
                                   capability.back() + " or later");
    const Stub stub;
    const std::unique_ptr<Device> gpu = device::open_gpu();
    CHECK(device_error_of([&] { gpu->kernel("no such module", "check"); }) ==
          "this beadwave has no code called no such module for GPUs");
    CHECK(device_error_of([&] { gpu->kernel("check", "other"); }) ==
          "this beadwave has no kernel other of check for GPUs");
}

TEST_CASE("a kernel that does not start, or fails, is reported, and the GPU is given back") {
    if (without_device_code()) return;
    {
        const Stub stub("launch");
        const std::unique_ptr<Device> gpu = device::open_gpu();
        CHECK(device_error_of([&] { CheckedNumbers(10).on(*gpu); }) ==
              "the GPU Stub has failed in starting the kernel check: too many resources requested "
              "for launch (CUDA error 701)");
    }
    {
        const Stub stub("kernel");
        const std::unique_ptr<Device> gpu = device::open_gpu();
        const device::Array<double> numbers(*gpu, 10);
        CHECK(device_error_of([&] { CheckedNumbers(10).on(*gpu); }) ==
              "the GPU Stub has failed in copying from its memory: unspecified launch failure "
              "(CUDA error 719)");
        CHECK(device_error_of([&] { gpu->synchronise(); }) ==
              "the GPU Stub has failed in running a kernel: unspecified launch failure (CUDA "
              "error 719)");
        CHECK(device_error_of([&] { gpu->allocate(8); }) ==
              "the GPU Stub has failed in taking memory of it: unspecified launch failure (CUDA "
              "error 719)");
    }
    CHECK(Stub::live() == 0);
}

}  // namespace beadwave::validation::gpu_test
