// How threads and ranks share a packing of ellipsoids: what takes the time is the search for
// touches. Each rank has all particles and takes all steps, with the same bits; it searches for the
// touches of a part of the pairs of bodies that are no balls, and tells the others what it has
// found. Balls and walls are searched on each rank.

#include "packing/shaped/each_on_threads.hpp"
#include "packing/shaped/shaped_backend.hpp"
#include "ranks/collective.hpp"

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <vector>

namespace beadwave::packing {
namespace {

/// What ranks tell of a touch.
enum : int { no_touch, uncertain, certain };

void append(std::vector<double>& to, const Vec3& v) {
    to.insert(to.end(), {v.x, v.y, v.z});
}

class Reader {
  public:
    explicit Reader(const std::vector<double>& numbers) : numbers_(numbers) {}
    double number() {
        if (at_ == numbers_.size()) throw std::logic_error("ranks share other pairs");
        return numbers_[at_++];
    }
    Vec3 vector() {
        const double x = number(), y = number(), z = number();
        return {x, y, z};
    }

  private:
    const std::vector<double>& numbers_;
    std::size_t at_ = 0;
};

}  // namespace

NumberRange ShapedBackend::own_numbers() const {
    if (ranks_ == nullptr) return {0, count()};
    return numbers_of_rank(count(), ranks_->rank(), ranks_->count());
}

void ShapedBackend::visit_contacts(const ContactVisitor& visit) const {
    if (ranks_ == nullptr || ranks_->first()) visit(contacts());
}

std::vector<ContactState> ShapedBackend::own_contacts() const {
    const NumberRange own = own_numbers();
    std::vector<ContactState> all = contacts();
    std::erase_if(all,
                  [&](const ContactState& c) { return c.first < own.begin || c.first >= own.end; });
    return all;
}

std::optional<std::size_t> ShapedBackend::rank_of(std::size_t p) const {
    if (ranks_ == nullptr || bodies_[p].wall >= 0 || pair_[p].round) return std::nullopt;
    constexpr std::size_t together = 16;  // neighbours in the list, which cost about the same
    return p / together % static_cast<std::size_t>(ranks_->count());
}

bool ShapedBackend::searches(std::size_t p) const {
    const auto rank = rank_of(p);
    return !rank || *rank == static_cast<std::size_t>(ranks_->rank());
}

void ShapedBackend::find_touches() {
    now_.resize(pair_.size());
    ranks::collective(ranks_, [&] {
        each_on_threads(pair_.size(), threads_, [&](std::size_t p) {
            if (searches(p)) find_touch(p, now_[p]);
        });
    });
    if (ranks_ != nullptr) share_touches();
}

// Of a pair: until when it is apart, whether it touches, and then the touch.
void ShapedBackend::share_touches() {
    std::vector<double> found;
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        if (!rank_of(p) || !searches(p)) continue;
        const std::optional<Touch>& touch = now_[p].touch;
        found.insert(found.end(), {pair_[p].apart_until, !touch           ? double{no_touch}
                                                         : touch->certain ? double{certain}
                                                                          : double{uncertain}});
        if (!touch) continue;
        append(found, touch->normal);
        found.push_back(touch->overlap);
        append(found, touch->arm_1);
        append(found, touch->arm_2);
    }
    const std::vector<std::vector<double>> all = ranks_->gather_numbers_to_all<double>(found);
    std::vector<Reader> from(all.begin(), all.end());
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        const auto rank = rank_of(p);
        if (!rank) continue;
        Reader& reader = from[*rank];
        const double apart_until = reader.number();
        const int state = static_cast<int>(reader.number());
        Touch touch{};
        if (state != no_touch) {
            touch.normal = reader.vector();
            touch.overlap = reader.number();
            touch.arm_1 = reader.vector();
            touch.arm_2 = reader.vector();
            touch.certain = state == certain;
        }
        if (searches(p)) continue;
        PairNow& now = now_[p];
        now.finite = way_[bodies_[p].first].finite && way_[bodies_[p].second].finite;
        pair_[p].apart_until = apart_until;
        now.touch.reset();
        if (state == no_touch) continue;
        now.sides = sides_of(p);
        now.touch = touch;
    }
}

}  // namespace beadwave::packing
