#include "device/cuda_driver.hpp"

#include "device/device.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <mutex>

namespace beadwave::device::cuda {
namespace {

constexpr const char* usual_library = "libcuda.so.1";

/// Finds functions by their names.
class Library {
  public:
    explicit Library(const std::string& file)
        : file_(file), loaded_(::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
        if (loaded_ == nullptr) {
            const char* const why = ::dlerror();
            throw DeviceError(fmt::format("there is no driver of NVIDIA for a GPU: {}",
                                          why == nullptr ? file : why));
        }
    }

    template <class Found>
    void find(Found*& function, const char* name) const {
        function = reinterpret_cast<Found*>(::dlsym(loaded_, name));
        if (function == nullptr) {
            throw DeviceError(fmt::format(
                "the driver of NVIDIA in {} is too old: it has no function {}", file_, name));
        }
    }

  private:
    std::string file_;
    void* loaded_;
};

Driver load(const std::string& file) {
    const Library library(file);
    Driver driver{};
    library.find(driver.cuInit, "cuInit");
    library.find(driver.cuDriverGetVersion, "cuDriverGetVersion");
    library.find(driver.cuGetErrorString, "cuGetErrorString");
    library.find(driver.cuDeviceGetCount, "cuDeviceGetCount");
    library.find(driver.cuDeviceGet, "cuDeviceGet");
    library.find(driver.cuDeviceGetName, "cuDeviceGetName");
    library.find(driver.cuDeviceTotalMem, "cuDeviceTotalMem_v2");
    library.find(driver.cuDeviceGetAttribute, "cuDeviceGetAttribute");
    library.find(driver.cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
    library.find(driver.cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2");
    library.find(driver.cuCtxPushCurrent, "cuCtxPushCurrent_v2");
    library.find(driver.cuCtxPopCurrent, "cuCtxPopCurrent_v2");
    library.find(driver.cuCtxSynchronize, "cuCtxSynchronize");
    library.find(driver.cuMemGetInfo, "cuMemGetInfo_v2");
    library.find(driver.cuMemAlloc, "cuMemAlloc_v2");
    library.find(driver.cuMemFree, "cuMemFree_v2");
    library.find(driver.cuMemcpyHtoD, "cuMemcpyHtoD_v2");
    library.find(driver.cuMemcpyDtoH, "cuMemcpyDtoH_v2");
    library.find(driver.cuModuleLoadDataEx, "cuModuleLoadDataEx");
    library.find(driver.cuModuleUnload, "cuModuleUnload");
    library.find(driver.cuModuleGetFunction, "cuModuleGetFunction");
    library.find(driver.cuLaunchKernel, "cuLaunchKernel");
    return driver;
}

const Driver& loaded(const std::string& file) {
    static std::mutex mutex;
    static std::map<std::string, Driver> drivers;
    const std::lock_guard lock(mutex);
    const auto known = drivers.find(file);
    return known == drivers.end() ? drivers.emplace(file, load(file)).first->second : known->second;
}

}  // namespace

const Driver& driver() {
    const char* const other = std::getenv("BEADWAVE_CUDA_DRIVER");
    const std::string file = other == nullptr || *other == '\0' ? usual_library : other;
    const Driver& driver = loaded(file);
    const Result started = driver.cuInit(0);
    int count = 0;
    const Result counted = started == success ? driver.cuDeviceGetCount(&count) : started;
    if (counted == no_device || (counted == success && count == 0)) {
        const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
        throw DeviceError(visible == nullptr ? "the driver of NVIDIA finds no GPU"
                                             : fmt::format("the driver of NVIDIA finds no GPU that "
                                                           "CUDA_VISIBLE_DEVICES={} allows",
                                                           visible));
    }
    if (counted == stub_library) {
        throw DeviceError(fmt::format(
            "{} is the empty library of a toolkit, not the driver of NVIDIA for a GPU", file));
    }
    if (counted != success) {
        throw DeviceError(
            fmt::format("the driver of NVIDIA does not start: {}", message_of(driver, counted)));
    }
    return driver;
}

std::string message_of(const Driver& driver, Result error) {
    const char* text = nullptr;
    if (driver.cuGetErrorString(error, &text) != success || text == nullptr) text = "failure";
    return fmt::format("{} (CUDA error {})", text, error);
}

std::string version_of(const Driver& driver) {
    int version = 0;
    driver.cuDriverGetVersion(&version);
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace beadwave::device::cuda
