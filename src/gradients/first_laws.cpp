#include "gradients/law_kernel.inl.hpp"

namespace beadwave::gradients {

const Quarter first_kernels = kernels_from<0 * quarter>();

}  // namespace beadwave::gradients
