#include "modes/lowest_modes.hpp"

#include "beadwave/input_error.hpp"
#include "load_module.hpp"
#include "modes/packing_shapes.hpp"
#include "modes/stiffness_product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <numbers>
#include <numeric>
#include <stdexcept>

namespace beadwave::modes {
namespace {

using packing::Vec3;
using spectra_module::Problem;

void run(Problem& problem, const Stop& stop) {
    static const auto lanczos = reinterpret_cast<spectra_module::Lanczos>(
        load_module({"modes of large packings", BEADWAVE_SPECTRA_FROM_PROGRAM,
                     BEADWAVE_SPECTRA_BUILT, spectra_module::lanczos_name}));
    // Exceptions do not pass through the module.
    std::exception_ptr error;
    const auto guarded = [&](const auto& work) {
        return [&, work](const double* x, double* y) {
            if (!error && stop && stop())
                error = std::make_exception_ptr(std::runtime_error("interrupted"));
            if (error) {
                std::fill_n(y, problem.size, 0.0);
                return;
            }
            work(x, y);
        };
    };
    problem.filtered = guarded(problem.filtered);
    problem.plain = guarded(problem.plain);
    const char* const wrong = lanczos(&problem);
    if (error) std::rethrow_exception(error);
    if (wrong != nullptr) throw std::runtime_error(wrong);
}

/// Modes found so far, ascending.
struct Found {
    std::vector<double> values{}, residuals{};
    std::vector<std::vector<double>> vectors{};

    /// Takes over the results of a search and keeps the `count` lowest.
    void add(const Problem& problem, std::size_t count) {
        for (std::size_t k = 0; k < problem.values.size(); ++k) {
            const auto place = std::ranges::upper_bound(values, problem.values[k]);
            const auto at = place - values.begin();
            const double* first = problem.vectors.data() + k * problem.size;
            values.insert(place, problem.values[k]);
            residuals.insert(residuals.begin() + at, problem.residuals[k]);
            vectors.insert(vectors.begin() + at, std::vector<double>(first, first + problem.size));
        }
        if (values.size() <= count) return;
        values.resize(count);
        residuals.resize(count);
        vectors.resize(count);
    }

