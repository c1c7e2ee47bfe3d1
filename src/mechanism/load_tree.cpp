// Loads the module that holds simbody/tree.cpp.

#include "base/load_module.hpp"
#include "mechanism/simbody/tree.hpp"

namespace beadwave::mechanism::simbody {

std::unique_ptr<Tree> make_tree(const std::vector<Branch>& branches) {
    static const auto make = reinterpret_cast<MakeTree>(load_module(
        {"mechanisms", BEADWAVE_SIMBODY_FROM_PROGRAM, BEADWAVE_SIMBODY_BUILT, make_tree_name}));
    return std::unique_ptr<Tree>(make(&branches));
}

}  // namespace beadwave::mechanism::simbody
