// Sentences on static contacts that are not plain linear springs and dashpots: one for each kind,
// with the number of contacts and the first of them.
#pragma once

#include "laws/law_slopes.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace beadwave::linear {

class ContactNotes {
  public:
    /// `name_of()`: "the contact of beads 2 and 3"; called for the first of its kind only.
    template <class NameOf>
    void add(const laws::StaticContact& contact, const NameOf& name_of) {
        if (contact.loading_stiffness && stiffness_.count++ == 0)
            stiffness_ = {1, name_of(), contact};
        if (contact.dashpot == laws::Dashpot::linear) return;
        Note& note = dashpot_[static_cast<std::size_t>(contact.dashpot)];
        if (note.count++ == 0) note = {1, name_of(), contact};
    }

    std::vector<std::string> sentences() const;

  private:
    struct Note {
        std::size_t count = 0;
        std::string first{};
        laws::StaticContact contact{};
    };
    Note stiffness_;
    std::array<Note, 4> dashpot_;  ///< by laws::Dashpot
};

}  // namespace beadwave::linear
