// The stiffness operator of a packing applied to vectors, contact by contact.
#pragma once

#include "linear/packing_operator.hpp"

#include <vector>

namespace beadwave::modes {

/// A = M^(-1/2) K M^(-1/2). Every body gathers from its own contacts, in a fixed order: the result
/// does not depend on the number of threads.
class StiffnessProduct {
  public:
    StiffnessProduct(const linear::PackingOperator& packing, int threads);

    std::size_t size() const { return scale_.size(); }
    /// out = factor (A x - shift x) - before; a null `before` counts as 0.
    void apply(const double* x, double factor, double shift, const double* before,
               double* out) const;

  private:
    struct Contact {
        std::uint32_t other;  ///< body, or ground
        laws::Triple<double> normal;
        double along, across;
    };
    struct Rotation {
        double lever, sliding, rolling, twisting, inverse_radius, other_inverse_radius;
    };
    template <int dimension, bool rotates>
    void gather(std::size_t body, const double* x, double* force) const;
    template <int dimension, bool rotates>
    void apply_all(const double* x, double factor, double shift, const double* before,
                   double* out) const;

    int threads_, dimension_;
    bool rotates_;
    std::size_t bodies_;
    std::vector<std::size_t> first_;  ///< contact of each body, and their number
    std::vector<Contact> contacts_;
    std::vector<Rotation> rotations_;  ///< of the contacts; empty without rotations
    std::vector<double> scale_;        ///< 1 / sqrt(mass) per freedom
};

}  // namespace beadwave::modes
