// The fast engine's state as columns, and back.

#include "fast_packing_engine.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace beadwave::packing {

std::vector<PackingColumn> FastPackingEngine::state() const {
    std::vector<PackingColumn> columns;
    // With ranks: columns that all have are those of the first.
    const bool first_rank = !share_.shared() || share_.ranks().first();
    const auto whole = [&](const char* name, std::span<const double> values) {
        columns.push_back(
            {name, first_rank ? values : std::span<const double>(), 0, values.size()});
    };
    const auto of_particles = [&](const char* name, std::span<const double> all,
                                  std::size_t width) {
        const std::size_t from = width * share_.begin(), to = width * share_.end();
        columns.push_back(
            {name, all.subspan(from, to - from), width * share_.begin_slot(), width * particles()});
    };
    contacts_.show_springs();
    state_values_.clear();
    state_values_.reserve(10);
    of_particles("order", state_values_.emplace_back(bodies_.ids().begin(), bodies_.ids().end()),
                 1);
    Bodies::each_column(bodies_, [&](const char* name, std::span<const double> all) {
        of_particles(name, all, line);
    });
    if (travel_.far.acts()) {
        std::vector<double>& reach = state_values_.emplace_back(travel_.far.reach());
        reach.resize(bodies_.held());  // none is fast: there are no numbers
        of_particles("reach", reach, 1);
    }
    state_values_.push_back(walls_.places());
    whole("walls", state_values_.back());
    if (walls_.move()) {
        state_values_.push_back(walls_.moving_numbers());
        whole("moving_walls", state_values_.back());
    }
    std::vector<double>& accounting = state_values_.emplace_back();
    accounting = {walls_.work, initial_.power, initial_.stored,
                  static_cast<double>(travel_.lists())};
    const std::array<double, 6> corners = travel_.corners();
    accounting.insert(accounting.end(), corners.begin(), corners.end());
    whole("accounting", state_values_.back());
    if (box_.strains()) {
        state_values_.push_back(box_.numbers());
        whole("box", state_values_.back());
    }
    if (elements_.any()) {
        state_values_.push_back(elements_.all().numbers());
        whole("elements", state_values_.back());
    }
    if (population_.changes()) {
        state_values_.push_back(population_.numbers());
        whole("population", state_values_.back());
    }
    if (contacts_.mixed) {
        state_values_.push_back({contacts_.mixed->rounding()});
        whole("mixed", state_values_.back());
    }
    if (works_) {
        works_->each_number([&](const char* name, const std::vector<double>& numbers) {
            state_values_.push_back(numbers);
            whole(name, state_values_.back());
        });
        const std::size_t walls = packing_.walls.size();
        columns.push_back({"block_rubbing", std::as_const(*works_).block_rubbing(),
                           walls * share_.first_block(), walls * bodies_.blocks()});
    }
    if (laws_.rolls) of_particles("rolling_work", bodies_.rolling_work(), 1);
    ListedContacts::each_column(contacts_, [&](const std::string& name, const Column& column) {
        columns.push_back({name,
                           {column.data(), contacts_.entries.count()},
                           contacts_.entries_before,
                           contacts_.all_entries});
    });
    return columns;
}

void FastPackingEngine::restore(std::int64_t step, const SavedColumns& column) {
    const auto take = [&](const std::string& name, std::size_t count) {
        const std::span<const double> values = column(name);
        if (values.size() != count) {
            throw std::invalid_argument(
                fmt::format("{}: {} numbers; expected {}", name, values.size(), count));
        }
        return values;
    };
    if (share_.shared()) {
        bodies_.restore_order(column.part("order", share_.begin_slot(),
                                          share_.end_slot() - share_.begin_slot(), particles()));
    } else {
        bodies_.restore_order(take("order", particles()));
    }
    elements_.find_slots();
    step_ = step;
    const auto take_own = [&](const std::string& name, std::size_t width, auto to) {
        std::ranges::copy(column.part(name, width * share_.begin_slot(), width * bodies_.held(),
                                      width * particles()),
                          to);
    };
    Bodies::each_column(bodies_, [&](const char* name, std::span<double> all) {
        take_own(name, line, all.begin());
    });
    bodies_.check_places();
    if (travel_.far.acts()) travel_.far.restore(take("reach", particles()));
    walls_.restore(take("walls", 6 * packing_.walls.size()));
    if (walls_.move()) walls_.restore_moving(take("moving_walls", walls_.moving_count()));
    walls_.loads.restore(time());
    if (box_.strains()) box_.restore(step_, take("box", box_.count()));
    if (elements_.any())
        elements_.stepper.restore(step_, take("elements", elements_.stepper.numbers().size()));
    const auto accounting = take("accounting", 10);
    walls_.work = accounting[0];
    initial_.power = accounting[1];
    initial_.stored = accounting[2];
    if (laws_.rolls) take_own("rolling_work", 1, bodies_.rolling_work().begin());
    if (population_.changes()) {
        population_.restore(column("population"));
        around_.hold_absent();
    }
    if (contacts_.mixed) {
        contacts_.mixed->restore_rounding(take("mixed", 1).front());
        contacts_.mixed->mark_stale();
    }
    build_pair_list();
    contacts_.memory.reset(kept_of_contacts(), contacts_.entries.count());
    if (works_) {
        works_->restore(column("contact_accounts"), column("contact_works"));
        const std::size_t walls = packing_.walls.size();
        const std::span<double> rubbing = works_->block_rubbing();
        std::ranges::copy(column.part("block_rubbing", walls * share_.first_block(), rubbing.size(),
                                      walls * bodies_.blocks()),
                          rubbing.begin());
    }
    travel_.restore(static_cast<std::int64_t>(accounting[3]), accounting.subspan(4));
    ListedContacts::each_column(contacts_, [&](const std::string& name, Column& values) {
        std::ranges::copy(column.part(name, contacts_.entries_before, contacts_.entries.count(),
                                      contacts_.all_entries),
                          values.data());
    });
    update_ghosts();
    adopt_mixed_pairs();
}

}  // namespace beadwave::packing
