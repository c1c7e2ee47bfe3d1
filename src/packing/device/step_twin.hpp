// The kernels of a packing's step for the host.
#pragma once

namespace beadwave::packing::on_device {

/// Makes them known to device::make_twin().
void add_twin_kernels();
/// Of these, those of neighbour lists and of copies.
void add_list_twin_kernels();

}  // namespace beadwave::packing::on_device
