#include "gradients/law_kernel.inl.hpp"

namespace beadwave::gradients {

const Quarter third_kernels = kernels_from<2 * quarter>();

}  // namespace beadwave::gradients
