#include "chain/fingerprint.hpp"

#include "scenario/hash.hpp"

namespace beadwave::chain {

std::uint64_t fingerprint(const Chain& chain) {
    scenario::Hash hash;
    hash.add(chain.radius);
    hash.add(chain.mass);
    hash.add(chain.velocity);
    hash.add(chain.gap);
    const Contacts& contacts = chain.contacts;
    hash.add(std::uint64_t{contacts.first().index()});
    for (std::size_t field = 0; field < contacts.law_fields(); ++field)
        hash.add(contacts.field(field));
    for (std::size_t kind = 0; kind < contacts.kind_count(); ++kind)
        hash.add(contacts.kind_mass(kind));
    for (std::size_t contact = 0; contact < contacts.count(); ++contact)
        hash.add(std::uint64_t{contacts.kind(contact)});
    hash.add(std::uint64_t{chain.left_fixed} + 2 * std::uint64_t{chain.right_fixed} +
             4 * std::uint64_t{chain.left_drive.has_value()} +
             8 * std::uint64_t{chain.right_drive.has_value()});
    hash.add(chain.gravity);
    for (const Load& load : chain.loads) {
        hash.add(std::uint64_t{load.bead});
        hash.add(load.force);
    }
    return hash.sum();
}

}  // namespace beadwave::chain
