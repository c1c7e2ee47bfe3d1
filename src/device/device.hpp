// A device: memory of its own, and kernels that run there, one thread per number from 0 up to a
// count. A graphics processor is one (gpu.hpp); the host can stand in for it (twin.hpp), with the
// same kernels and the same bits. Calls come from one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace beadwave::device {

/// An error of a device; says what went wrong in one sentence.
class DeviceError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A kernel of a device; valid as long as the device.
using KernelHandle = const void*;

class Device {
  public:
    virtual ~Device() = default;

    virtual std::string name() const = 0;  ///< "NVIDIA H100 80GB HBM3"

    /// Memory of the device, which is not set. Throws DeviceError where it has not enough.
    virtual void* allocate(std::size_t bytes) = 0;
    virtual void release(void* memory) noexcept = 0;

    /// Copies after all kernels before it, and returns when it has.
    virtual void upload(void* to, const void* from, std::size_t bytes) = 0;
    virtual void download(void* to, const void* from, std::size_t bytes) = 0;

    /// `module`: name of an embedded piece of device code; `kernel`: a function of it. Throws
    /// DeviceError where the program has no such code.
    virtual KernelHandle kernel(const std::string& module, const std::string& kernel) = 0;
    /// Runs the kernel for threads 0 to `threads` - 1, after all calls before it; may return
    /// earlier. `arguments`: the kernel's only argument, a struct of `bytes` bytes, copied. The
    /// last of the blocks of 128 threads may have threads beyond the count: kernels check it
    /// themselves.
    virtual void launch(KernelHandle kernel, std::size_t threads, const void* arguments,
                        std::size_t bytes) = 0;
    virtual void synchronise() = 0;
};

inline constexpr std::size_t block_threads = 128;

/// Numbers in the memory of a device.
template <class T>
class Array {
  public:
    Array() = default;
    Array(Device& device, std::size_t count)
        : device_(&device),
          count_(count),
          data_(static_cast<T*>(device.allocate((count > 0 ? count : 1) * sizeof(T)))) {}
    Array(Array&& other) noexcept { swap(other); }
    Array& operator=(Array&& other) noexcept {
        swap(other);
        return *this;
    }
    ~Array() {
        if (data_ != nullptr) device_->release(data_);
    }

    T* data() const { return data_; }
    std::size_t size() const { return count_; }
    void upload(const T* from) const { device_->upload(data_, from, count_ * sizeof(T)); }
    void download(T* to) const { device_->download(to, data_, count_ * sizeof(T)); }

  private:
    void swap(Array& other) noexcept {
        std::swap(device_, other.device_);
        std::swap(count_, other.count_);
        std::swap(data_, other.data_);
    }

    Device* device_ = nullptr;
    std::size_t count_ = 0;
    T* data_ = nullptr;
};

}  // namespace beadwave::device
