#include "fit/spectra.hpp"

#include <cmath>
#include <complex>
#include <numbers>

namespace beadwave::fit {
namespace {

using Amplitude = std::complex<double>;

Amplitude transform(std::span<const double> values, std::span<const Amplitude> turns) {
    Amplitude sum = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i)
        sum += values[i] * turns[i];
    return sum;
}

}  // namespace

void add_spectrum(const SpectrumRows& rows, double half_width, Residuals& result) {
    constexpr double part = 0.01;  // as the peaks and arrivals of a fit without noise
    const double highest = 1.0 / (4.0 * half_width);
    std::vector<std::vector<Amplitude>> turns;
    double squares = 0.0;
    for (std::size_t m = 0; m < spectrum_frequencies; ++m) {
        const double frequency = highest * static_cast<double>(m) / spectrum_frequencies;
        std::vector<Amplitude>& turn = turns.emplace_back();
        for (std::size_t i = 0; i < rows.time.size(); ++i) {
            const double angle = -2.0 * std::numbers::pi * frequency * rows.time[i];
            turn.push_back(std::polar(rows.length[i], angle));
        }
        squares += std::norm(transform(rows.measured, turn));
    }
    const double unit = part * std::sqrt(squares / spectrum_frequencies);
    for (const std::vector<Amplitude>& turn : turns) {
        const Amplitude computed = transform(rows.computed, turn);
        const double size = std::abs(computed), measured = std::abs(transform(rows.measured, turn));
        result.values.push_back(unit > 0.0 ? (size - measured) / unit : 0.0);
        for (std::size_t k = 0; k < result.columns.size(); ++k) {
            const Amplitude change = transform(rows.columns[k], turn);
            const double slope = size > 0.0 ? std::real(std::conj(computed) * change) / size : 0.0;
            result.columns[k].push_back(unit > 0.0 ? slope / unit : 0.0);
        }
    }
}

void ResidualFunction::add_spectra(std::span<const double> x, Residuals& result) const {
    Weights units;
    units.trace.assign(measured_.traces.size(), 1.0);
    Residuals all;
    all.columns.resize(result.columns.size());
    add_traces(x, units, all);
    std::size_t next = 0;
    for (std::size_t c = 0; c < measured_.traces.size(); ++c) {
        const MeasuredTrace& trace = measured_.traces[c];
        SpectrumRows rows;
        rows.columns.resize(all.columns.size());
        const std::vector<double>& time = measured_.time;
        for (std::size_t row = 0; row < time.size(); ++row) {
            if (!trace.used[row]) continue;
            const std::size_t before = row > 0 ? row - 1 : row;
            const std::size_t after = row + 1 < time.size() ? row + 1 : row;
            const double root = trace.root_weight(row);
            rows.time.push_back(time[row]);
            rows.length.push_back(0.5 * (time[after] - time[before]));
            rows.measured.push_back(trace.force[row]);
            rows.computed.push_back(all.values[next] / root + trace.force[row]);
            for (std::size_t k = 0; k < rows.columns.size(); ++k)
                rows.columns[k].push_back(all.columns[k][next] / root);
            ++next;
        }
        if (hump_[c] > 0.0) add_spectrum(rows, hump_[c], result);
    }
}

}  // namespace beadwave::fit
