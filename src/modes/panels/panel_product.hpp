// The stiffness operator of a packing applied to eight vectors at once, contact by contact.
#pragma once

#include "linear/packing_operator.hpp"
#include "modes/panels/panel_kernel.hpp"
#include "simd/column.hpp"

#include <span>
#include <utility>
#include <vector>

namespace beadwave::modes {

/// Eight vectors of `rows` numbers side by side, with a body of zeros behind them: the ground.
using Panel = simd::Column;

/// A = M^(-1/2) K M^(-1/2). Every body gathers from its own contacts, in a fixed order, and sums
/// over rows are taken in pieces of a fixed length: no result depends on the number of threads.
class PanelProduct {
  public:
    PanelProduct(const linear::PackingOperator& packing, int threads,
                 const simd::InstructionSet& instructions = simd::instruction_sets().front());

    std::size_t size() const { return inverse_mass_.size(); }
    Panel zeros() const { return Panel((size() + components_) * panel_width); }

    /// out = A x.
    void apply(const Panel& x, Panel& out);
    /// x becomes T_degree((A - centre) / half) x, with Chebyshev's polynomial T. Calls
    /// between_products(), which may throw.
    template <class Between>
    void filter(Panel& x, int degree, double centre, double half, const Between& between_products) {
        // T_(k+1) = 2 X T_k - T_(k-1), in coordinates in which A is M^(-1) K.
        scale(x, inverse_root_, x);
        step({x.data(), 1.0 / half, centre, nullptr, work_.data()});
        for (int k = 2; k <= degree; ++k) {
            between_products();
            step({work_.data(), 2.0 / half, centre, x.data(), x.data()});
            std::swap(x, work_);
        }
        scale(work_, root_, x);
    }

    /// 8 a by 8 b numbers, by rows: the products of all vectors of the panels a and b.
    std::vector<double> products(std::span<const Panel> a, std::span<const Panel> b) const;
    /// The vectors become their combinations with the columns of `factors`, by rows, as many as
    /// vectors.
    void combine(std::vector<Panel>& x, const std::vector<double>& factors) const;
    /// to -= sum over the vectors of `from` times the rows of `factors`, eight numbers each.
    void subtract(std::span<const Panel> from, const std::vector<double>& factors, Panel& to) const;

  private:
    void scale(const Panel& x, const std::vector<double>& factor, Panel& out) const;
    void step(const PanelStep& step) const;

    int threads_;
    std::size_t components_, bodies_;
    PanelKernel kernel_;
    std::vector<std::size_t> first_;
    std::vector<PanelContact> contacts_;
    std::vector<PanelRolling> rolling_;
    std::vector<double> inverse_mass_, root_, inverse_root_;
    Panel work_;
};

}  // namespace beadwave::modes
