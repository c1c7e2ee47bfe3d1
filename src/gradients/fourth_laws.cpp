#include "gradients/law_kernel.inl.hpp"

namespace beadwave::gradients {

const Quarter fourth_kernels = kernels_from<3 * quarter>();

}  // namespace beadwave::gradients
