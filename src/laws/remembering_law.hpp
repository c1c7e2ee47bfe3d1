// A law with the memory of one contact, its type hidden so that the integrator is compiled once.
#pragma once

namespace beadwave::laws {

class RememberingLaw {
  public:
    virtual ~RememberingLaw() = default;
    virtual double force(double overlap, double approach_speed) const = 0;  ///< [N]
    virtual void commit(double overlap, double approach_speed) = 0;
    virtual bool ends_in_tension() const = 0;
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

  private:
    Law law_;
    typename Law::Memory memory_{};
};

}  // namespace beadwave::laws
