#include "device/gpu.hpp"

#include "device/cuda_driver.hpp"
#include "device/embedded_code.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <string_view>
#include <utility>

namespace beadwave::device {
namespace {

/// "12.3 GB"
std::string in_bytes(std::size_t bytes) {
    const auto number = static_cast<double>(bytes);
    if (bytes < 1000000) return fmt::format("{} bytes", bytes);
    return bytes < 1000000000 ? fmt::format("{:.1f} MB", number / 1e6)
                              : fmt::format("{:.2f} GB", number / 1e9);
}

int capability(const cuda::Driver& driver, cuda::DeviceNumber device) {
    int major = 0, minor = 0;
    driver.cuDeviceGetAttribute(&major, cuda::compute_capability_major, device);
    driver.cuDeviceGetAttribute(&minor, cuda::compute_capability_minor, device);
    return 10 * major + minor;
}

std::string capability_text(int capability) {
    return fmt::format("{}.{}", capability / 10, capability % 10);
}

std::string name_of(const cuda::Driver& driver, cuda::DeviceNumber device) {
    std::array<char, 256> name{};
    driver.cuDeviceGetName(name.data(), static_cast<int>(name.size()) - 1, device);
    return name.data();
}

/// The first line that a compiler printed, without the name of its input.
std::string first_line(std::string_view log) {
    log = log.substr(0, log.find('\n'));
    if (log.starts_with("ptxas ")) log.remove_prefix(std::strlen("ptxas "));
    return std::string(log.substr(0, 200));
}

class Gpu final : public Device {
  public:
    Gpu() : driver_(cuda::driver()) {
        require(driver_.cuDeviceGet(&device_, 0), "finding it");
        name_ = name_of(driver_, device_);
        const cuda::Result opened = driver_.cuDevicePrimaryCtxRetain(&context_, device_);
        if (opened == cuda::out_of_memory)
            throw DeviceError(fmt::format("the memory of the GPU {} is full", name_));
        require(opened, "opening it");
    }

    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;

    ~Gpu() override {
        {
            const Current current(*this);
            driver_.cuCtxSynchronize();
            for (const auto& [name, module] : modules_)
                driver_.cuModuleUnload(module);
        }
        driver_.cuDevicePrimaryCtxRelease(device_);
    }

    std::string name() const override { return name_; }

    void* allocate(std::size_t bytes) override {
        const Current current(*this);
        cuda::Address memory = nullptr;
        const cuda::Result result = driver_.cuMemAlloc(&memory, bytes > 0 ? bytes : 1);
        if (result == cuda::out_of_memory) {
            std::size_t free = 0, total = 0;
            driver_.cuMemGetInfo(&free, &total);
            throw DeviceError(fmt::format(
                "the GPU {} has not enough memory: {} more are needed, {} of its {} are free",
                name_, in_bytes(bytes), in_bytes(free), in_bytes(total)));
        }
        require(result, "taking memory of it");
        return memory;
    }

    void release(void* memory) noexcept override {
        const Current current(*this);
        driver_.cuMemFree(memory);  // a device that failed has said so elsewhere
    }

    void upload(void* to, const void* from, std::size_t bytes) override {
        if (bytes == 0) return;
        const Current current(*this);
        require(driver_.cuMemcpyHtoD(to, from, bytes), "copying to its memory");
    }

    void download(void* to, const void* from, std::size_t bytes) override {
        if (bytes == 0) return;
        const Current current(*this);
        require(driver_.cuMemcpyDtoH(to, from, bytes), "copying from its memory");
    }

    KernelHandle kernel(const std::string& module, const std::string& kernel) override {
        const Current current(*this);
        const auto name = std::pair(module, kernel);
        auto found = modules_.find(name);
        if (found == modules_.end()) found = modules_.emplace(name, load(module, kernel)).first;
        cuda::Function function = nullptr;
        require(driver_.cuModuleGetFunction(&function, found->second, kernel.c_str()),
                fmt::format("finding the kernel {} of {}", kernel, module));
        kernel_names_[function] = kernel;
        return function;
    }

    void launch(KernelHandle kernel, std::size_t threads, const void* arguments,
                std::size_t bytes) override {
        if (threads == 0) return;
        const Current current(*this);
        std::array<void*, 5> extra{cuda::launch_buffer, const_cast<void*>(arguments),
                                   cuda::launch_buffer_bytes, &bytes, cuda::launch_end};
        const std::size_t blocks = (threads + block_threads - 1) / block_threads;
        auto* const function = static_cast<cuda::Function>(const_cast<void*>(kernel));
        const cuda::Result result =
            driver_.cuLaunchKernel(function, static_cast<unsigned>(blocks), 1, 1, block_threads, 1,
                                   1, 0, nullptr, nullptr, extra.data());
        if (result != cuda::success)
            require(result, fmt::format("starting the kernel {}", kernel_names_[kernel]));
    }

