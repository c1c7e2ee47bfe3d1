// The functions of NVIDIA's driver that beadwave calls, from the library libcuda.so.1, which comes
// with the driver and is loaded when the first device is asked for. Declared here, so that no
// toolkit is needed: https://docs.nvidia.com/cuda/cuda-driver-api. Where a function has several
// versions, this is the one that the driver's own header chooses.
//
// The environment variable BEADWAVE_CUDA_DRIVER names another library with these functions: tests
// take the place of a driver with it.
#pragma once

#include <cstddef>
#include <string>

namespace beadwave::device::cuda {

using Result = int;  ///< 0: success
using DeviceNumber = int;
using Address = void*;  ///< in the memory of the device; an integer of 64 bits there
struct ContextRecord;
struct ModuleRecord;
struct FunctionRecord;
struct StreamRecord;
using Context = ContextRecord*;
using CodeModule = ModuleRecord*;
using Function = FunctionRecord*;
using Stream = StreamRecord*;

enum Error : Result {
    success = 0,
    out_of_memory = 2,
    stub_library = 34,
    no_device = 100,
    invalid_code = 218,      ///< PTX that the driver's compiler refuses
    unsupported_code = 222,  ///< PTX of a later version than the driver's
};

enum Attribute : int { compute_capability_major = 75, compute_capability_minor = 76 };

enum CompileOption : int { error_log = 5, error_log_bytes = 6 };

/// Words of the list `extra` of cuLaunchKernel.
inline void* const launch_end = nullptr;
inline void* const launch_buffer = reinterpret_cast<void*>(1);
inline void* const launch_buffer_bytes = reinterpret_cast<void*>(2);

struct Driver {
    Result (*cuInit)(unsigned flags);
    Result (*cuDriverGetVersion)(int* version);  ///< 1000 major + 10 minor
    Result (*cuGetErrorString)(Result error, const char** text);
    Result (*cuDeviceGetCount)(int* count);
    Result (*cuDeviceGet)(DeviceNumber* device, int ordinal);
    Result (*cuDeviceGetName)(char* name, int bytes, DeviceNumber device);
    Result (*cuDeviceTotalMem)(std::size_t* bytes, DeviceNumber device);
    Result (*cuDeviceGetAttribute)(int* value, Attribute attribute, DeviceNumber device);
    Result (*cuDevicePrimaryCtxRetain)(Context* context, DeviceNumber device);
    Result (*cuDevicePrimaryCtxRelease)(DeviceNumber device);
    Result (*cuCtxPushCurrent)(Context context);
    Result (*cuCtxPopCurrent)(Context* context);
    Result (*cuCtxSynchronize)();
    Result (*cuMemGetInfo)(std::size_t* free, std::size_t* total);
    Result (*cuMemAlloc)(Address* memory, std::size_t bytes);
    Result (*cuMemFree)(Address memory);
    Result (*cuMemcpyHtoD)(Address to, const void* from, std::size_t bytes);
    Result (*cuMemcpyDtoH)(void* to, const void* from, std::size_t bytes);
    Result (*cuModuleLoadDataEx)(CodeModule* module, const void* code, unsigned options,
                                 CompileOption* names, void** values);
    Result (*cuModuleUnload)(CodeModule module);
    Result (*cuModuleGetFunction)(Function* function, CodeModule module, const char* name);
    Result (*cuLaunchKernel)(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                             unsigned block_x, unsigned block_y, unsigned block_z,
                             unsigned shared_bytes, Stream stream, void** parameters, void** extra);
};

/// The driver, loaded once and never closed, and initialised. Throws DeviceError where there is
/// none, where it lacks a function, and where it has no device.
const Driver& driver();

/// The driver's words for an error, with its number: "out of memory (CUDA error 2)".
std::string message_of(const Driver& driver, Result error);

/// "12.4", the version of CUDA that the driver offers.
std::string version_of(const Driver& driver);

}  // namespace beadwave::device::cuda
