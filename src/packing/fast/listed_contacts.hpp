// The contacts of the pairs in the list: what they remember, and what follows from it and from the
// places of the bodies now.
#pragma once

#include "bodies.hpp"
#include "contact_memory.hpp"
#include "laws/neck.hpp"
#include "mixed/mixed_pairs.hpp"
#include "old_pairs.hpp"
#include "packing/contacts/contact_energy.hpp"
#include "packing/contacts/deep_contact.hpp"
#include "packing/contacts/pair_kinematics.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing/engine_state.hpp"
#include "pair_entries.hpp"
#include "term_sums.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace beadwave::packing {

/// The energy stored in the contacts of all ranks [J].
struct StoredEnergy {
    double normal, tangential;
};

class ListedContacts {
  public:
    /// The laws and bodies must outlive it.
    ListedContacts(const PairLaws& laws, const Bodies& bodies);

    PairEntries entries;
    ContactMemory memory;
    std::unique_ptr<MixedPairs> mixed;  ///< null: double precision
    /// Entry of each pair in the block of its first particle, in the list's order; of pairs whose
    /// first particle is on another rank, which come first, in that of the second.
    std::vector<std::uint32_t> listed;
    std::size_t of_others = 0;  ///< pairs whose first particle is on another rank
    /// The number of entries of the ranks before this one, and of all.
    std::size_t entries_before = 0, all_entries = 0;
    /// The entries of pairs whose first particle is on this rank.
    std::span<const std::uint32_t> home() const { return std::span(listed).subspan(of_others); }

    // Properties of an entry.

    PairKey key(std::size_t entry) const {
        return pair_key(entries.first[entry], entries.second[entry], bodies_.ghosts,
                        bodies_.held());
    }
    /// The key of an entry's pair by the particles' numbers.
    OrientedKey numbered_key(std::size_t entry) const {
        return oriented_key(key(entry), bodies_.ids());
    }
    const PairLaw& law(std::size_t entry) const { return laws_.law(entries.kind[entry]); }
    PairGeometry<double> geometry(std::size_t entry) const {
        const std::uint32_t a = entries.first[entry], b = entries.second[entry];
        return pair_geometry<double>(
            {.reference = bodies_.reference(b) - bodies_.reference(a),
             .displacement = bodies_.displacement(b) - bodies_.displacement(a),
             .radii = bodies_.radius(a) + bodies_.radius(b),
             .gap = entries.gap[entry]});
    }
    /// Whether the bodies touch or a neck holds them together.
    bool touches(std::size_t entry, double overlap) const {
        return overlap > 0.0 ||
               (adhesive_ && laws::has_neck(law(entry).normal, memory.normal(entry)));
    }
    /// Whether the bodies are particles that do not touch: seen without a root.
    bool are_apart(std::size_t entry) const {
        const std::uint32_t a = entries.first[entry], b = entries.second[entry];
        if (adhesive_ || bodies_.wall_of(b) != nullptr) return false;
        const Vec3 branch = (bodies_.reference(b) - bodies_.reference(a)) +
                            (bodies_.displacement(b) - bodies_.displacement(a));
        // More than what lists and rounding have added to gaps.
        const double within = (1.0 + 1e-9) * (bodies_.radius(a) + bodies_.radius(b));
        return dot(branch, branch) > within * within;
    }
    /// The overlap and the force that friction and rolling resistance see.
    laws::Grip<double> grip(std::size_t entry, double overlap, double force) const {
        if (!adhesive_) return {overlap, force};
        return laws::grip(law(entry).normal, overlap, force, memory.normal(entry));
    }
    laws::SliderMemory<double> spring(std::size_t entry) const {
        return mixed ? mixed->spring(entry) : memory.sliding(entry);
    }
    double normal_energy(std::size_t entry) const;      ///< stored [J]
    double tangential_energy(std::size_t entry) const;  ///< stored, rolling included [J]
    double rolling_energy(std::size_t entry) const;     ///< stored [J]
    ContactEnergy energy(std::size_t entry, double overlap) const;

    // Sums over all pairs of all ranks.

    StoredEnergy stored(const TermSums& sums) const;
    double stored_rolling(const TermSums& sums) const;
    /// In mixed precision: how wrong floats make the overlaps, in parts of them.
    double rounding(const TermSums& sums) const;

    // Contacts of pairs of this rank.

    /// The closed contacts of some entries, in their order; `numbers`, if not null, gets their
    /// places among them.
    std::vector<ContactState> closed(std::span<const std::uint32_t> some,
                                     std::vector<double>* numbers = nullptr) const;
    std::size_t count_closed(std::span<const std::uint32_t> some) const;
    /// The deepest contact of a block, also while steps are taken in other blocks.
    DeepContact deepest(std::size_t block, std::int64_t step) const;
    /// The overlaps of some entries [m].
    std::vector<double> overlaps(std::span<const std::uint32_t> some, int threads) const;

    /// In mixed precision: copies the springs to the columns of the memory.
    void show_springs() const {
        if (mixed)
            memory.show_springs(entries.count(), [&](std::size_t e) { return mixed->spring(e); });
    }
    /// Calls visit(name, column) for all columns of a saved state.
    template <class Self, class Visit>
    static void each_column(Self& self, Visit visit) {
        visit("gap", self.entries.gap);
        ContactMemory::each_column(self.memory, visit);
    }

  private:
    /// The number of the second body, walls behind all particles.
    std::size_t second_number(const PairKey& key) const {
        return key.wall >= 0 ? bodies_.particles() + static_cast<std::size_t>(key.wall)
                             : bodies_.id(key.second);
    }
    Vec3 tangential_force(std::size_t entry, double overlap, double normal_force) const;

    const PairLaws& laws_;
    const Bodies& bodies_;
    bool adhesive_, slides_;
};

}  // namespace beadwave::packing
