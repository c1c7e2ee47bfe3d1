#include "gradients/law_kernel.inl.hpp"

namespace beadwave::gradients {

const Quarter second_kernels = kernels_from<1 * quarter>();

}  // namespace beadwave::gradients