    /// Removes the part of x along the modes.
    void project_out(std::vector<double>& x) const {
        for (const std::vector<double>& vector : vectors) {
            const double part = std::inner_product(x.begin(), x.end(), vector.begin(), 0.0);
            for (std::size_t i = 0; i < x.size(); ++i)
                x[i] -= part * vector[i];
        }
    }
};

using Apply = std::function<void(const double*, double*)>;

/// An operator beside the modes found so far: they become zero modes of it.
Apply beside(const Found& found, const Apply& apply) {
    return [&found, apply](const double* x, double* y) {
        if (found.vectors.empty()) return apply(x, y);
        std::vector<double> rest(x, x + found.vectors.front().size());
        found.project_out(rest);
        apply(rest.data(), y);
        rest.assign(y, y + rest.size());
        found.project_out(rest);
        std::ranges::copy(rest, y);
    };
}

/// Somewhat above the largest eigenvalue, which bounds the polynomial's interval.
double upper_bound(const StiffnessProduct& product, const Stop& stop) {
    Problem problem{
        .size = product.size(),
        .count = 1,
        .subspace = std::min<std::size_t>(20, product.size()),
        .filtered = [&](const double* x, double* y) { product.apply(x, 1.0, 0.0, nullptr, y); },
        .plain = {},
        .tolerance = 1e-3,
        .most_restarts = 20};
    problem.plain = problem.filtered;
    run(problem, stop);
    return problem.values.back() + 10.0 * problem.residuals.back() + 0.01 * problem.values.back();
}

/// Without the bodies that touch nothing; `kept`: the others.
linear::PackingOperator connected(const linear::PackingOperator& packing,
                                  std::vector<std::size_t>& kept) {
    const std::size_t c = packing.components();
    constexpr std::uint32_t ground = linear::Link::ground;
    std::vector<char> touched(packing.body.size());
    for (const linear::Link& link : packing.links)
        for (const std::uint32_t body : {link.first, link.second})
            if (body != ground) touched[body] = 1;
    linear::PackingOperator rest;
    rest.dimension = packing.dimension;
    rest.rotates = packing.rotates;
    rest.links = packing.links;
    rest.box = packing.box;
    std::vector<std::uint32_t> index(packing.body.size(), ground);
    for (std::size_t i = 0; i < packing.body.size(); ++i) {
        if (touched[i] == 0) continue;
        index[i] = static_cast<std::uint32_t>(kept.size());
        kept.push_back(i);
        rest.body.push_back(packing.body[i]);
        rest.radius.push_back(packing.radius[i]);
        rest.position.push_back(packing.position[i]);
        for (std::size_t k = 0; k < c; ++k)
            rest.mass.push_back(packing.mass[i * c + k]);
    }
    for (linear::Link& link : rest.links)
        for (std::uint32_t* body : {&link.first, &link.second})
            if (*body != ground) *body = index[*body];
    return rest;
}

/// The modes of all bodies from those of the connected ones.
Modes with_loose(const linear::PackingOperator& packing, const std::vector<std::size_t>& kept,
                 std::size_t loose, const Modes& of_connected) {
    const std::size_t c = packing.components(), n = packing.size();
    Modes modes{.rigid = loose + of_connected.rigid,
                .unstable = of_connected.unstable,
                .freedoms = n,
                .warnings = of_connected.warnings};
    std::vector<char> is_kept(packing.body.size());
    for (const std::size_t body : kept)
        is_kept[body] = 1;
    std::vector<double> shape(n);
    for (std::size_t i = 0; i < n && modes.frequency.size() < loose; ++i) {
        if (is_kept[i / c] != 0) continue;
        shape[i] = 1.0;
        add_shape(packing, shape.data(), modes);
        shape[i] = 0.0;
        modes.frequency.push_back(0.0);
    }
    for (std::size_t k = 0; k < of_connected.frequency.size(); ++k) {
        for (std::size_t j = 0; j < kept.size() * c; ++j) {
            const std::size_t i = kept[j / c] * c + j % c;
            shape[i] =
                of_connected.shape[k * kept.size() * c + j].real() * std::sqrt(packing.mass[i]);
        }
        add_shape(packing, shape.data(), modes);
        modes.frequency.push_back(of_connected.frequency[k]);
    }
    return modes;
}

/// The part of the spectrum of omega^2 that holds the `count` lowest waves of an elastic body of
/// this shape, with some room. A wave has a multiple of half a wave length along each side, at
/// least of the size of a particle: along thin sides there is only one.
double share_of_spectrum(const linear::PackingOperator& packing, std::size_t count) {
    Vec3 low = packing.position[0], high = low;
    double diameter = 0.0;
    for (std::size_t i = 0; i < packing.body.size(); ++i) {
        const Vec3& r = packing.position[i];
        low = {std::min(low.x, r.x), std::min(low.y, r.y), std::min(low.z, r.z)};
        high = {std::max(high.x, r.x), std::max(high.y, r.y), std::max(high.z, r.z)};
        diameter += 2.0 * packing.radius[i] / static_cast<double>(packing.body.size());
    }
    const Vec3 size = (high - low) * (1.0 / diameter) + Vec3{1.0, 1.0, 1.0};
    // `part`: the largest wave number over that of the shortest wave.
    const auto waves = [&](double part) {
        return packing.dimension * std::max(1.0, size.x * part) * std::max(1.0, size.y * part) *
               std::max(1.0, size.z * part);
    };
    const double wanted = std::max(static_cast<double>(count), 2.0 * packing.dimension);
    double part = 1.0;
    while (part > 1e-4 && waves(part) > wanted)
        part *= 0.97;
    return std::clamp(2.0 * part * part, 1e-7, 0.2);
}

Modes solve_connected(const linear::PackingOperator& packing, std::size_t count, int threads,
                      const std::string& name, const Stop& stop) {
    const StiffnessProduct product(packing, threads);
    const std::size_t n = product.size();
    if (n < 2 * count + 40) {
        throw InputError(
            fmt::format("{}: {} freedoms are too few for the lowest {} modes alone; "
                        "expected all modes, or fewer",
                        name, n, count));
    }
    const double highest = upper_bound(product, stop);
    const double cut = highest * share_of_spectrum(packing, count);
    // At 0 the polynomial is cosh(8), 1500 times its largest value above the cut. A lower degree
    // needs as many products, but more vectors to keep orthogonal, on one thread.
    const int degree = 4 * static_cast<int>(std::ceil(std::sqrt(highest / cut)));
    const double centre = 0.5 * (highest + cut), half = 0.5 * (highest - cut);
    std::vector<double> one(n), two(n), three(n);
    const Apply filtered = [&](const double* x, double* y) {
        // T_(k+1) = 2 X T_k - T_(k-1), X = (A - centre)/half.
        std::copy_n(x, n, one.data());
        product.apply(x, 1.0 / half, centre, nullptr, two.data());
        for (int k = 2; k <= degree; ++k) {
            product.apply(two.data(), 2.0 / half, centre, one.data(), three.data());
            one.swap(two);
            two.swap(three);
        }
        std::copy_n(two.data(), n, y);
    };
    // One vector's Lanczos can miss copies of a multiple eigenvalue, which crystals have many of.
    // So the search is repeated beside what was found, until it finds nothing lower.
    Found found;
    bool complete = false;
    for (int round = 0; round < 12 && !complete; ++round) {
        Problem problem{
            .size = n,
            .count = round == 0 ? count : std::max<std::size_t>(4, count / 10),
            .subspace = 0,
            .filtered = beside(found, filtered),
            .plain = [&](const double* x, double* y) { product.apply(x, 1.0, 0.0, nullptr, y); },
            .tolerance = 1e-6,
            .most_restarts = 300};
        problem.subspace = std::min(n, 2 * problem.count + 20);
        run(problem, stop);
        const double before = found.values.empty() ? INFINITY : found.values.back();
        const double lowest = problem.values.front();
        found.add(problem, count);
        complete = round > 0 && problem.converged && lowest >= before * (1.0 - 1e-9);
    }

    Modes modes{.freedoms = n};
    const double zero = 1e-11 * highest;
    double worst = 0.0;
    for (std::size_t k = 0; k < found.values.size(); ++k) {
        const double square = found.values[k], residual = found.residuals[k];
        modes.frequency.push_back(square > zero ? std::sqrt(square) / (2.0 * std::numbers::pi)
                                                : 0.0);
        if (square <= zero) ++modes.rigid;
        if (square < -zero) ++modes.unstable;
        // The nearest eigenvalue is within the residual; its error is of second order in the
        // residual where the neighbours are farther away than that.
        if (square > zero) worst = std::max(worst, residual / square);
        add_shape(packing, found.vectors[k].data(), modes);
    }
    if (!complete || found.values.size() < count || worst > 1e-4) {
        modes.warnings.push_back(fmt::format(
            "the lowest modes did not converge fully: {} of {} were found, with residuals up to "
            "{:.2g} of omega squared",
            modes.frequency.size(), count, worst));
    }
    if (modes.unstable > 0) {
        modes.warnings.push_back(
            fmt::format("{} modes grow under the static load: the packing buckles; their "
                        "frequencies are listed as 0",
                        modes.unstable));
    }
    return modes;
}

}  // namespace

Modes solve_lowest(const linear::PackingOperator& packing, std::size_t count, int threads,
                   const std::string& name, const Stop& stop) {
    std::vector<std::size_t> kept;
    const linear::PackingOperator rest = connected(packing, kept);
    const std::size_t loose =
        std::min(count, packing.components() * (packing.body.size() - kept.size()));
    Modes found;
    if (loose < count) found = solve_connected(rest, count - loose, threads, name, stop);
    Modes modes = with_loose(packing, kept, loose, found);
    modes.warnings.insert(modes.warnings.begin(), packing.warnings.begin(), packing.warnings.end());
    if (packing.damped())
        add_first_order_damping(packing, "damped modes are computed with all modes only", modes);
    return modes;
}

}  // namespace beadwave::modes
