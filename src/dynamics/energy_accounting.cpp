#include "dynamics/energy_accounting.hpp"

#include "stepping/thread_error.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace beadwave::dynamics {
namespace {

using ranks::ExactSum;
using ranks::sum_block;

/// With fewer blocks than this, waiting for the other threads costs more time than they save.
constexpr std::size_t fewest_shared_blocks = 128;

/// The largest absolute value; NaN counts as nothing.
double largest_size(std::span<const double> numbers) {
    // Several maxima, which do not wait for each other.
    std::array<double, 8> largest{};
    std::size_t i = 0;
    for (; i + largest.size() <= numbers.size(); i += largest.size()) {
        for (std::size_t k = 0; k < largest.size(); ++k)
            largest[k] = std::max(largest[k], std::abs(numbers[i + k]));
    }
    for (; i < numbers.size(); ++i)
        largest[0] = std::max(largest[0], std::abs(numbers[i]));
    return *std::ranges::max_element(largest);
}

/// The value of an ExactSum of one number.
double exact_sum_of(double number) {
    return std::isnan(number) ? std::numeric_limits<double>::quiet_NaN() : number + 0.0;
}

}  // namespace

EngineBase::EngineBase(const chain::Chain& chain, double time_step)
    : n_(chain.beads()),
      total_(chain.total()),
      first_(chain.first()),
      own_begin_(chain.own_begin()),
      own_end_(chain.own_end()),
      ranks_(chain.ranks()),
      dt_(time_step),
      left_wall_(chain.left_drive, time_step),
      right_wall_(chain.right_drive, time_step),
      elements_(chain.elements.empty() ? nullptr
                                       : std::make_unique<ElementAccounting>(chain, time_step)),
      left_fixed_(chain.left_fixed),
      right_fixed_(chain.right_fixed),
      gravity_(chain.gravity),
      loads_(chain.loads),
      start_(chain.loads.empty() ? std::vector<double>() : chain.displacement),
      left_driven_(any_rank(owns_left_end() && left_wall_.moves())),
      right_driven_(any_rank(owns_right_end() && right_wall_.moves())),
      non_finite_at_start_(first_without_number(chain)),
      first_block_((own_begin_ + sum_block - 1) / sum_block),
      end_block_(owns_right_end() ? n_ / sum_block + 1 : (own_end_ + sum_block - 1) / sum_block),
      block_sums_(end_block_),
      largest_forces_(end_block_),
      outdated_(end_block_) {
    for (std::size_t block = first_block_; block < end_block_; ++block)
        outdate(block);
}

bool EngineBase::any_rank(bool own) const {
    return ranks_ == nullptr ? own : ranks_->any(own);
}

void EngineBase::init_accounting(StatePointers state) {
    state_ = std::move(state);
    const Sums start = sums();
    initial_stored_ = start.stored;
    initial_power_ = start.power;
    initial_moment_ = start.moment;
    if (elements_) elements_->start(start.elements, state_.velocity);
}

void EngineBase::restore(std::int64_t step) {
    step_ = step;
    for (std::size_t block = first_block_; block < end_block_; ++block)
        outdate(block);
    non_finite_when_restored_ = find_non_finite();
}

void EngineBase::moved(std::size_t begin, std::size_t end) const {
    // The contact of the first bead also acts on the bead before it, as its other pairs do on
    // beads farther away.
    const std::size_t first =
        std::max((begin - std::min(begin, farthest())) / sum_block, first_block_);
    const std::size_t last = std::min(end / sum_block, end_block_ - 1);
    for (std::size_t block = first; block <= last; ++block)
        outdate(block);
}

void EngineBase::outdate(std::size_t block) const {
    if (std::exchange(outdated_[block], char{true}) == 0) outdated_blocks_.push_back(block);
}

void EngineBase::sample(SensorTrace& trace) const {
    trace.resize_rows(1);
    for (std::size_t s = 0; s < trace.beads.size(); ++s) {
        if (owns(trace.beads[s])) record(trace, 0, s, trace.beads[s] - first_);
    }
    collect(trace);
}

