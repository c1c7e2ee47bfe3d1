// The kernels of a packing's step for the host.
#pragma once

namespace beadwave::packing::on_device {

/// Makes the kernels of packings known to device::make_twin().
void add_twin_kernels();
/// Makes the kernels of neighbour lists and of copies known; add_twin_kernels() calls it.
void add_list_twin_kernels();

}  // namespace beadwave::packing::on_device
