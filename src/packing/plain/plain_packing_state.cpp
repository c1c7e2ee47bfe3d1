// The plain engine's state as columns, and back.

#include "packing/state/state_columns.hpp"
#include "plain_packing_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace beadwave::packing {

template <class Self, class Function>
void PlainPackingEngine::each_column(Self& self, Function visit, Columns which) {
    const VectorColumns all(visit);
    if (which != Columns::of_pairs) {
        all.triples(
            "reference", self.n_, [&](std::size_t i) -> auto& { return self.body_[i].reference; });
        all.triples(
            "displacement",
            self.n_, [&](std::size_t i) -> auto& { return self.body_[i].displacement; });
        all.vectors("velocity", self.velocity_);
        all.vectors("velocity_change", self.velocity_change_);
        all.vectors("angular_velocity", self.angular_velocity_);
        all.vectors("angular_velocity_change", self.angular_velocity_change_);
        all.vectors("force", self.force_);
    }
    if (which == Columns::of_particles) return;
    const std::size_t pairs = self.pair_.size();
    const auto numbers = [&](const std::string& name, auto member) {
        visit(
            name, pairs, [&](std::size_t p) -> auto& { return self.pair_[p].*member; });
    };
    numbers("gap", &Pair::gap);
    numbers("overlap", &Pair::overlap);
    numbers("normal_force", &Pair::normal_force);
    all.triples(
        "branch", pairs, [&](std::size_t p) -> auto& { return self.pair_[p].branch; });
    all.triples(
        "tangential_force",
        pairs, [&](std::size_t p) -> auto& { return self.pair_[p].tangential_force; });
    all.triples(
        "sliding", pairs, [&](std::size_t p) -> auto& { return self.pair_[p].sliding.vector; });
    visit(
        "sliding_number",
        pairs, [&](std::size_t p) -> auto& { return self.pair_[p].sliding.number; });
    all.triples(
        "rolling", pairs, [&](std::size_t p) -> auto& { return self.pair_[p].rolling.vector; });
    visit(
        "rolling_number",
        pairs, [&](std::size_t p) -> auto& { return self.pair_[p].rolling.number; });
    for (std::size_t k = 0; k < self.traits_.memory_numbers; ++k) {
        visit(
            "memory_" + std::to_string(k),
            pairs, [&](std::size_t p) -> auto& { return self.pair_[p].memory[k]; });
    }
}

std::vector<PackingColumn> PlainPackingEngine::state() const {
    SavedNumbers columns(state_values_);
    each_column(*this, columns.visit());
    append_columns(columns);
    if (keeps_records()) {
        columns.add("contact_accounts", accounts_.numbers());
        columns.add("pair_actions", action_numbers());
    }
    return columns.take();
}

void PlainPackingEngine::restore(std::int64_t step, const SavedColumns& column) {
    const auto take = take_columns(column);
    each_column(*this, take, Columns::of_particles);
    restore_columns(step, column);
    body_.resize(n_);
    adopt_list();
    each_column(*this, take, Columns::of_pairs);
    if (keeps_records()) restore_accounts(column);
    restore_records(column);
    update_ghosts();
}

}  // namespace beadwave::packing
