#include "subjects/chain/parting_beads.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

namespace beadwave::jobs {
namespace {

double velocity_of(const chain::Chain& chain, std::size_t bead) {
    return chain.is_held(bead) ? 0.0 : chain.velocity[bead];
}

/// Whether a force may act on it, now or when the bodies move as they do.
bool may_close(const chain::Chain& chain, std::size_t contact) {
    const double gap = chain.start_gap(contact);
    if (!std::isfinite(gap)) return false;
    const double from = contact > 0 ? velocity_of(chain, contact - 1) : 0.0;
    const double to = contact < chain.beads() ? velocity_of(chain, contact) : 0.0;
    if (from > to || gap < 0.0) return true;
    // Bodies that touch may stick.
    return gap == 0.0 && chain.contacts.at(contact).ends_in_tension();
}

}  // namespace

std::optional<std::string> parting_beads(const chain::Chain& chain) {
    if (chain.partition || chain.gravity != 0.0 || !chain.loads.empty() ||
        !chain.elements.empty() || chain.left_drive || chain.right_drive)
        return std::nullopt;
    for (std::size_t c = 0; c <= chain.beads(); ++c)
        if (may_close(chain, c)) return std::nullopt;
    std::size_t moving = 0;
    while (moving < chain.beads() && velocity_of(chain, moving) == 0.0)
        ++moving;
    if (moving == chain.beads()) return std::nullopt;
    return fmt::format(
        "nothing ever touches: no two bodies approach each other, and no force acts; bead {} moves "
        "at {:.3g} m/s, and positive is towards higher bead numbers",
        moving, chain.velocity[moving]);
}

}  // namespace beadwave::jobs
