// How much a contact point has rubbed: the integral of normal force times sliding distance, from
// which Archard's law makes the worn volume (laws/wear.hpp), and where on a bearing it was.
#pragma once

#include "recording/archive.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace beadwave::mechanism {

/// A contact point at one time of a step.
struct RubbingMoment {
    double time = 0.0;   ///< [s]
    double sum = 0.0;    ///< integral of normal force times slip speed, with its sign, so far [J]
    double force = 0.0;  ///< normal force that presses, 0 or more [N]
    double slip = 0.0;   ///< slip speed [m/s]
    /// Of the contact, in the frames of the second body and of the first [rad].
    std::array<double, 2> angle{};
};

/// The surfaces of a journal, in the order of RubbingMoment::angle.
enum Worn : std::size_t { worn_bearing = 0, worn_pin = 1 };

/// Normal force times sliding distance between two moments of one step [J]. The sum has the
/// accuracy of the step. Where the slip turns between them its sign does not tell the way back:
/// then force and slip are taken as linear for the smaller part.
double rubbed_between(const RubbingMoment& begin, const RubbingMoment& end);

/// One contact point: what it has rubbed since the start.
class Rubbing {
  public:
    /// Parts of the circle of each surface, equal and anticlockwise from angle 0; 0: none.
    explicit Rubbing(const std::array<std::size_t, 2>& bins)
        : bins_{std::vector<double>(bins[worn_bearing]), std::vector<double>(bins[worn_pin])} {}

    /// A step begins here, or an event has changed the contact.
    void begin(const RubbingMoment& now) { begin_ = now; }
    const RubbingMoment& begun() const { return begin_; }
    /// The end of the step that is being taken.
    void end(const RubbingMoment& now) { end_ = now; }
    /// The step was taken.
    void commit();
    /// An impact without duration [J].
    void add(double rubbed, const std::array<double, 2>& angle);

    double total() const { return total_; }  ///< at the last commit() or add() [J]
    double total_at(const RubbingMoment& now) const { return total_ + rubbed_between(begin_, now); }
    std::size_t bins(Worn surface) const { return bins_[surface].size(); }
    /// At the last commit() or add() [J].
    const std::vector<double>& rubbed(Worn surface) const { return bins_[surface]; }
    /// Rubbing by the angle of the contact [J]: it turns evenly in a step, and the power of rubbing
    /// is linear in it. All add up to total_at(now).
    std::vector<double> bins_at(Worn surface, const RubbingMoment& now) const;

    void serialize(Archive&);

  private:
    void spread(double rubbed, const RubbingMoment& to, Worn surface,
                std::vector<double>& bins) const;

    RubbingMoment begin_{}, end_{};
    double total_ = 0.0;                       ///< [J]
    std::array<std::vector<double>, 2> bins_;  ///< [J]
};

}  // namespace beadwave::mechanism
