#include "chain/pair_table.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::chain {

std::size_t reach_of(const Elements& elements) {
    std::size_t reach = 1;
    for (const PairForce& each : elements.pair_forces)
        reach = std::max(reach, each.neighbours);
    return reach;
}

PairTable::PairTable(const Chain& chain, std::size_t count) {
    if (chain.elements.pair_forces.empty()) return;
    const std::size_t n = chain.beads();
    const auto to_next = [&](std::size_t i) {
        return chain.radius[i] + chain.gap[i + 1] + chain.radius[i + 1];
    };
    for (std::size_t neighbour = 1; neighbour <= reach_of(chain.elements); ++neighbour) {
        simd::Column& column = spacing_.emplace_back(count);
        std::fill(column.data(), column.data() + count, 1.0);
        // In the same order everywhere, so that equal spacings give equal sums.
        for (std::size_t i = 0; i + neighbour < n; ++i) {
            double sum = 0.0;
            for (std::size_t k = i; k < i + neighbour; ++k)
                sum += to_next(k);
            column[i] = sum;
        }
    }
    for (const PairForce& each : chain.elements.pair_forces) {
        for (std::size_t neighbour = 1; neighbour <= each.neighbours; ++neighbour) {
            Term& term = terms_.emplace_back(Term{each.law, neighbour, simd::Column(count)});
            for (std::size_t i = each.first; i + neighbour <= each.last; ++i)
                term.strength[i] = each.strength(i, i + neighbour);
        }
    }
}

double PairTable::force(const double* displacement, std::size_t bead) const {
    double force = 0.0;
    for (const Term& term : terms_) {
        const double left =
            bead >= term.neighbour ? pair_force(term, displacement, bead - term.neighbour) : 0.0;
        force += left - pair_force(term, displacement, bead);
    }
    return force;
}

double PairTable::energy(const double* displacement, std::size_t begin, std::size_t end) const {
    double energy = 0.0;
    for (const Term& term : terms_) {
        for (std::size_t i = begin; i < end; ++i) {
            if (term.strength[i] != 0.0)
                energy += term.strength[i] * term.law.energy(distance(term, displacement, i));
        }
    }
    return energy;
}

double PairTable::stiffness(const double* displacement, std::size_t bead) const {
    double sum = 0.0;
    const auto add = [&](const Term& term, std::size_t left) {
        if (term.strength[left] != 0.0) {
            sum +=
                std::abs(term.strength[left] * term.law.slope(distance(term, displacement, left)));
        }
    };
    for (const Term& term : terms_) {
        if (bead >= term.neighbour) add(term, bead - term.neighbour);
        add(term, bead);
    }
    return sum;
}

double long_wave_stiffness(const Chain& chain, std::size_t bead) {
    const PairTable table(chain, chain.beads());
    const std::vector<double> rest(chain.beads(), 0.0);
    double sum = 0.0;
    for (const PairTable::Term& term : table.terms()) {
        const std::size_t last = chain.beads() - 1;
        const std::size_t left = std::min(bead, last - std::min(last, term.neighbour));
        const auto n = static_cast<double>(term.neighbour);
        if (term.strength[left] != 0.0)
            sum -= n * n * term.strength[left] *
                   term.law.slope(table.distance(term, rest.data(), left));
    }
    return sum;
}

}  // namespace beadwave::chain
