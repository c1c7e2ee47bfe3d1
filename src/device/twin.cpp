#include "device/twin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfenv>
#include <cstring>
#include <map>
#include <mutex>
#include <new>

namespace beadwave::device {
namespace {

constexpr std::align_val_t twin_alignment{256};

struct TwinKernels {
    std::mutex mutex;
    std::map<std::pair<std::string, std::string>, TwinKernel> table;
};

TwinKernels& twin_kernels() {
    static TwinKernels kernels;  // made by the first that is named, which may be before main()
    return kernels;
}

/// A thread computes as a device does, for as long as the object lives: it rounds to nearest and
/// keeps subnormal numbers, whatever the engine that calls has set (simd/flush_subnormals.hpp).
class DeviceArithmetic {
  public:
    DeviceArithmetic() {
        std::fegetenv(&saved_);
        std::fesetenv(FE_DFL_ENV);
    }
    ~DeviceArithmetic() { std::fesetenv(&saved_); }
    DeviceArithmetic(const DeviceArithmetic&) = delete;
    DeviceArithmetic& operator=(const DeviceArithmetic&) = delete;

  private:
    std::fenv_t saved_{};
};

class Twin final : public Device {
  public:
    explicit Twin(int threads) : threads_(std::max(threads, 1)) {}

    std::string name() const override {
        return fmt::format("host ({} thread{})", threads_, threads_ == 1 ? "" : "s");
    }

    void* allocate(std::size_t bytes) override {
        void* const memory =
            ::operator new(std::max<std::size_t>(bytes, 1), twin_alignment, std::nothrow);
        if (memory == nullptr)
            throw DeviceError(fmt::format("the host has not enough memory for {} bytes", bytes));
        std::memset(memory, 0xff, bytes);
        return memory;
    }

    void release(void* memory) noexcept override { ::operator delete(memory, twin_alignment); }

    void upload(void* to, const void* from, std::size_t bytes) override { copy(to, from, bytes); }
    void download(void* to, const void* from, std::size_t bytes) override { copy(to, from, bytes); }

    KernelHandle kernel(const std::string& module, const std::string& kernel) override {
        TwinKernels& kernels = twin_kernels();
        const std::lock_guard lock(kernels.mutex);
        const auto found = kernels.table.find({module, kernel});
        if (found == kernels.table.end()) {
            throw DeviceError(
                fmt::format("this beadwave has no kernel {} of {} for the host", kernel, module));
        }
        return &found->second;
    }

    void launch(KernelHandle kernel, std::size_t threads, const void* arguments,
                std::size_t) override {
        const TwinKernel run = *static_cast<const TwinKernel*>(kernel);
        const std::size_t blocks = (threads + block_threads - 1) / block_threads;
        const std::size_t parts = std::min(static_cast<std::size_t>(threads_), blocks);
#pragma omp parallel for schedule(static, 1) num_threads(threads_)
        for (std::size_t part = 0; part < parts; ++part) {
            const DeviceArithmetic arithmetic;
            run(arguments, blocks * part / parts * block_threads,
                blocks * (part + 1) / parts * block_threads);
        }
    }

    void synchronise() override {}

  private:
    static void copy(void* to, const void* from, std::size_t bytes) {
        if (bytes > 0) std::memcpy(to, from, bytes);
    }

    int threads_;
};

}  // namespace

void add_twin_kernel(const std::string& module, const std::string& kernel, TwinKernel run) {
    TwinKernels& kernels = twin_kernels();
    const std::lock_guard lock(kernels.mutex);
    kernels.table[{module, kernel}] = run;
}

std::unique_ptr<Device> make_twin(int threads) {
    return std::make_unique<Twin>(threads);
}

}  // namespace beadwave::device
