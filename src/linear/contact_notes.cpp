#include "linear/contact_notes.hpp"

#include <fmt/format.h>

namespace beadwave::linear {

std::vector<std::string> ContactNotes::sentences() const {
    using laws::Dashpot;
    std::vector<std::string> all;
    const auto contacts = [](const Note& note) {
        return fmt::format("{} contact{}", note.count, note.count == 1 ? "" : "s");
    };
    const auto of = [&](Dashpot kind) -> const Note& {
        return dashpot_[static_cast<std::size_t>(kind)];
    };
    if (stiffness_.count > 0) {
        all.push_back(fmt::format(
            "{} differ{} in loading and unloading; the modes are those of unloading: {} has "
            "{:.6g} N/m in loading and {:.6g} N/m in unloading",
            contacts(stiffness_), stiffness_.count == 1 ? "s" : "", stiffness_.first,
            *stiffness_.contact.loading_stiffness, stiffness_.contact.slopes.stiffness));
    }
    if (const Note& note = of(Dashpot::one_sided); note.count > 0) {
        all.push_back(fmt::format(
            "the dashpots of {} damp closing and opening differently; the modes have the mean of "
            "both: {} has {:.6g} N s/m",
            contacts(note), note.first, note.contact.slopes.damping));
    }
    if (const Note& note = of(Dashpot::nonlinear); note.count > 0) {
        all.push_back(fmt::format(
            "the dashpots of {} are not linear in the speed at rest, so the modes are without "
            "them; the first is that of {}",
            contacts(note), note.first));
    }
    if (const Note& note = of(Dashpot::by_first_speed); note.count > 0) {
        all.push_back(fmt::format(
            "the damping of {} depends on the speed of their first touch; the modes have that of "
            "a touch at rest, at law.min_impact_speed: {} has {:.6g} N s/m",
            contacts(note), note.first, note.contact.slopes.damping));
    }
    return all;
}

}  // namespace beadwave::linear