void EngineBase::kick(std::span<const stepping::BodyForce<double>> forces,
                      stepping::HalfStep half) {
    if (ranks_ != nullptr) throw std::logic_error("external forces need a chain of one process");
    for (const auto& [bead, force] : forces) {
        if ((left_fixed_ && bead == 0) || (right_fixed_ && bead + 1 == n_)) continue;
        if (elements_ && elements_->drives(bead)) continue;
        double mass = 0.0;
        masses(bead, bead + 1, &mass);
        const double change = 0.5 * dt_ * (1.0 / mass) * force;
        if (half == stepping::HalfStep::first) {
            state_.velocity_change[bead] += change;
            continue;
        }
        state_.velocity[bead] += change;
        // The step has counted the contacts' power without this change.
        if (state_.power != nullptr)
            state_.power[bead] += (state_.force[bead] - state_.force[bead + 1]) * change;
        if (elements_ && elements_->state().power != nullptr)
            elements_->state().power[bead] += elements_->state().force[bead] * change;
        moved(bead, bead + 1);
    }
}

void EngineBase::collect(SensorTrace& trace) const {
    const std::size_t sensors = trace.beads.size();
    if (ranks_ == nullptr || sensors == 0) return;
    const std::size_t rows = trace.force.size() / sensors;
    // Per sensor: its number, its forces, its velocities.
    std::vector<double> own;
    for (std::size_t s = 0; s < sensors && !ranks_->first(); ++s) {
        if (!owns(trace.beads[s])) continue;
        own.push_back(static_cast<double>(s));
        for (const std::vector<double>* column : {&trace.force, &trace.velocity}) {
            for (std::size_t row = 0; row < rows; ++row)
                own.push_back((*column)[row * sensors + s]);
        }
    }
    for (const std::vector<double>& theirs : ranks_->gather_numbers<double>(own)) {
        for (auto next = theirs.begin(); next != theirs.end();) {
            const auto s = static_cast<std::size_t>(*next++);
            for (std::vector<double>* column : {&trace.force, &trace.velocity}) {
                for (std::size_t row = 0; row < rows; ++row)
                    (*column)[row * sensors + s] = *next++;
            }
        }
    }
}

EngineBase::Sums EngineBase::block_sums(std::size_t begin) const {
    const std::size_t end = std::min(begin + sum_block, n_);
    const std::size_t contact_end = std::min(begin + sum_block, n_ + 1);
    const double* const u = state_.displacement;
    const double* const v = state_.velocity;
    std::array<double, sum_block> mass, approach, energy;
    masses(begin, end, mass.data());
    for (std::size_t c = std::max<std::size_t>(begin, 1); c < end; ++c)
        approach[c - begin] = u[c - 1] - u[c];
    if (begin == 0) approach[0] = left_wall_.displacement(step_) - u[0];
    if (contact_end > end) approach[end - begin] = u[n_ - 1] - right_wall_.displacement(step_);
    stored_energies(begin, contact_end, approach.data(), energy.data());

    // All sums in one loop: each addition to a sum waits four cycles for the one before.
    double kinetic = 0.0, momentum = 0.0, stored = 0.0, moment = 0.0, power_sum = 0.0, power = 0.0;
    const double* const force = state_.force;
    const auto add = [&](auto dissipates) {
        const double* const powers = state_.power;
        for (std::size_t i = begin; i < end; ++i) {
            const double m = mass[i - begin];
            stored += energy[i - begin];
            kinetic += 0.5 * m * v[i] * v[i];
            momentum += m * v[i];
            moment += m * u[i];
            if constexpr (dissipates) {
                power_sum += powers[i];
                power += (force[i] - force[i + 1]) * v[i];
            }
        }
    };
    if (state_.power == nullptr) {
        add(std::false_type{});
    } else {
        add(std::true_type{});
    }
    if (contact_end > end) stored += energy[end - begin];
    return {.kinetic = kinetic,
            .momentum = momentum,
            .stored = stored,
            .moment = moment,
            .power_sum = power_sum,
            .power = power,
            .largest_force = largest_size({force + begin, contact_end - begin}),
            .elements = elements_ ? elements_->sums(u, v, begin, end) : ElementSums{}};
}

