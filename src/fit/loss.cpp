#include "fit/loss.hpp"

#include "beadwave/input_error.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <vector>

namespace beadwave::fit {
namespace {

struct NamedLoss {
    std::string_view name;
    Loss loss;
};
constexpr std::array<NamedLoss, 3> losses{
    {{"squares", Loss::squares}, {"huber", Loss::huber}, {"soft-l1", Loss::soft_l1}}};

/// 95 % efficient for normal noise (Huber, Robust Statistics, 1981).
constexpr double huber_width = 1.345;

}  // namespace

LossTerms loss_terms(Loss loss, double residual) {
    const double square = residual * residual, size = std::abs(residual);
    switch (loss) {
        case Loss::squares:
            break;
        case Loss::huber:
            if (size <= huber_width) break;
            return {huber_width * (2.0 * size - huber_width), huber_width / size, 0.0};
        case Loss::soft_l1: {
            const double root = std::sqrt(1.0 + square);
            return {2.0 * (root - 1.0), 1.0 / root, 1.0 / (root * root * root)};
        }
    }
    return {square, 1.0, 1.0};
}

std::string text_of(Loss loss) {
    for (const NamedLoss& one : losses) {
        if (one.loss == loss) return std::string(one.name);
    }
    return {};
}

Loss loss_named(std::string_view name) {
    std::vector<std::string> known;
    for (const NamedLoss& one : losses) {
        if (one.name == name) return one.loss;
        known.emplace_back(one.name);
    }
    const std::string hint = did_you_mean(std::string(name), known);
    throw InputError(fmt::format("--loss {}: there is no \"{}\"{}", name, name,
                                 hint.empty() ? "; there are squares, huber, soft-l1" : hint));
}

}  // namespace beadwave::fit
