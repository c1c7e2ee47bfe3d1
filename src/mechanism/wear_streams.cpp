#include "mechanism/wear_streams.hpp"

#include "mechanism/contact_point.hpp"
#include "mechanism/worn_bearing.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::mechanism {

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
    const std::vector<std::size_t> journals = worn_journals(mechanism);
    if (journals.empty()) return;
    std::vector<std::size_t> of_journals;  // their contact points
    std::vector<std::string> names;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (std::ranges::find(journals, points[i].contact) == journals.end()) continue;
        of_journals.push_back(i);
        names.push_back(mechanism.contacts[points[i].contact].name);
    }
    const std::size_t count = journals.size(), bins = mechanism.wear_bins;
    all.streams.push_back({recording::Pace::snapshots,
                           "",
                           {{"observables/wear_depth",
                             "m",
                             {count, bins},
                             [now, of_journals, bins](std::size_t first, std::span<double> out) {
                                 for (std::size_t k = 0; k < out.size(); ++k) {
                                     const std::size_t point = of_journals[first + k / bins];
                                     out[k] = (*now)->contact_points[point].worn_depth[k % bins];
                                 }
                             }}}});
    std::vector<double> angles;
    for (std::size_t bin = 0; bin < bins; ++bin)
        angles.push_back(middle_of_bin(bin, bins));
    all.constants.push_back(
        {"observables/wear_angle", "wear_angle", "rad", {bins}, all.keep(std::move(angles))});
    all.constants.push_back({"observables/worn_journals", "", "", {count}, std::move(names)});
}

}  // namespace beadwave::mechanism