void EngineBase::exchange_edges() const {
    if (ranks_ == nullptr) return;
    // A block extends beyond the last own bead by almost its length, and it needs the displacement
    // of the bead before its first one. Forces without contact reach farther.
    const std::size_t before = farthest();
    const std::size_t behind = before == 1 ? sum_block : sum_block + before;
    finish_messages();
    std::vector<double*> columns = {state_.displacement, state_.velocity, state_.force};
    if (state_.power != nullptr) columns.push_back(state_.power);
    columns.insert(columns.end(), state_.memory.begin(), state_.memory.end());
    if (elements_) std::ranges::copy(elements_->columns(), std::back_inserter(columns));
    std::vector<double> first(columns.size() * behind), after(first.size());
    for (std::size_t k = 0; k < columns.size(); ++k)
        std::copy_n(columns[k] + own_begin_, behind, first.data() + k * behind);
    double* const u = state_.displacement;
    std::vector<double> last(u + own_end_ - before, u + own_end_);
    std::vector<ranks::PeerBuffers> peers;
    const int own = ranks_->rank();
    if (!owns_left_end()) peers.push_back({own - 1, std::move(first), std::vector<double>(before)});
    if (!owns_right_end()) peers.push_back({own + 1, std::move(last), std::move(after)});
    ranks_->start_exchange(std::move(peers));
    for (const ranks::PeerBuffers& peer : ranks_->finish_exchange()) {
        if (peer.rank < own) {
            std::ranges::copy(peer.in, u + own_begin_ - before);
            continue;
        }
        for (std::size_t k = 0; k < columns.size(); ++k)
            std::copy_n(peer.in.data() + k * behind, behind, columns[k] + own_end_);
    }
}

void EngineBase::update_blocks() const {
    const std::size_t count = outdated_blocks_.size();
    new_sums_.resize(count);
    const auto compute = [&](std::size_t k) {
        new_sums_[k] = block_sums(outdated_blocks_[k] * sum_block);
    };
    if (threads() > 1 && count >= fewest_shared_blocks) {
        stepping::ThreadError error;
#pragma omp parallel for schedule(guided) num_threads(threads())
        for (std::size_t k = 0; k < count; ++k)
            error.guard([&] { compute(k); });
        error.rethrow();
    } else {
        for (std::size_t k = 0; k < count; ++k)
            compute(k);
    }

    constexpr auto all = Sums::all();
    constexpr auto parts = ElementSums::all();
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t block = outdated_blocks_[k];
        Sums& before = block_sums_[block];
        const Sums& now = new_sums_[k];
        if (!has_one_block()) {
            for (std::size_t each = 0; each < all.size(); ++each)
                totals_[each].replace(before.*all[each], now.*all[each]);
            for (std::size_t each = 0; elements_ && each < parts.size(); ++each)
                element_totals_[each].replace(before.elements.*parts[each],
                                              now.elements.*parts[each]);
        }
        before = now;
        largest_forces_[block] = now.largest_force;
        outdated_[block] = false;
    }
    outdated_blocks_.clear();
    if (has_one_block()) return;
    for (ExactSum& total : totals_)
        total.normalise();
    for (ExactSum& total : element_totals_)
        total.normalise();
}

EngineBase::Sums EngineBase::sums() const {
    exchange_edges();
    if (ranks_ != nullptr) {
        // Beads of other processes are in the outermost blocks, or next to them.
        outdate(first_block_);
        for (std::size_t block = std::max(first_block_, (own_end_ - farthest()) / sum_block);
             block < end_block_; ++block)
            outdate(block);
    }
    update_blocks();

    Sums whole{};
    const auto sum_up = [&](const auto& own, const auto& members, const auto& block, auto& to) {
        if (has_one_block()) {
            for (const auto member : members)
                to.*member = exact_sum_of(block.*member);
            return;
        }
        auto totals = std::span<const ExactSum>(own);
        std::vector<ExactSum> of_all;
        if (ranks_ != nullptr) {
            of_all.assign(own.begin(), own.end());
            ranks::add_up(ranks_, of_all);
            totals = of_all;
        }
        for (std::size_t k = 0; k < totals.size(); ++k)
            to.*members[k] = totals[k].value();
    };
    const Sums& first = block_sums_[first_block_];
    sum_up(totals_, Sums::all(), first, whole);
    if (elements_) {
        sum_up(element_totals_, ElementSums::all(), first.elements, whole.elements);
        whole.power -= elements_->contact_power_on_driven(state_.force, state_.velocity);
    }
    whole.largest_force =
        largest_size({largest_forces_.data() + first_block_, end_block_ - first_block_});
    if (ranks_ != nullptr) ranks_->largest({&whole.largest_force, 1});
    return whole;
}

