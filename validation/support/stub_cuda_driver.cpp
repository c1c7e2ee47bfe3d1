// A library in the place of NVIDIA's driver, on the host, for tests: its memory is that of the
// host, its only kernel is `check`. The environment variable BEADWAVE_STUB_FAULT names what is
// wrong with it. `stub_live()` counts what has been opened, taken or loaded and not been given
// back.
#include "device/check.hpp"

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

namespace {

constexpr std::size_t stub_memory = 1000000;

struct Stub {
    int contexts = 0, modules = 0, current = 0;
    int failed = 0;  ///< from a failed kernel on, all calls fail
    std::size_t used = 0;
    std::map<void*, std::size_t> memory;
};

Stub stub;

bool fault(const char* name) {
    const char* const wanted = std::getenv("BEADWAVE_STUB_FAULT");
    return wanted != nullptr && std::string(wanted) == name;
}

/// Calls between the two need a current context (CUDA_ERROR_INVALID_CONTEXT).
int state() {
    return stub.current == 0 ? 201 : stub.failed;
}

}  // namespace

extern "C" {

int stub_live() {
    return stub.contexts + stub.modules + stub.current + static_cast<int>(stub.memory.size());
}

int cuInit(unsigned) {
    if (fault("no device")) return 100;
    if (fault("toolkit")) return 34;
    return fault("mismatch") ? 803 : 0;
}

int cuDriverGetVersion(int* version) {
    *version = fault("old") ? 10020 : 12040;
    return 0;
}

int cuGetErrorString(int error, const char** text) {
    switch (error) {
        case 2:
            *text = "out of memory";
            return 0;
        case 218:
            *text = "a PTX JIT compilation failed";
            return 0;
        case 500:
            *text = "named symbol not found";
            return 0;
        case 701:
            *text = "too many resources requested for launch";
            return 0;
        case 719:
            *text = "unspecified launch failure";
            return 0;
        case 803:
            *text = "system has unsupported display driver / cuda driver combination";
            return 0;
        default:
            return 1;
    }
}

int cuDeviceGetCount(int* count) {
    *count = fault("no visible device") ? 0 : 1;
    return 0;
}

int cuDeviceGet(int* device, int ordinal) {
    *device = ordinal;
    return 0;
}

int cuDeviceGetName(char* name, int bytes, int) {
    std::strncpy(name, "Stub", static_cast<std::size_t>(bytes));
    return 0;
}

int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
    *bytes = stub_memory;
    return 0;
}

int cuDeviceGetAttribute(int* value, int attribute, int) {
    *value = attribute == 76 ? 5 : fault("early GPU") ? 7 : 9;
    return 0;
}

int cuDevicePrimaryCtxRetain(void** context, int) {
    if (fault("full")) return 2;
    if (stub.contexts++ == 0) stub.failed = 0;
    *context = &stub;
    return 0;
}

int cuDevicePrimaryCtxRelease_v2(int) {
    --stub.contexts;
    return 0;
}

int cuCtxPushCurrent_v2(void* context) {
    if (context != &stub) return 201;
    ++stub.current;
    return 0;
}

int cuCtxPopCurrent_v2(void** context) {
    *context = &stub;
    --stub.current;
    return 0;
}

int cuCtxSynchronize() {
    return state();
}

int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
    *free = stub_memory - stub.used;
    *total = stub_memory;
    return state();
}

int cuMemAlloc_v2(void** memory, std::size_t bytes) {
    if (state() != 0) return state();
    if (bytes == 0) return 1;
    if (bytes > stub_memory - stub.used) return 2;
    *memory = std::malloc(bytes);
    stub.memory[*memory] = bytes;
    stub.used += bytes;
    return 0;
}

int cuMemFree_v2(void* memory) {
    const auto found = stub.memory.find(memory);
    if (stub.current == 0 || found == stub.memory.end()) return 1;
    stub.used -= found->second;
    stub.memory.erase(found);
    std::free(memory);
    return 0;
}

int cuMemcpyHtoD_v2(void* to, const void* from, std::size_t bytes) {
    if (state() != 0) return state();
    std::memcpy(to, from, bytes);
    return 0;
}

int cuMemcpyDtoH_v2(void* to, const void* from, std::size_t bytes) {
    if (state() != 0) return state();
    std::memcpy(to, from, bytes);
    return 0;
}

int cuModuleLoadDataEx(void** module, const void* code, unsigned options, const int* names,
                       void** values) {
    if (state() != 0) return state();
    if (std::strstr(static_cast<const char*>(code), ".entry check(") == nullptr) return 218;
    if (fault("old")) return 222;
    if (fault("bad code")) {
        if (options == 2 && names[0] == 5 && names[1] == 6 && values[1] != nullptr) {
            std::strcpy(static_cast<char*>(values[0]),
                        "ptxas application ptx input, line 9; fatal : Unknown symbol 'x'\nmore\n");
        }
        return 218;
    }
    ++stub.modules;
    *module = &stub.modules;
    return 0;
}

int cuModuleUnload(void*) {
    --stub.modules;
    return 0;
}

int cuModuleGetFunction(void** function, void*, const char* name) {
    if (std::string(name) != "check") return 500;
    *function = &stub.failed;
    return state();
}

int cuLaunchKernel(void*, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned, void*, void** parameters,
                   void** extra) {
    using beadwave::device::CheckArguments;
    if (state() != 0) return state();
    if (grid_x == 0 || grid_y * grid_z * block_y * block_z != 1 || block_x != 128) return 1;
    if (parameters != nullptr || extra[0] != reinterpret_cast<void*>(1) ||
        extra[2] != reinterpret_cast<void*>(2) || extra[4] != nullptr ||
        *static_cast<std::size_t*>(extra[3]) != sizeof(CheckArguments))
        return 1;
    if (fault("launch")) return 701;
    if (fault("kernel")) {
        stub.failed = 719;
        return 0;
    }
    CheckArguments arguments{};
    std::memcpy(&arguments, extra[1], sizeof arguments);
    for (std::size_t thread = 0; thread < std::size_t{grid_x} * block_x; ++thread)
        beadwave::device::check_thread(arguments, thread);
    return 0;
}

}  // extern "C"
