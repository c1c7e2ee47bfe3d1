#include "beadwave/laws/line_law.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/number.hpp"

#include <fmt/format.h>

namespace beadwave::laws {
namespace {

void check_range(const LineLaw& law, double overlap) {
    const double limit = law.largest_overlap();
    if (overlap < limit) return;
    throw ArgumentError(fmt::format(
        "law \"{}\" ends at an overlap of {:.4g} m, where its force has no finite slope "
        "or value, and this contact goes beyond; take a lower speed or another law",
        law.name, limit));
}

}  // namespace

Response<double, NoMemory> LineLaw::respond(double overlap, double approach_speed,
                                            Memory memory) const {
    if (!(overlap > 0.0)) return {0.0, memory};
    check_range(*this, overlap);
    const double elastic = std::visit([&](const auto& s) { return s.force(overlap); }, spring);
    return {max(elastic * (1.0 + damping * approach_speed), 0.0), memory};
}

double LineLaw::stored_energy(double overlap, Memory) const {
    if (!(overlap > 0.0)) return 0.0;
    check_range(*this, overlap);
    return std::visit([&](const auto& s) { return s.stored_energy(overlap); }, spring);
}

double LineLaw::largest_overlap() const {
    return std::visit([](const auto& s) { return s.largest_overlap(); }, spring);
}

}  // namespace beadwave::laws
