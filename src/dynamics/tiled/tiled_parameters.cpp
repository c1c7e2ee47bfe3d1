#include "tiled_parameters.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <map>

namespace beadwave::dynamics {
namespace {

/// Below this a uniform stretch is not worth a loop of its own.
constexpr std::size_t shortest_stretch = 2 * block_beads;

bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

/// Column and row of every parameter of the chain, and of what is put behind its end.
class Source {
   public:
    explicit Source(const chain::Chain& chain) : chain_(chain), fields_(chain.contacts.columns().size()) {
        for (const chain::Load& load : chain.loads) pushed_[load.bead] += load.force / chain.mass[load.bead];
    }

    std::size_t columns() const { return fields_ + 4; }

    double operator()(std::size_t column, std::size_t i) const {
        const std::size_t n = chain_.beads();
        const bool held = i >= n || chain_.is_fixed(i);
        if (column < fields_) return chain_.contacts.columns()[column][i < n ? i : n];
        switch (column - fields_) {
            case 0: return i <= n ? chain_.gap[i] : std::numeric_limits<double>::infinity();
            case 1: return held ? 0.0 : 1.0 / chain_.mass[i];
            case 2: return external(i, held);
            default: return i < n ? chain_.mass[i] : 0.0;
        }
    }

    bool same_as_before(std::size_t i) const {
        for (std::size_t column = columns(); column-- > 0;) {
            if (!same((*this)(column, i - 1), (*this)(column, i))) return false;
        }
        return true;
    }

   private:
    double external(std::size_t i, bool held) const {
        const double fall = held ? 0.0 : chain_.gravity;
        const auto push = pushed_.find(i);
        return push == pushed_.end() ? fall : fall + push->second;
    }

    const chain::Chain& chain_;
    std::size_t fields_;
    std::map<std::size_t, double> pushed_;
};

}  // namespace

ParameterStore::ParameterStore(const chain::Chain& chain, double time_step, std::size_t end)
    : law_fields_(chain.contacts.columns().size()), uniform_begin_(end), uniform_end_(end) {
    const Source source(chain);
    std::size_t longest = 0;
    for (std::size_t i = 0; i < end;) {
        std::size_t stop = i + 1;
        while (stop < end && source.same_as_before(stop)) ++stop;
        const std::size_t first = (i + block_beads - 1) / block_beads * block_beads;
        const std::size_t last = stop / block_beads * block_beads;
        if (last > first && last - first > longest && last - first >= shortest_stretch) {
            longest = last - first;
            uniform_begin_ = first;
            uniform_end_ = last;
        }
        i = stop;
    }
    for (std::size_t column = 0; column < source.columns(); ++column) {
        uniform_.push_back(longest > 0 ? source(column, uniform_begin_) : 0.0);
        Column& left = left_.emplace_back(uniform_begin_);
        for (std::size_t i = 0; i < uniform_begin_; ++i) left[i] = source(column, i);
        Column& right = right_.emplace_back(end - uniform_end_);
        for (std::size_t i = uniform_end_; i < end; ++i) right[i - uniform_end_] = source(column, i);
    }

    parameters_.time_step = time_step;
    for (std::size_t k = 0; k < law_fields_; ++k) parameters_.law[k] = uniform_[k];
    parameters_.gap = uniform_[law_fields_];
    parameters_.inverse_mass = uniform_[law_fields_ + 1];
    parameters_.external = uniform_[law_fields_ + 2];
    parameters_.left = view(left_, 0);
    parameters_.right = view(right_, uniform_end_);
}

ParameterColumns ParameterStore::view(const std::vector<Column>& columns, std::size_t begin) const {
    ParameterColumns result{};
    result.begin = begin;
    for (std::size_t k = 0; k < law_fields_; ++k) result.law[k] = columns[k].data();
    result.gap = columns[law_fields_].data();
    result.inverse_mass = columns[law_fields_ + 1].data();
    result.external = columns[law_fields_ + 2].data();
    return result;
}

}  // namespace beadwave::dynamics
