#include "mechanism/worn_bearing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <variant>

namespace beadwave::mechanism {

std::optional<double> bearing_width(const Contact& journal) {
    if (journal.wear && journal.wear->width) return journal.wear->width;
    return std::get<Journal>(journal.geometry).length;
}

double worn_area(const Contact& journal, std::size_t bins, Worn surface) {
    const Journal& shape = std::get<Journal>(journal.geometry);
    const double radius = shape.bearing_radius - (surface == worn_pin ? shape.clearance : 0.0);
    const double arc = 2.0 * std::numbers::pi * radius / static_cast<double>(bins);
    return arc * bearing_width(journal).value();
}

std::vector<std::size_t> worn_pins(const Mechanism& mechanism) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < mechanism.contacts.size(); ++i) {
        const std::optional<Wear>& wear = mechanism.contacts[i].wear;
        if (wear && wear->pin_hardness) found.push_back(i);
    }
    return found;
}

std::vector<std::size_t> worn_journals(const Mechanism& mechanism) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < mechanism.contacts.size() && mechanism.wear_bins > 0; ++i) {
        const Contact& contact = mechanism.contacts[i];
        if (contact.wear && std::holds_alternative<Journal>(contact.geometry)) found.push_back(i);
    }
    return found;
}

double middle_of_bin(std::size_t bin, std::size_t bins) {
    return 2.0 * std::numbers::pi * (static_cast<double>(bin) + 0.5) / static_cast<double>(bins);
}

namespace {

/// Largest wear that the shape in use lacks [m]. `shape`: null is round.
double depth_beyond(const std::vector<double>& depth, const WornProfile* shape) {
    double most = 0.0;
    for (std::size_t k = 0; k < depth.size(); ++k)
        most = std::max(most, depth[k] - (shape != nullptr ? shape->depth()[k] : 0.0));
    return most;
}

}  // namespace

std::vector<std::string> wear_warnings(const Mechanism& mechanism,
                                       const std::vector<ContactPoint>& points,
                                       const Sample& last) {
    constexpr double much = 0.1;  // of the clearance
    std::vector<std::string> warnings;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto warn = [&](const char* part, const std::vector<double>& depth,
                              const WornProfile* shape) {
            if (depth.empty()) return;
            const double beyond = depth_beyond(depth, shape);
            const double clearance = points[i].contact_distance;
            if (beyond <= much * clearance) return;
            const std::string acts = shape != nullptr
                                         ? fmt::format("the {} before this wear", part)
                                         : fmt::format("the round {}, which it no longer is", part);
            warnings.push_back(fmt::format(
                "the {} of contact \"{}\" is worn by {:.3g} m{}, {:.0f} % of its clearance: forces "
                "and motion are still those of {}{}",
                part, mechanism.contacts[points[i].contact].name, beyond,
                shape != nullptr ? " more than the shape that acts" : "",
                100.0 * beyond / clearance, acts,
                mechanism.wear_update_depth > 0.0
                    ? fmt::format("; expected a wear.update_depth below {:.2g} m", much * clearance)
                    : ""));
        };
        warn("bearing", last.contact_points[i].worn_depth, points[i].worn.get());
        warn("pin", last.contact_points[i].pin_depth, nullptr);
    }
    return warnings;
}

}  // namespace beadwave::mechanism
