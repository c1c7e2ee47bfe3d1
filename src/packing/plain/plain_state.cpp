// The plain engine's state as columns, and back.

#include "packing/state/state_columns.hpp"
#include "plain_backend.hpp"

namespace beadwave::packing {

template <class Self, class Function>
void PlainBackend::each_column(Self& self, Function visit, Columns which) {
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
    auto& pairs = self.pair_;
    visit(
        "gap", pairs.size(), [&](std::size_t p) -> auto& { return pairs[p].gap; });
    PairMemory::each_column(pairs, self.traits_.memory_numbers, true, visit);
    all.triples(
        "branch", pairs.size(), [&](std::size_t p) -> auto& { return pairs[p].branch; });
}

std::vector<PackingColumn> PlainBackend::state() const {
    SavedNumbers columns(state_values_);
    each_column(*this, columns.visit());
    append_columns(columns);
    return columns.take();
}

void PlainBackend::restore(std::int64_t step, const SavedColumns& column) {
    const auto take = take_columns(column);
    each_column(*this, take, Columns::of_particles);
    restore_columns(step, column);
    body_.resize(n_);
    adopt_list();
    each_column(*this, take, Columns::of_pairs);
    restore_records(column);
    update_ghosts();
}

}  // namespace beadwave::packing
