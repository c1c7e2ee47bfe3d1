#include "mechanism/wear_streams.hpp"

#include "mechanism/contact_point.hpp"
#include "mechanism/worn_bearing.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::mechanism {

namespace {

/// The points of these contacts.
std::vector<std::size_t> points_of(const std::vector<ContactPoint>& points,
                                   const std::vector<std::size_t>& contacts) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (std::ranges::find(contacts, points[i].contact) != contacts.end()) found.push_back(i);
    }
    return found;
}

void add_names(recording::Description& all, const char* path, const Mechanism& mechanism,
               const std::vector<std::size_t>& contacts) {
    std::vector<std::string> names;
    for (const std::size_t contact : contacts)
        names.push_back(mechanism.contacts[contact].name);
    all.constants.push_back({path, "", "", {contacts.size()}, std::move(names)});
}

void add_depths(recording::Description& all, const char* path, std::size_t bins,
                std::vector<std::size_t> of_points, const Sample* const* now,
                std::vector<double> ContactSample::*depth) {
    const std::size_t count = of_points.size();
    all.streams.push_back({recording::Pace::snapshots,
                           "",
                           {{path,
                             "m",
                             {count, bins},
                             [now, of_points = std::move(of_points), bins, depth](
                                 std::size_t first, std::span<double> out) {
                                 for (std::size_t k = 0; k < out.size(); ++k) {
                                     const std::size_t point = of_points[first + k / bins];
                                     out[k] = ((*now)->contact_points[point].*depth)[k % bins];
                                 }
                             }}}});
}

void add_pin_wear(recording::Description& all, const Mechanism& mechanism,
                  const std::vector<ContactPoint>& points, const Sample* const* now) {
    const std::vector<std::size_t> pins = worn_pins(mechanism);
    if (pins.empty()) return;
    const std::vector<std::size_t> of_pins = points_of(points, pins);
    all.streams.push_back({recording::Pace::snapshots,
                           "",
                           {{"observables/pin_wear",
                             "m3",
                             {of_pins.size()},
                             recording::per_item([now, of_pins](std::size_t i) {
                                 return (*now)->contact_points[of_pins[i]].pin_worn;
                             })}}});
    add_names(all, "observables/worn_pins", mechanism, pins);
    if (mechanism.wear_bins > 0)
        add_depths(all, "observables/pin_wear_depth", mechanism.wear_bins, of_pins, now,
                   &ContactSample::pin_depth);
}

}  // namespace

bool wears(const Mechanism& mechanism) {
    return std::ranges::any_of(mechanism.contacts,
                               [](const Contact& contact) { return contact.wear.has_value(); });
}

void add_wear(recording::Description& all, const Mechanism& mechanism, const Sample* const* now) {
    if (!wears(mechanism)) return;
    const std::vector<ContactPoint> points = contact_points_of(mechanism);
    all.streams.push_back(
        {recording::Pace::snapshots,
         "",
         {{"observables/contact_wear",
           "m3",
           {points.size()},
           recording::per_item([now](std::size_t i) { return (*now)->contact_points[i].worn; })}}});
    add_pin_wear(all, mechanism, points, now);
    const std::vector<std::size_t> journals = worn_journals(mechanism);
    if (journals.empty()) return;
    add_depths(all, "observables/wear_depth", mechanism.wear_bins, points_of(points, journals), now,
               &ContactSample::worn_depth);
    std::vector<double> angles;
    for (std::size_t bin = 0; bin < mechanism.wear_bins; ++bin)
        angles.push_back(middle_of_bin(bin, mechanism.wear_bins));
    all.constants.push_back({"observables/wear_angle",
                             "wear_angle",
                             "rad",
                             {mechanism.wear_bins},
                             all.keep(std::move(angles))});
    add_names(all, "observables/worn_journals", mechanism, journals);
}

}  // namespace beadwave::mechanism
