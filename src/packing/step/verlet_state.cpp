// What back ends with a step of velocity Verlet share of a saved state.

#include "packing/state/state_columns.hpp"
#include "packing/step/verlet_backend.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace beadwave::packing {

template <class Self, class Visit>
void VerletBackend::each_shared_column(Self& self, Visit visit) {
    const VectorColumns all(visit);
    const Packing& packing = self.around_.packing;
    all.vectors("wall_force", self.walls_.force);
    all.vectors("wall_at_list", self.walls_.at_list);
    all.numbers("wall_torque", self.walls_.torque);
    using State = WallLoads::State;
    auto& loads = self.around_.loads.states();
    visit(
        "wall_loads", State::numbers * loads.size(), [&](std::size_t i) -> auto& {
            return loads[i / State::numbers].number(i % State::numbers);
        });
    auto& ledger = self.ledger_;
    all.number("power", ledger.power);
    all.number("power_now", ledger.power_now);
    all.number("power_at_start", ledger.power_at_start);
    all.number("tangential_work", ledger.tangential);
    if (!packing.has_shapes() || packing.rolling.acts()) all.number("rolling_work", ledger.rolling);
    all.number("wall_work", ledger.walls);
    all.number("initial_stored", ledger.initial_stored);
    if (std::ranges::any_of(packing.walls, &Wall::mesh_turns))
        all.number("list_time", self.walls_.list_time);
}

template <class Self, class Visit>
void VerletBackend::each_sum_of_walls(Self& self, Visit visit) {
    const auto sums = [&](const char* wall, const char* triangle, auto& of) {
        visit(wall, of.wall);
        visit(triangle, of.triangle);
    };
    if (self.keeps_records()) sums("wall_rubbing", "triangle_rubbing", self.wall_work_->rubbing());
    if (self.watches_impacts_) sums("wall_cutting", "triangle_cutting", self.wall_work_->cutting());
}

void VerletBackend::append_columns(SavedNumbers& columns) const {
    each_shared_column(*this, columns.visit());
    if (around_.box.strains()) columns.add("box", around_.box.numbers());
    if (around_.elements.any()) columns.add("elements", around_.elements.numbers());
    if (around_.population.changes()) columns.add("population", around_.population.numbers());
    if (accounts_) {
        columns.add("contact_accounts", accounts_->account_numbers());
        columns.add("pair_actions", accounts_->action_numbers());
    }
    if (watches_impacts_) {
        columns.add("contact_impacts", impacts_.numbers());
        columns.add("ended_impacts", impacts_.ended_numbers());
    }
    each_sum_of_walls(
        *this, [&](const char* name, const std::vector<double>& sums) { columns.add(name, sums); });
}

void VerletBackend::restore_columns(std::int64_t step, const SavedColumns& column) {
    const auto take = take_columns(column);
    const auto taken = [&](const char* name, std::vector<double> numbers) {
        take(
            name, numbers.size(), [&](std::size_t i) -> auto& { return numbers[i]; });
        return numbers;
    };
    around_.step = step;
    each_shared_column(*this, take);
    around_.loads.restore(time());
    if (around_.box.strains())
        around_.box.restore(step, taken("box", std::vector<double>(around_.box.count())));
    if (around_.elements.any())
        around_.elements.restore(step, taken("elements", around_.elements.numbers()));
    if (!around_.population.changes()) return;
    around_.population.restore(column("population"));
    hold_absent();
}

void VerletBackend::restore_records(const SavedColumns& column) {
    if (accounts_) accounts_->restore(column("contact_accounts"), column("pair_actions"));
    if (watches_impacts_) {
        impacts_.restore(column("contact_impacts"), column("ended_impacts"),
                         accounts_->all().size(), count() + around_.packing.walls.size());
    }
    const auto take = take_columns(column);
    each_sum_of_walls(*this, [&](const char* name, std::vector<double>& sums) {
        take(
            name, sums.size(), [&](std::size_t i) -> auto& { return sums[i]; });
    });
}

}  // namespace beadwave::packing
