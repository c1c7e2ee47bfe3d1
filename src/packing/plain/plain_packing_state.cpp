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
        all.vectors("wall_force", self.wall_force_);
        all.vectors("wall_at_list", self.wall_at_list_);
        visit(
            "wall_torque",
            self.wall_torque_.size(), [&](std::size_t w) -> auto& { return self.wall_torque_[w]; });
        using State = WallLoads::State;
        auto& loads = self.loads_.states();
        visit(
            "wall_loads", State::numbers * loads.size(), [&](std::size_t i) -> auto& {
                return loads[i / State::numbers].number(i % State::numbers);
            });
        const auto number = [&](const std::string& name, auto& value) {
            visit(
                name, 1, [&](std::size_t) -> auto& { return value; });
        };
        number("power", self.accounting_.power);
        number("power_now", self.accounting_.power_now);
        number("power_at_start", self.accounting_.power_at_start);
        number("tangential_work", self.accounting_.tangential);
        number("rolling_work", self.accounting_.rolling);
        number("wall_work", self.accounting_.walls);
        number("initial_stored", self.initial_stored_);
        if (std::ranges::any_of(self.packing_.walls, &Wall::mesh_turns))
            number("list_time", self.list_time_);
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
    std::vector<PackingColumn> columns;
    state_values_.clear();
    each_column(*this, keep_columns(columns, state_values_));
    if (box_.strains()) {
        state_values_.push_back(box_.numbers());
        columns.push_back({"box", {}});
    }
    if (elements_.any()) {
        state_values_.push_back(elements_.numbers());
        columns.push_back({"elements", {}});
    }
    if (population_.changes()) {
        state_values_.push_back(population_.numbers());
        columns.push_back({"population", {}});
    }
    if (dissipation_) {
        state_values_.push_back(accounts_.numbers());
        columns.push_back({"contact_accounts", {}});
        state_values_.push_back(action_numbers());
        columns.push_back({"pair_actions", {}});
        state_values_.push_back(wall_work_->rubbing().wall);
        columns.push_back({"wall_rubbing", {}});
        state_values_.push_back(wall_work_->rubbing().triangle);
        columns.push_back({"triangle_rubbing", {}});
    }
    if (watches_impacts_) {
        state_values_.push_back(impacts_.numbers());
        columns.push_back({"contact_impacts", {}});
        state_values_.push_back(impacts_.ended_numbers());
        columns.push_back({"ended_impacts", {}});
        state_values_.push_back(wall_work_->cutting().wall);
        columns.push_back({"wall_cutting", {}});
        state_values_.push_back(wall_work_->cutting().triangle);
        columns.push_back({"triangle_cutting", {}});
    }
    for (std::size_t k = 0; k < columns.size(); ++k)
        columns[k].values = state_values_[k];
    return columns;
}

void PlainPackingEngine::restore(std::int64_t step, const SavedColumns& column) {
    const auto take = take_columns(column);
    const auto take_sums = [&](const char* name, std::vector<double>& sums) {
        take(
            name, sums.size(), [&](std::size_t i) -> auto& { return sums[i]; });
    };
    step_ = step;
    each_column(*this, take, Columns::of_particles);
    loads_.restore(time());
    if (box_.strains()) {
        std::vector<double> box(box_.count());
        take(
            "box", box.size(), [&](std::size_t i) -> auto& { return box[i]; });
        box_.restore(step, box);
    }
    if (elements_.any()) {
        std::vector<double> elements = elements_.numbers();
        take(
            "elements", elements.size(), [&](std::size_t i) -> auto& { return elements[i]; });
        elements_.restore(step_, elements);
    }
    if (population_.changes()) {
        population_.restore(column("population"));
        around_.hold_absent();
    }
    body_.resize(n_);
    adopt_list();
    each_column(*this, take, Columns::of_pairs);
    if (dissipation_) {
        restore_accounts(column);
        take_sums("wall_rubbing", wall_work_->rubbing().wall);
        take_sums("triangle_rubbing", wall_work_->rubbing().triangle);
    }
    if (watches_impacts_) {
        impacts_.restore(column("contact_impacts"), column("ended_impacts"), accounts_.all().size(),
                         n_ + packing_.walls.size());
        take_sums("wall_cutting", wall_work_->cutting().wall);
        take_sums("triangle_cutting", wall_work_->cutting().triangle);
    }
    update_ghosts();
}

}  // namespace beadwave::packing
