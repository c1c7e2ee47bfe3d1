#include "listed_contacts.hpp"

#include "laws/visit_law.hpp"
#include "pair_overlaps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <variant>

namespace beadwave::packing {

ListedContacts::ListedContacts(const PairLaws& laws, const Bodies& bodies)
    : laws_(laws),
      bodies_(bodies),
      adhesive_(laws::is_adhesive(laws.normal())),
      slides_(!std::holds_alternative<laws::NoSlider<double>>(laws.slider())) {}

StoredEnergy ListedContacts::stored(const TermSums& sums) const {
    const std::span<const std::uint32_t> home = this->home();
    const auto over_pairs = [&](auto energy) {
        return sums.of_pairs(home.size(), [&](std::size_t p) { return energy(home[p]); });
    };
    // The type of the law is found once, not for each pair, if all pairs have the same law.
    const auto of_one_law = [&]<class Law>(const Law& law) {
        return over_pairs([&](std::size_t e) {
            const auto remembered = laws::from_fields<typename Law::Memory>(
                [&](std::size_t k) { return memory.normal_column(k)[e]; });
            return law.stored_energy(geometry(e).overlap, remembered);
        });
    };
    return {.normal = laws_.kinds() == 1
                          ? laws::visit_law(of_one_law, laws_.law(0).normal)
                          : over_pairs([&](std::size_t e) { return normal_energy(e); }),
            .tangential = slides_ || bodies_.needs().rolling
                              ? over_pairs([&](std::size_t e) { return tangential_energy(e); })
                              : 0.0};
}

double ListedContacts::normal_energy(std::size_t e) const {
    return law(e).normal.stored_energy(geometry(e).overlap, memory.normal(e));
}

double ListedContacts::tangential_energy(std::size_t e) const {
    double stored = 0.0;
    if (slides_) {
        stored += std::visit([&](const auto& l) { return l.stored_energy(0.0, spring(e)); },
                             law(e).slider);
    }
    if (bodies_.needs().rolling) stored += rolling_energy(e);
    return stored;
}

double ListedContacts::rolling_energy(std::size_t e) const {
    return law(e).rolling.stored_energy(0.0, memory.rolling(e));
}

double ListedContacts::stored_rolling(const TermSums& sums) const {
    const std::span<const std::uint32_t> home = this->home();
    return sums.of_pairs(home.size(), [&](std::size_t p) { return rolling_energy(home[p]); });
}

std::vector<ContactState> ListedContacts::closed(std::span<const std::uint32_t> some,
                                                 std::vector<double>* numbers) const {
    std::vector<ContactState> closed;
    closed.reserve(count_closed(some));
    for (std::size_t k = 0; k < some.size(); ++k) {
        const std::uint32_t e = some[k];
        const PairGeometry<double> s = geometry(e);
        if (!touches(e, s.overlap)) continue;
        const std::uint32_t first = entries.first[e], second = entries.second[e];
        const double r1 = bodies_.radius(first), r2 = bodies_.radius(second);
        Vec3 velocity{};  // zero if no law depends on it
        if (bodies_.needs().predicted)
            velocity = triple(bodies_.predicted(second)) - triple(bodies_.predicted(first));
        const double normal_force =
            law(e).normal.respond(s.overlap, -dot(velocity, s.normal), memory.normal(e)).force;
        Vec3 tangential{};
        if (slides_) tangential = tangential_force(e, s.overlap, normal_force);
        const PairKey its_key = key(e);
        ContactState c{.first = bodies_.id(first),
                       .second = second_number(its_key),
                       .overlap = s.overlap,
                       .point = r1 / (r1 + r2) * s.branch,
                       .branch = s.branch,
                       .normal_force = -normal_force * s.normal,
                       .tangential_force = -tangential};
        if (c.first > c.second) {
            std::swap(c.first, c.second);
            c.point = r2 / (r1 + r2) * -s.branch;
            c.branch = -c.branch;
            c.normal_force = -c.normal_force;
            c.tangential_force = -c.tangential_force;
        }
        closed.push_back(c);
        if (numbers != nullptr) numbers->push_back(static_cast<double>(k));
    }
    return closed;
}

DeepContact ListedContacts::deepest(std::size_t b, std::int64_t step) const {
    DeepContact deepest;
    std::array<std::uint32_t, pairs_at_a_time> some;
    std::array<double, pairs_at_a_time> overlaps;
    for (std::size_t from = entries.begin(b); from < entries.end(b); from += pairs_at_a_time) {
        const std::size_t count = std::min(pairs_at_a_time, entries.end(b) - from);
        std::iota(some.begin(), some.end(), static_cast<std::uint32_t>(from));
        if (!mixed) find_overlaps(bodies_, entries, std::span(some).first(count), overlaps.data());
        for (std::size_t k = 0; k < count; ++k) {
            const std::uint32_t e = some[k];
            if (entries.is_padding(e)) continue;
            const double overlap = mixed ? mixed->overlap(entries, e) : overlaps[k];
            if (!(overlap > 0.0)) continue;
            const double depth = depth_of(overlap, bodies_.steady_radius(entries.first[e]),
                                          bodies_.steady_radius(entries.second[e]));
            if (!(depth > deepest.depth)) continue;
            const PairKey its_key = key(e);
            const std::size_t first = bodies_.id(entries.first[e]);
            const std::size_t second = second_number(its_key);
            deepest = {depth, overlap, std::min(first, second), std::max(first, second), step};
        }
    }
    return deepest;
}

/// A float has an error of up to 2^-24 of the displacement. Contacts that just touch do not count:
/// their overlaps are rounding in double precision, too.
double ListedContacts::rounding(const TermSums& sums) const {
    const std::span<const std::uint32_t> home = this->home();
    const auto [moved, overlaps] = sums.of_pairs<2>(home.size(), [&](std::size_t p) {
        const std::uint32_t e = home[p];
        const PairGeometry<double> now = geometry(e);
        const double radii = bodies_.radius(entries.first[e]) + bodies_.radius(entries.second[e]);
        if (!touches(e, now.overlap) || std::abs(now.overlap) < 0x1p-50 * radii)
            return std::array{0.0, 0.0};
        const Vec3 u =
            bodies_.displacement(entries.second[e]) - bodies_.displacement(entries.first[e]);
        return std::array{std::sqrt(dot(u, u)), std::abs(now.overlap)};
    });
    constexpr double unit = 0x1p-24;
    return overlaps > 0.0 ? unit * moved / overlaps : 0.0;
}

ContactEnergy ListedContacts::energy(std::size_t e, double overlap) const {
    MemoryOfLaws remembered{.normal = memory.normal(e)};
    if (slides_) remembered.sliding = memory.sliding(e);
    if (bodies_.needs().rolling) remembered.rolling = memory.rolling(e);
    return contact_energy(law(e), overlap, remembered, geometry(e).branch);
}

std::vector<double> ListedContacts::overlaps(std::span<const std::uint32_t> some,
                                             int threads) const {
    std::vector<double> overlap(some.size());
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (std::size_t p = 0; p < some.size(); p += pairs_at_a_time) {
        const std::size_t count = std::min(pairs_at_a_time, some.size() - p);
        find_overlaps(bodies_, entries, some.subspan(p, count), overlap.data() + p);
    }
    return overlap;
}

std::size_t ListedContacts::count_closed(std::span<const std::uint32_t> some) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        some, [&](std::uint32_t e) { return touches(e, geometry(e).overlap); }));
}

/// The tangential force on the second body, at the last step [N].
Vec3 ListedContacts::tangential_force(std::size_t e, double overlap, double normal_force) const {
    if (memory.has_tangential_force()) return memory.tangential_force(e);
    const laws::Grip<double> seen = grip(e, overlap, normal_force);
    return std::visit(
        [&](const auto& l) {
            return l
                .respond({.slip = {},
                          .mean = {},
                          .velocity = {},
                          .overlap = seen.overlap,
                          .normal_force = seen.force},
                         spring(e))
                .force;
        },
        law(e).slider);
}

}  // namespace beadwave::packing
