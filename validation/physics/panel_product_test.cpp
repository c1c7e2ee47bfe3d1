// The stiffness of packings applied to eight vectors at once, on every instruction set.

#include "modes/panels/panel_product.hpp"

#include "crystals.hpp"
#include "largest.hpp"
#include "linear/entries.hpp"
#include "linear/packing_operator.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace beadwave::validation::panel_product_test {

using packing::Lattice;

namespace {

constexpr std::size_t width = modes::panel_width;

double some_number(std::size_t k) {
    return std::sin(1.0 + 12.9898 * static_cast<double>(k));
}

modes::Panel some_panel(const modes::PanelProduct& product, std::size_t seed) {
    modes::Panel panel = product.zeros();
    for (std::size_t k = 0; k < product.size() * width; ++k)
        panel[k] = some_number(seed * 1000003 + k);
    return panel;
}

/// A x of one vector from the matrices' entries.
std::vector<double> image_of(const linear::Entries& entries, const std::vector<double>& x) {
    std::vector<double> y(x.size());
    for (std::size_t e = 0; e < entries.row.size(); ++e) {
        const auto i = static_cast<std::size_t>(entries.row[e]),
                   j = static_cast<std::size_t>(entries.column[e]);
        y[i] += entries.stiffness[e] * x[j] / std::sqrt(entries.mass[i] * entries.mass[j]);
    }
    return y;
}

std::vector<double> column_of(const modes::Panel& panel, std::size_t rows, std::size_t column) {
    std::vector<double> x(rows);
    for (std::size_t i = 0; i < rows; ++i)
        x[i] = panel[i * width + column];
    return x;
}

bool same(const modes::Panel& a, const modes::Panel& b) {
    return std::equal(a.data(), a.data() + a.size(), b.data());
}

double largest_of(const std::vector<double>& x) {
    Largest largest;
    for (const double v : x)
        largest.enter(std::fabs(v));
    return largest;
}

void check_against_matrices(const linear::PackingOperator& linear) {
    const linear::Entries entries = linear::entries_of(linear);
    const std::size_t n = linear.size();
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        CAPTURE(set.name);
        modes::PanelProduct product(linear, 1, set), shared(linear, 2, set);
        const modes::Panel x = some_panel(product, 1);
        modes::Panel y = product.zeros(), again = product.zeros();
        product.apply(x, y);
        shared.apply(x, again);
        CHECK(same(y, again));
        Largest scale;  // of the operator
        for (std::size_t j = 0; j < width; ++j) {
            const std::vector<double> expected = image_of(entries, column_of(x, n, j));
            scale.enter(largest_of(expected));
            Largest worst;
            for (std::size_t i = 0; i < n; ++i)
                worst.enter(std::fabs(y[i * width + j] - expected[i]));
            CHECK(worst < 1e-12 * largest_of(expected));
        }
        // The polynomial T_5 = 16 X^5 - 20 X^3 + 5 X of X = (A - centre) / half.
        const double centre = 0.6 * scale, half = 0.5 * scale;
        modes::Panel filtered = some_panel(product, 1);
        product.filter(filtered, 5, centre, half, [] {});
        for (const std::size_t j : {std::size_t{0}, width - 1}) {
            std::vector<double> power = column_of(x, n, j), expected(n);
            const double coefficient[] = {0.0, 5.0, 0.0, -20.0, 0.0, 16.0};
            for (int k = 1; k <= 5; ++k) {
                const std::vector<double> image = image_of(entries, power);
                for (std::size_t i = 0; i < n; ++i) {
                    power[i] = (image[i] - centre * power[i]) / half;
                    expected[i] += coefficient[k] * power[i];
                }
            }
            Largest worst;
            for (std::size_t i = 0; i < n; ++i)
                worst.enter(std::fabs(filtered[i * width + j] - expected[i]));
            CHECK(worst < 1e-10 * largest_of(expected));
        }
    }
}

}  // namespace

TEST_CASE("the product of a panel is that of the matrices, for any number of threads") {
    for (const Lattice lattice :
         {Lattice::square, Lattice::hexagonal, Lattice::simple_cubic, Lattice::fcc}) {
        for (const bool rotates : {false, true}) {
            for (const bool rolls : {false, true}) {
                if (rolls && !rotates) continue;
                CAPTURE(static_cast<int>(lattice));
                CAPTURE(rotates);
                CAPTURE(rolls);
                packing::Packing p =
                    crystal_of(lattice, {4, 4, packing::is_planar(lattice) ? 1 : 3}, rotates);
                if (rolls) p.rolling = {.coefficient = 0.1, .twisting_coefficient = 0.1};
                check_against_matrices(linear::linearise(p, "test"));
                p.fixed.assign(p.particles(), 0);
                for (const std::size_t i : {1u, 4u, 5u})  // contacts with the ground
                    p.fixed[i] = 1;
                check_against_matrices(linear::linearise(p, "test"));
            }
        }
    }
}

TEST_CASE(
    "products and combinations of panels are sums over their rows, for any number of threads") {
    const linear::PackingOperator linear =
        linear::linearise(crystal_of(Lattice::fcc, {4, 4, 4}, true), "test");
    const std::size_t n = linear.size();
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        CAPTURE(set.name);
        const modes::PanelProduct one(linear, 1, set), two(linear, 2, set);
        std::vector<modes::Panel> a, b;
        a.push_back(some_panel(one, 1));
        a.push_back(some_panel(one, 2));
        b.push_back(some_panel(one, 3));
        const std::vector<double> products = one.products(a, b);
        CHECK(products == two.products(a, b));
        REQUIRE(products.size() == 2 * width * width);
        for (std::size_t i = 0; i < 2 * width; ++i) {
            for (std::size_t j = 0; j < width; ++j) {
                double sum = 0.0;
                for (std::size_t row = 0; row < n; ++row)
                    sum += a[i / width][row * width + i % width] * b[0][row * width + j];
                CHECK(std::fabs(products[i * width + j] - sum) < 1e-12 * static_cast<double>(n));
            }
        }
        const std::size_t m = 2 * width;
        std::vector<double> factors(m * m);
        for (std::size_t k = 0; k < factors.size(); ++k)
            factors[k] = some_number(k);
        std::vector<modes::Panel> mixed, again;
        for (const modes::Panel& panel : a) {
            for (std::vector<modes::Panel>* copies : {&mixed, &again}) {
                modes::Panel& copy = copies->emplace_back(one.zeros());
                std::copy_n(panel.data(), panel.size(), copy.data());
            }
        }
        one.combine(mixed, factors);
        two.combine(again, factors);
        CHECK(same(mixed[0], again[0]));
        CHECK(same(mixed[1], again[1]));
        modes::Panel rest = some_panel(one, 3);
        one.subtract(a, products, rest);
        for (std::size_t row = 0; row < n; row += 7) {
            for (std::size_t j = 0; j < m; ++j) {
                double sum = 0.0;
                for (std::size_t i = 0; i < m; ++i)
                    sum += a[i / width][row * width + i % width] * factors[i * m + j];
                CHECK(std::fabs(mixed[j / width][row * width + j % width] - sum) < 1e-13);
            }
            for (std::size_t j = 0; j < width; ++j) {
                double sum = b[0][row * width + j], size = 1.0;
                for (std::size_t i = 0; i < m; ++i) {
                    const double part =
                        a[i / width][row * width + i % width] * products[i * width + j];
                    sum -= part;
                    size += std::fabs(part);
                }
                CHECK(std::fabs(rest[row * width + j] - sum) < 1e-13 * size);
            }
        }
    }
}

}  // namespace beadwave::validation::panel_product_test
