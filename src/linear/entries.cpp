#include "linear/entries.hpp"

#include <array>

namespace beadwave::linear {
namespace {

void add(Entries& entries, std::size_t row, std::size_t column, double stiffness, double damping) {
    entries.row.push_back(static_cast<std::int64_t>(row));
    entries.column.push_back(static_cast<std::int64_t>(column));
    entries.stiffness.push_back(stiffness);
    entries.damping.push_back(damping);
}

}  // namespace

Entries entries_of(const ChainOperator& chain) {
    Entries entries;
    entries.mass = chain.masses();
    for (std::size_t i = 0; i < chain.ground_stiffness.size(); ++i)
        add(entries, i, i, chain.ground_stiffness[i], chain.ground_damping[i]);
    for (std::size_t k = 0; k < chain.inner.size(); ++k) {
        const InnerMass& inner = chain.inner[k];
        const std::size_t place = chain.size() + k;
        for (const std::size_t at : {inner.bead, place})
            add(entries, at, at, inner.stiffness, inner.damping);
        add(entries, inner.bead, place, -inner.stiffness, -inner.damping);
        add(entries, place, inner.bead, -inner.stiffness, -inner.damping);
    }
    for (std::size_t i = 0; i < chain.size(); ++i) {
        add(entries, i, i, chain.stiffness[i] + chain.stiffness[i + 1],
            chain.damping[i] + chain.damping[i + 1]);
        if (i + 1 == chain.size()) break;
        add(entries, i, i + 1, -chain.stiffness[i + 1], -chain.damping[i + 1]);
        add(entries, i + 1, i, -chain.stiffness[i + 1], -chain.damping[i + 1]);
    }
    for (const FarSpring& each : chain.far) {
        for (const std::size_t at : {each.first, each.second})
            add(entries, at, at, each.stiffness, 0.0);
        add(entries, each.first, each.second, -each.stiffness, 0.0);
        add(entries, each.second, each.first, -each.stiffness, 0.0);
    }
    return entries;
}

Entries entries_of(const PackingOperator& packing) {
    const std::size_t c = packing.components();
    Entries entries;
    entries.mass = packing.mass;
    for (const Link& link : packing.links) {
        std::array<std::array<double, 12>, 12> stiffness{}, damping{};
        for (const Spring& spring : packing.springs(link)) {
            std::array<double, 12> row{};
            for (std::size_t k = 0; k < c; ++k) {
                row[k] = spring.first[k];
                row[c + k] = spring.second[k];
            }
            for (std::size_t i = 0; i < 2 * c; ++i) {
                for (std::size_t j = 0; j < 2 * c; ++j) {
                    stiffness[i][j] += spring.stiffness * row[i] * row[j];
                    damping[i][j] += spring.damping * row[i] * row[j];
                }
            }
        }
        const auto place = [&](std::size_t i) {
            const std::uint32_t body = i < c ? link.first : link.second;
            return body == Link::ground ? packing.size() : body * c + i % c;
        };
        for (std::size_t i = 0; i < 2 * c; ++i) {
            for (std::size_t j = 0; j < 2 * c; ++j) {
                const bool moves = place(i) < packing.size() && place(j) < packing.size();
                if (moves && (stiffness[i][j] != 0.0 || damping[i][j] != 0.0))
                    add(entries, place(i), place(j), stiffness[i][j], damping[i][j]);
            }
        }
    }
    return entries;
}

}  // namespace beadwave::linear