    void synchronise() override {
        const Current current(*this);
        require(driver_.cuCtxSynchronize(), "running a kernel");
    }

  private:
    /// The driver works on the current context of a thread; another library may have one of its
    /// own.
    class Current {
      public:
        explicit Current(const Gpu& gpu)
            : driver_(gpu.driver_), pushed_(driver_.cuCtxPushCurrent(gpu.context_)) {}
        Current(const Current&) = delete;
        Current& operator=(const Current&) = delete;
        ~Current() {
            cuda::Context ignored = nullptr;
            if (pushed_ == cuda::success) driver_.cuCtxPopCurrent(&ignored);
        }

      private:
        const cuda::Driver& driver_;
        cuda::Result pushed_;
    };

    void require(cuda::Result result, std::string_view what) const {
        if (result == cuda::success) return;
        throw DeviceError(fmt::format("the GPU {} has failed in {}: {}", name_, what,
                                      cuda::message_of(driver_, result)));
    }

    /// Lets the driver compile a kernel of a module.
    cuda::CodeModule load(const std::string& module, const std::string& kernel) const {
        const std::string code = embedded_code(module);
        if (code.empty()) {
            throw DeviceError(
                embedded_modules().empty()
                    ? "this beadwave was built without code for GPUs, which needs clang 14 or later"
                    : fmt::format("this beadwave has no code called {} for GPUs", module));
        }
        const CodeNeeds needs = needs_of(code);
        const int here = capability(driver_, device_);
        if (here < needs.compute_capability) {
            throw DeviceError(fmt::format(
                "the GPU {} has compute capability {}, and this beadwave needs {} or later", name_,
                capability_text(here), capability_text(needs.compute_capability)));
        }
        const std::string own = only_kernel(code, kernel);
        if (own.empty())
            throw DeviceError(
                fmt::format("this beadwave has no kernel {} of {} for GPUs", kernel, module));
        std::array<char, 4096> log{};
        std::array<cuda::CompileOption, 2> names{cuda::error_log, cuda::error_log_bytes};
        std::array<void*, 2> values{log.data(), std::bit_cast<void*>(log.size() - 1)};
        cuda::CodeModule loaded = nullptr;
        const cuda::Result result = driver_.cuModuleLoadDataEx(
            &loaded, own.c_str(), static_cast<unsigned>(names.size()), names.data(), values.data());
        if (result == cuda::unsupported_code) {
            throw DeviceError(fmt::format(
                "the driver of the GPU {} is too old: it offers CUDA {}, and does not know version "
                "{} of PTX, which this beadwave is compiled to",
                name_, cuda::version_of(driver_), needs.version));
        }
        const std::string why = first_line(log.data());
        if (result == cuda::invalid_code && !why.empty()) {
            throw DeviceError(fmt::format("the driver of the GPU {} does not compile {}: {}", name_,
                                          module, why));
        }
        require(result, fmt::format("compiling {}", module));
        return loaded;
    }

    const cuda::Driver& driver_;
    cuda::DeviceNumber device_ = 0;
    cuda::Context context_ = nullptr;
    std::string name_;
    std::map<std::pair<std::string, std::string>, cuda::CodeModule> modules_;
    std::map<KernelHandle, std::string> kernel_names_;
};

}  // namespace

GpuList list_gpus() {
    try {
        const cuda::Driver& driver = cuda::driver();
        GpuList list;
        int count = 0;
        driver.cuDeviceGetCount(&count);
        for (int ordinal = 0; ordinal < count; ++ordinal) {
            cuda::DeviceNumber device = 0;
            std::size_t memory = 0;
            driver.cuDeviceGet(&device, ordinal);
            driver.cuDeviceTotalMem(&memory, device);
            list.gpus.push_back({name_of(driver, device), memory,
                                 capability_text(capability(driver, device)),
                                 cuda::version_of(driver)});
        }
        return list;
    } catch (const DeviceError& error) {
        return {{}, error.what()};
    }
}

std::unique_ptr<Device> open_gpu() {
    return std::make_unique<Gpu>();
}

}  // namespace beadwave::device
