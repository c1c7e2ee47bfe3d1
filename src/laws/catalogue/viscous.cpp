#include "families.hpp"

namespace beadwave::laws {

std::vector<Entry> viscous_entries() { return {}; }

}  // namespace beadwave::laws
