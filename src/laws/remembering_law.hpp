// A law with the memory of one contact, its type hidden so that the integrator is compiled once.
#pragma once

#include "beadwave/laws/neck.hpp"

namespace beadwave::laws {

class RememberingLaw {
  public:
    virtual ~RememberingLaw() = default;
    virtual double force(double overlap, double approach_speed) const = 0;  ///< [N]
    virtual void commit(double overlap, double approach_speed) = 0;
    virtual bool ends_in_tension() const = 0;
    /// How far beyond contact the bodies hold together [m]; 0 for laws without adhesion.
    virtual double range() const = 0;
    /// Whether the force may pull in the middle of a contact, so that it may never end.
    virtual bool adhesive() const = 0;
};

/// Law: any type with respond() and ends_in_tension() as in response.hpp, over double.
template <class Law>
class Remembering final : public RememberingLaw {
  public:
    explicit Remembering(const Law& law) : law_(law) {}
    double force(double overlap, double approach_speed) const override {
        return law_.respond(overlap, approach_speed, memory_).force;
    }
    void commit(double overlap, double approach_speed) override {
        memory_ = law_.respond(overlap, approach_speed, memory_).memory;
    }
    bool ends_in_tension() const override { return law_.ends_in_tension(); }
    double range() const override {
        if constexpr (AdhesiveLaw<Law>) return law_.range();
        return 0.0;
    }
    bool adhesive() const override { return AdhesiveLaw<Law>; }

  private:
    Law law_;
    typename Law::Memory memory_{};
};

}  // namespace beadwave::laws
