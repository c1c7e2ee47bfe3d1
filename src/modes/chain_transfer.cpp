#include "modes/chain_transfer.hpp"

#include "beadwave/input_error.hpp"
#include "linear/entries.hpp"
#include "modes/chain_response.hpp"
#include "modes/interruptible.hpp"
#include "modes/sparse_response.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

namespace beadwave::modes {
namespace {

using linear::ChainOperator;

/// The contact whose wall moves, or the bead that a force drives.
struct ChainInput {
    bool wall;
    std::size_t place;  ///< contact or bead, in the operator's order
};

std::size_t moving_bead(const ChainOperator& chain, std::int64_t number, const std::string& what,
                        const std::string& name) {
    const auto place = std::ranges::lower_bound(
        chain.bead, number, {}, [](std::size_t bead) { return static_cast<std::int64_t>(bead); });
    if (place == chain.bead.end() || static_cast<std::int64_t>(*place) != number) {
        throw InputError(fmt::format("{}: {} {} is no bead that moves; expected {} to {}{}", name,
                                     what, number, chain.bead.front(), chain.bead.back(),
                                     chain.held.empty() ? "" : ", without driven beads"));
    }
    return static_cast<std::size_t>(place - chain.bead.begin());
}

ChainInput input_of(const ChainOperator& chain, const std::string& text, const std::string& name) {
    if (text == "left" || text == "right") {
        const std::size_t contact = text == "left" ? 0 : chain.size();
        if (chain.stiffness[contact] == 0.0)
            throw InputError(fmt::format("{}: input {}: no wall touches this end", name, text));
        return {true, contact};
    }
    std::int64_t number = 0;
    const auto end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec != std::errc() || read.ptr != end) {
        throw InputError(fmt::format("{}: input {}; expected left, right or the number of a bead",
                                     name, shortened(text)));
    }
    return {false, moving_bead(chain, number, "input", name)};
}

/// The loads of an input where forces reach beyond the next bead: also those of a moving end bead,
/// which pulls at more than its neighbour.
Drive drive_of(const ChainOperator& chain, const ChainInput& input) {
    const std::size_t n = chain.size();
    Drive drive{.in_phase = std::vector<double>(chain.freedoms()),
                .with_velocity = std::vector<double>(chain.freedoms())};
    if (!input.wall) {
        drive.in_phase[input.place] = 1.0;
        return drive;
    }
    const bool left = input.place == 0;
    drive.in_phase[left ? 0 : n - 1] = chain.stiffness[input.place];
    drive.with_velocity[left ? 0 : n - 1] = chain.damping[input.place];
    for (const linear::HeldSpring& each : chain.far_held) {
        if (left ? each.held + 1 == chain.bead.front() : each.held == chain.bead.back() + 1)
            drive.in_phase[each.bead] += each.stiffness;
    }
    return drive;
}

/// The motion of all freedoms at an angular frequency [rad/s]; false at that of an undamped mode.
bool respond(const ChainOperator& chain, const ChainInput& input, double omega,
             std::vector<Complex>& motion) {
    const std::size_t n = chain.size();
    const auto spring = [&](std::size_t c) {
        return Complex(chain.stiffness[c], omega * chain.damping[c]);
    };
    std::vector<Complex> diagonal(n);
    motion.assign(chain.freedoms(), 0.0);
    for (std::size_t i = 0; i < n; ++i)
        diagonal[i] = spring(i) + spring(i + 1) - omega * omega * chain.mass[i];
    if (input.wall) {
        motion[input.place == 0 ? 0 : n - 1] = spring(input.place);
    } else {
        motion[input.place] = 1.0;
    }
    return solve_chain(chain, Complex(0.0, omega), std::move(diagonal), motion);
}

}  // namespace

Transfer transfer(const ChainOperator& chain, const TransferRequest& request,
                  const std::string& name) {
    const std::size_t n = chain.size();
    const ChainInput input = input_of(chain, request.input, name);
    std::vector<std::size_t> places;
    for (const std::int64_t sensor : request.sensors)
        places.push_back(moving_bead(chain, sensor, "sensor", name));
    const std::size_t count = request.frequency.size(), sensors = places.size();
    Transfer result{.input = request.input,
                    .by_wall = input.wall,
                    .frequency = request.frequency,
                    .sensors = request.sensors,
                    .displacement = std::vector<Complex>(count * sensors),
                    .force = std::vector<Complex>(count * sensors)};
    std::optional<linear::Entries> entries;
    Drive drive;
    if (!chain.far.empty() || !chain.far_held.empty()) {
        entries = linear::entries_of(chain);
        drive = drive_of(chain, input);
    }
    // The complex stiffness of a contact's law alone, as sensors feel it.
    const auto law = [&](std::size_t c, double omega) {
        const Complex all(chain.stiffness[c], omega * chain.damping[c]);
        if (chain.joined_stiffness.empty()) return all;
        return all - Complex(chain.joined_stiffness[c], omega * chain.joined_damping[c]);
    };
    for_each(count, request.threads, request.stop, [&](std::size_t f) {
        const double omega = 2.0 * std::numbers::pi * request.frequency[f];
        std::vector<Complex> motion;
        if (entries) motion = sparse_response(*entries, drive, omega);
        if (entries ? motion.empty() : !respond(chain, input, omega, motion)) {
            throw InputError(
                fmt::format("{}: {} Hz is the frequency of an undamped mode, where "
                            "the response is infinite",
                            name, request.frequency[f]));
        }
        const auto compression = [&](std::size_t c) {
            const Complex wall = input.wall && input.place == c ? 1.0 : 0.0;
            return (c > 0 ? motion[c - 1] : wall) - (c < n ? motion[c] : wall);
        };
        // On bead i, from the contact c beside it.
        const auto force = [&](std::size_t i, std::size_t c) {
            const auto held =
                std::ranges::lower_bound(chain.held, c, {}, &linear::HeldBetween::contact);
            if (held == chain.held.end() || held->contact != c)
                return law(c, omega) * compression(c);
            return i < c ? Complex(held->left_stiffness, omega * held->left_damping) * motion[i]
                         : -Complex(held->right_stiffness, omega * held->right_damping) * motion[i];
        };
        for (std::size_t s = 0; s < sensors; ++s) {
            const std::size_t i = places[s];
            result.displacement[f * sensors + s] = motion[i];
            result.force[f * sensors + s] = 0.5 * (force(i, i) + force(i, i + 1));
        }
    });
    return result;
}

}  // namespace beadwave::modes