EngineBase::OuterWork EngineBase::outer_work() const {
    const double left = owns_left_end() ? left_wall_.work() : 0.0;
    const double right = owns_right_end() ? right_wall_.work() : 0.0;
    std::vector<double> loads;
    for (const chain::Load& load : loads_) {
        if (!owns(first_ + load.bead)) continue;
        const double start = start_.empty() ? 0.0 : start_[load.bead];
        loads.push_back(load.force * (state_.displacement[load.bead] - start));
    }
    if (ranks_ == nullptr) return {.walls = left + right, .loads = std::move(loads)};
    // Per process: the work of its walls, then that of each of its loads.
    std::vector<double> own = {left, right};
    own.insert(own.end(), loads.begin(), loads.end());
    const auto all = ranks_->gather_numbers_to_all<double>(own);
    OuterWork work{.walls = all.front()[0] + all.back()[1], .loads = {}};
    for (const std::vector<double>& theirs : all)
        work.loads.insert(work.loads.end(), theirs.begin() + 2, theirs.end());
    return work;
}

Totals EngineBase::totals() const {
    const Sums now = sums();
    const OuterWork work = outer_work();
    Totals totals{};
    totals.kinetic = now.kinetic;
    totals.momentum = now.momentum;
    totals.stored = now.stored;
    totals.largest_contact_force = now.largest_force;
    if (state_.power != nullptr) {
        const double contact_work = dt_ * (now.power_sum - 0.5 * now.power + 0.5 * initial_power_);
        // The contacts' work on the driven walls is minus the work of these on the chain.
        totals.dissipated = work.walls - contact_work - (totals.stored - initial_stored_);
        if (elements_) totals.dissipated += elements_->work_on_contacts();
    }
    totals.external_work = work.walls;
    if (gravity_ != 0.0) totals.external_work += gravity_ * (now.moment - initial_moment_);
    for (const double load : work.loads)
        totals.external_work += load;
    if (elements_) elements_->add_to(totals, now.elements, state_.displacement, state_.velocity);
    return totals;
}

std::vector<StateColumn> EngineBase::state() {
    std::vector<StateColumn> columns;
    const auto of_beads = [&](std::string name, double* column) {
        columns.push_back({std::move(name), own_beads(column), first_bead(), total_});
    };
    const auto of_contacts = [&](std::string name, double* column) {
        columns.push_back({std::move(name), own_contacts(column), first_bead(), total_ + 1});
    };
    of_beads("displacement", state_.displacement);
    of_beads("velocity", state_.velocity);
    of_beads("velocity_change", state_.velocity_change);
    of_contacts("contact_force", state_.force);
    columns.push_back({"initial_stored", {&initial_stored_, 1}});
    columns.push_back({"initial_power", {&initial_power_, 1}});
    if (state_.power != nullptr) of_beads("power", state_.power);
    for (std::size_t k = 0; k < state_.memory.size(); ++k)
        of_contacts("memory_" + std::to_string(k), state_.memory[k]);
    if (elements_) elements_->add_columns(columns, first_bead(), total_);
    add_columns(columns);
    const auto of_wall = [&](const char* name, DrivenWall& wall, bool own) {
        const std::span<double> work = wall.work_numbers();
        columns.push_back({name, own ? work : std::span<double>(), 0, work.size()});
    };
    if (left_driven_) of_wall("left_wall_work", left_wall_, owns_left_end());
    if (right_driven_) of_wall("right_wall_work", right_wall_, owns_right_end());
    return columns;
}

}  // namespace beadwave::dynamics
