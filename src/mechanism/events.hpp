// Contacts that close, turn from loading to unloading, and end; their impacts.
//
// Under the law "impulse" those that close at the same instant, and those that rest meanwhile,
// share one set of impulses: each is a push, and none leaves slower than its restitution says
// (Moreau's rule; see complementary.hpp). A contact that would hop no higher than rounding comes to
// rest: a force holds it closed until it would have to pull.
#pragma once

#include "mechanism/stepper.hpp"

#include <optional>

namespace beadwave::mechanism {

class Events {
  public:
    Events(Dynamics&, Stepper&);

    /// Spots that overlap already touch from the start.
    void begin(const std::vector<Nearness>& seen, std::vector<double>& y);

    /// How far into the step just tried [s] the first event lies, if one does; y becomes the state
    /// there. `before` is what was seen where the step starts.
    double shorten(double step, const std::vector<Nearness>& before, std::vector<double>& y);

    /// Notes the largest forces of a step that will be taken as it is.
    void note_peaks(double step, const std::vector<Nearness>& before, const std::vector<double>& y);

    /// The step was taken: commits the laws' memories and carries out the event that ended it. True
    /// if y changed.
    bool settle(double time, const std::vector<Nearness>& seen, std::vector<double>& y);

    /// All impacts so far.
    const std::vector<SpotRecord>& records() const { return records_; }

    /// Saves or restores them, and the contacts' own state.
    void exchange(StateNumbers&);

  private:
    enum class Kind { close, turn, end, resume };
    struct Event {
        std::size_t spot;
        Kind kind;
    };

    std::optional<Kind> happened(std::size_t spot, const Nearness& before,
                                 const Nearness& after) const;
    bool ended(const Touch&, const Nearness&) const;
    bool resumes(const Touch&, const Nearness&) const;
    /// Where in the step it is that the spot just touches, or just parts, between two ends at which
    /// it does not; nothing if nowhere.
    std::optional<double> between(std::size_t spot, double step, const Nearness& before,
                                  const Nearness& after);
    double locate(const Event&, double step, const Nearness& before, const Nearness& after);
    const Nearness& look(std::size_t spot, double step);
    template <class Number>
    double zero(Number number, double low, double high);
    template <class Condition>
    double first(Condition condition, double low, double high);
    double force_slope(std::size_t spot, double time, const std::vector<double>& y,
                       std::span<const double> rates, double step, const Nearness& near);

    void close(std::size_t spot, double time, const Nearness&, std::vector<double>& y);
    /// The force that holds a resting spot closed, so far into the step [N].
    double holding(std::size_t spot, double step);
    bool follows_impulses(std::size_t spot) const;
    double hop(std::size_t spot) const;
    std::vector<std::size_t> struck_with(std::size_t spot, const std::vector<Nearness>& seen) const;
    void strike(std::size_t spot, double time, const std::vector<Nearness>& seen,
                std::vector<double>& y);
    void open_record(std::size_t spot, double time, const Nearness&, double mass,
                     std::span<const double> y);
    void end(std::size_t spot, double time, const Nearness&, std::span<const double> y);
    void fall_open(std::size_t spot);

    Dynamics& dynamics_;
    Stepper& stepper_;
    std::optional<Event> pending_;
    std::vector<SpotRecord> records_;
    std::vector<double> aside_, shifted_, slopes_;
    std::vector<Nearness> seen_, seen_after_;
};

}  // namespace beadwave::mechanism
