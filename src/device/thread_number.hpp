// The number of the present thread, in device code only (cmake/device_code.cmake).
#pragma once

#include <cstddef>

namespace beadwave::device {

__attribute__((device)) inline std::size_t thread_number() {
    return static_cast<std::size_t>(__nvvm_read_ptx_sreg_ctaid_x()) *
               __nvvm_read_ptx_sreg_ntid_x() +
           __nvvm_read_ptx_sreg_tid_x();
}

}  // namespace beadwave::device
