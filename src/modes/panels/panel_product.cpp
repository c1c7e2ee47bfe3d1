#include "modes/panels/panel_product.hpp"

#include "simd/for_target.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace beadwave::modes {

using linear::Link;
using packing::Vec3;

namespace {

/// Calls work(begin, end) for pieces of at most `length` of the numbers below `count`.
template <class Work>
void in_pieces(std::size_t count, std::size_t length, int threads, const Work& work) {
    const auto pieces = static_cast<std::int64_t>((count + length - 1) / length);
#pragma omp parallel for schedule(static) num_threads(threads) if (pieces > 1)
    for (std::int64_t piece = 0; piece < pieces; ++piece) {
        const std::size_t begin = static_cast<std::size_t>(piece) * length;
        work(begin, std::min(begin + length, count));
    }
}

constexpr std::size_t rows_per_piece = 256;  // of all panels, they stay in the cache

}  // namespace

PanelProduct::PanelProduct(const linear::PackingOperator& packing, int threads,
                           const simd::InstructionSet& instructions)
    : threads_(threads),
      components_(packing.components()),
      bodies_(packing.body.size()),
      first_(bodies_ + 1) {
    const bool rolls = packing.rotates && std::ranges::any_of(packing.links, [](const Link& link) {
                           return link.rolling_stiffness != 0.0 || link.twisting_stiffness != 0.0;
                       });
    kernel_ = simd::for_target(instructions.target, [&]<simd::Target target>() {
        return panel_kernel<target>(packing.dimension, packing.rotates, rolls);
    });
    for (const double mass : packing.mass) {
        inverse_mass_.push_back(1.0 / mass);
        root_.push_back(std::sqrt(mass));
        inverse_root_.push_back(1.0 / root_.back());
    }
    for (const Link& link : packing.links) {
        if (link.first != Link::ground) ++first_[link.first + 1];
        if (link.second != Link::ground) ++first_[link.second + 1];
    }
    for (std::size_t i = 0; i < bodies_; ++i)
        first_[i + 1] += first_[i];
    contacts_.resize(first_.back());
    if (rolls) rolling_.resize(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    const auto add = [&](std::uint32_t body, std::uint32_t other, const Vec3& normal,
                         const Link& link, double radius, double other_radius) {
        if (body == Link::ground) return;
        const std::size_t at = next[body]++;
        const double sliding = packing.rotates ? link.sliding_stiffness : 0.0;
        contacts_[at] = {.normal = {normal.x, normal.y, normal.z},
                         .across_and_sliding = -link.across - sliding,
                         .along = link.across + sliding - link.normal_stiffness,
                         .torque = sliding * link.lever,
                         .turn = sliding * link.lever * link.lever,
                         .other = other == Link::ground ? bodies_ : other};
        if (rolls) {
            rolling_[at] = {.rolling = link.rolling_stiffness / radius,
                            .twisting = link.twisting_stiffness / radius,
                            .inverse_radius = 1.0 / radius,
                            .other_inverse_radius = 1.0 / other_radius};
        }
    };
    for (const Link& link : packing.links) {
        add(link.first, link.second, link.normal, link, link.radius_1, link.radius_2);
        add(link.second, link.first, -link.normal, link, link.radius_2, link.radius_1);
    }
    work_ = zeros();
}

void PanelProduct::scale(const Panel& x, const std::vector<double>& factor, Panel& out) const {
    in_pieces(size(), rows_per_piece, threads_, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            for (std::size_t at = row * panel_width; at < (row + 1) * panel_width; ++at)
                out[at] = factor[row] * x[at];
        }
    });
}

void PanelProduct::step(const PanelStep& step) const {
    const PanelMatrix matrix{first_.data(), contacts_.data(),
                             rolling_.empty() ? nullptr : rolling_.data(), inverse_mass_.data()};
    in_pieces(bodies_, 500, threads_,
              [&](std::size_t begin, std::size_t end) { kernel_.apply(matrix, begin, end, step); });
}

void PanelProduct::apply(const Panel& x, Panel& out) {
    scale(x, inverse_root_, work_);
    step({work_.data(), 1.0, 0.0, nullptr, out.data()});
    scale(out, root_, out);
}

std::vector<double> PanelProduct::products(std::span<const Panel> a,
                                           std::span<const Panel> b) const {
    constexpr std::size_t w = panel_width;
    const std::size_t columns = b.size() * w, numbers = a.size() * w * columns;
    // As many pieces as the sums leave memory for.
    const std::size_t length = std::max(rows_per_piece, (size() + 127) / 128);
    std::vector<double> sums((size() + length - 1) / length * numbers);
    in_pieces(size(), length, threads_, [&](std::size_t begin, std::size_t end) {
        double* const of_piece = sums.data() + begin / length * numbers;
        for (std::size_t row = begin; row < end; row += rows_per_piece) {
            for (std::size_t i = 0; i < a.size(); ++i) {
                for (std::size_t j = 0; j < b.size(); ++j) {
                    kernel_.add_products(row, std::min(row + rows_per_piece, end), a[i].data(),
                                         b[j].data(), of_piece + (i * b.size() + j) * w * w);
                }
            }
        }
    });
    std::vector<double> products(numbers);
    for (std::size_t k = 0; k < sums.size(); ++k) {
        const std::size_t number = k % numbers, block = number / (w * w), within = number % (w * w);
        const std::size_t row = block / b.size() * w + within / w,
                          column = block % b.size() * w + within % w;
        products[row * columns + column] += sums[k];
    }
    return products;
}

void PanelProduct::combine(std::vector<Panel>& x, const std::vector<double>& factors) const {
    constexpr std::size_t w = panel_width;
    const std::size_t m = x.size() * w;
    std::vector<double> blocks(m * m);  // of 8 x 8 numbers
    for (std::size_t row = 0; row < m; ++row) {
        for (std::size_t column = 0; column < m; ++column) {
            blocks[((row / w * x.size() + column / w) * w + row % w) * w + column % w] =
                factors[row * m + column];
        }
    }
    in_pieces(size(), rows_per_piece, threads_, [&](std::size_t begin, std::size_t end) {
        const std::size_t numbers = (end - begin) * w;
        Panel sums(numbers * x.size());
        for (std::size_t j = 0; j < x.size(); ++j) {
            for (std::size_t i = 0; i < x.size(); ++i) {
                kernel_.add_combination(end - begin, x[i].data() + begin * w,
                                        blocks.data() + (i * x.size() + j) * w * w,
                                        sums.data() + j * numbers);
            }
        }
        for (std::size_t j = 0; j < x.size(); ++j)
            std::copy_n(sums.data() + j * numbers, numbers, x[j].data() + begin * w);
    });
}

void PanelProduct::subtract(std::span<const Panel> from, const std::vector<double>& factors,
                            Panel& to) const {
    constexpr std::size_t w = panel_width;
    std::vector<double> negative(factors.size());
    std::ranges::transform(factors, negative.begin(), std::negate<>());
    in_pieces(size(), rows_per_piece, threads_, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = 0; i < from.size(); ++i) {
            kernel_.add_combination(end - begin, from[i].data() + begin * w,
                                    negative.data() + i * w * w, to.data() + begin * w);
        }
    });
}

}  // namespace beadwave::modes
