#include "modes/packing_transfer.hpp"

#include "beadwave/input_error.hpp"
#include "modes/interruptible.hpp"
#include "modes/sparse_response.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <optional>

namespace beadwave::modes {
namespace {

using linear::Link;
using linear::PackingOperator;

/// The wall that moves, or the freedom of a particle on which a force acts.
struct PackingInput {
    std::optional<std::int32_t> wall;
    std::size_t freedom = 0;
};

std::size_t moving_body(const PackingOperator& packing, std::int64_t number,
                        const std::string& what, const std::string& name) {
    const auto at = std::ranges::find(packing.body, number);
    if (at == packing.body.end())
        throw InputError(fmt::format("{}: {} {} is no particle that moves", name, what, number));
    return static_cast<std::size_t>(at - packing.body.begin());
}

PackingInput input_of(const PackingOperator& packing, const std::string& text,
                      const std::string& name) {
    long long number = 0;
    char axis = '\0', rest = '\0';
    if (std::sscanf(text.c_str(), "wall %lld%c", &number, &rest) == 1) {
        // Contacts without a wall have the number -1.
        const bool touches =
            number >= 0 && std::ranges::any_of(packing.links, [&](const Link& link) {
                return link.wall == number;
            });
        if (!touches)
            throw InputError(fmt::format("{}: input {}: no such wall touches a particle", name,
                                         shortened(text)));
        return {.wall = static_cast<std::int32_t>(number)};
    }
    const int axes = packing.dimension;
    if (std::sscanf(text.c_str(), "%lld %c%c", &number, &axis, &rest) == 2 && axis >= 'x' &&
        axis < 'x' + axes) {
        const std::size_t body = moving_body(packing, number, "input", name);
        return {.wall = {},
                .freedom = body * packing.components() + static_cast<std::size_t>(axis - 'x')};
    }
    throw InputError(
        fmt::format("{}: input \"{}\"; expected \"wall 0\", its number, or \"12 x\", a "
                    "particle and the axis of the force",
                    name, shortened(text)));
}

Drive drive_of(const PackingOperator& packing, const PackingInput& input) {
    const std::size_t c = packing.components();
    Drive drive{.in_phase = std::vector<double>(packing.size()),
                .with_velocity = std::vector<double>(packing.size())};
    if (!input.wall) {
        drive.in_phase[input.freedom] = 1.0;
        return drive;
    }
    for (const Link& link : packing.links) {
        if (link.wall != *input.wall || link.first == Link::ground) continue;
        // The direction of the wall's motion points to the particles: against the link's normal.
        const double moved[] = {-link.normal.x, -link.normal.y, -link.normal.z};
        for (const linear::Spring& spring : packing.springs(link)) {
            double stretch = 0.0;
            for (int k = 0; k < packing.dimension; ++k)
                stretch += spring.second[static_cast<std::size_t>(k)] * moved[k];
            for (std::size_t k = 0; k < c; ++k) {
                drive.in_phase[link.first * c + k] -= spring.stiffness * stretch * spring.first[k];
                drive.with_velocity[link.first * c + k] -=
                    spring.damping * stretch * spring.first[k];
            }
        }
    }
    return drive;
}

/// Displacements of the chosen freedoms, by all modes.
class ByModes {
  public:
    ByModes(const PackingOperator& packing, const Modes& modes, const Drive& drive,
            std::span<const std::size_t> freedoms)
        : modes_(modes), freedoms_(freedoms) {
        const std::size_t n = packing.size();
        for (std::size_t j = 0; j < modes.frequency.size(); ++j) {
            double mass = 0.0, force = 0.0;
            for (std::size_t i = 0; i < n; ++i) {
                const double u = modes.shape[j * n + i].real();
                mass += packing.mass[i] * u * u;
                force += drive.in_phase[i] * u;
            }
            share_.push_back(force / mass);
        }
    }

    std::vector<Complex> at(double omega) const {
        std::vector<Complex> motion(freedoms_.size());
        for (std::size_t j = 0; j < share_.size(); ++j) {
            const double own = 2.0 * std::numbers::pi * modes_.frequency[j];
            const double factor = share_[j] / ((own - omega) * (own + omega));
            for (std::size_t k = 0; k < freedoms_.size(); ++k)
                motion[k] += factor * modes_.shape[j * modes_.freedoms + freedoms_[k]].real();
        }
        return motion;
    }

  private:
    const Modes& modes_;
    std::span<const std::size_t> freedoms_;
    std::vector<double> share_;
};

}  // namespace

Transfer transfer(const PackingOperator& packing, const Modes& modes,
                  const TransferRequest& request, const std::string& name) {
    if (modes.unstable > 0) {
        throw InputError(
            fmt::format("{}: the packing buckles under its static load, so it has no "
                        "response of constant amplitude",
                        name));
    }
    const bool all_modes = !packing.damped() && modes.frequency.size() == packing.size();
    if (!all_modes && packing.size() > most_sparse) {
        throw InputError(fmt::format(
            "{}: {} freedoms are too many for the response of a packing; expected at most {}", name,
            packing.size(), most_sparse));
    }
    const PackingInput input = input_of(packing, request.input, name);
    const Drive drive = drive_of(packing, input);
    const auto axes = static_cast<std::size_t>(packing.dimension);
    std::vector<std::size_t> freedoms;
    for (const std::int64_t sensor : request.sensors) {
        const std::size_t body = moving_body(packing, sensor, "sensor", name);
        for (std::size_t k = 0; k < axes; ++k)
            freedoms.push_back(body * packing.components() + k);
    }
    const std::size_t count = request.frequency.size(), sensors = request.sensors.size();
    Transfer result{.input = request.input,
                    .by_wall = input.wall.has_value(),
                    .frequency = request.frequency,
                    .sensors = request.sensors,
                    .components = 3,
                    .displacement = std::vector<Complex>(count * sensors * 3),
                    .force = std::vector<Complex>(count * sensors * 3)};
    std::optional<ByModes> by_modes;
    std::optional<linear::Entries> entries;
    if (all_modes) {
        by_modes.emplace(packing, modes, drive, freedoms);
    } else {
        entries = linear::entries_of(packing);
    }
    const auto response = [&](double omega) {
        if (by_modes) return by_modes->at(omega);
        const std::vector<Complex> all = sparse_response(*entries, drive, omega);
        std::vector<Complex> motion(freedoms.size(), INFINITY);
        for (std::size_t k = 0; k < motion.size() && !all.empty(); ++k)
            motion[k] = all[freedoms[k]];
        return motion;
    };
    for_each(count, request.threads, request.stop, [&](std::size_t f) {
        const double omega = 2.0 * std::numbers::pi * request.frequency[f];
        const std::vector<Complex> motion = response(omega);
        for (std::size_t k = 0; k < motion.size(); ++k) {
            if (!std::isfinite(std::abs(motion[k]))) {
                throw InputError(
                    fmt::format("{}: {} Hz is the frequency of an undamped mode, "
                                "where the response is infinite",
                                name, request.frequency[f]));
            }
            const std::size_t at = (f * sensors + k / axes) * 3 + k % axes;
            result.displacement[at] = motion[k];
            // The contacts give the acceleration, beside the force of the input.
            const bool driven = !input.wall && input.freedom == freedoms[k];
            result.force[at] =
                -omega * omega * packing.mass[freedoms[k]] * motion[k] - (driven ? 1.0 : 0.0);
        }
    });
    return result;
}

}  // namespace beadwave::modes
