#include "mechanism/dissipation_streams.hpp"

#include "mechanism/contact_point.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::mechanism {
namespace {

using DissipationPart = double ContactDissipation::*;
struct NamedDissipation {
    const char* name;
    DissipationPart part;
};
constexpr NamedDissipation dissipation_parts[] = {{"normal", &ContactDissipation::normal},
                                                  {"sliding", &ContactDissipation::sliding}};

/// Half of what these contact points dissipated [J].
double half_of(const Sample& sample, const std::vector<std::size_t>& points, DissipationPart part) {
    double sum = 0.0;
    for (const std::size_t i : points)
        sum += 0.5 * (sample.contact_points[i].dissipation.*part);
    return sum;
}

}  // namespace

ContactDissipation total_dissipation(const Sample& sample) {
    ContactDissipation sum;
    for (const ContactSample& point : sample.contact_points) {
        for (const NamedDissipation& each : dissipation_parts)
            sum.*each.part += point.dissipation.*each.part;
    }
    return sum;
}

void add_dissipation(recording::Description& all, const Mechanism& mechanism,
                     const recording::DissipationRecords& records, const Sample* const* now) {
    const std::vector<ContactPoint> points = contact_points_of(mechanism);
    if (points.empty()) return;
    std::vector<std::vector<std::size_t>> of_bodies(mechanism.bodies.size());
    std::vector<std::size_t> of_ground;
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (const std::size_t body : points[i].bodies)
            (body == ground ? of_ground : of_bodies[body]).push_back(i);
    }
    const auto add = [&](const char* path, std::size_t count, const auto& number) {
        recording::Stream stream{recording::Pace::snapshots, "", {}};
        for (const NamedDissipation& each : dissipation_parts) {
            const DissipationPart part = each.part;
            stream.channels.push_back({std::string(path) + each.name + "_dissipation",
                                       "J",
                                       {count},
                                       recording::per_item([now, number, part](std::size_t i) {
                                           return number(**now, i, part);
                                       })});
        }
        all.streams.push_back(std::move(stream));
    };
    if (records.contacts) {
        add("observables/contact_", points.size(),
            [](const Sample& sample, std::size_t i, DissipationPart part) {
                return sample.contact_points[i].dissipation.*part;
            });
    }
    if (records.bodies) {
        add("particles/all/particle_", of_bodies.size(),
            [of_bodies](const Sample& sample, std::size_t body, DissipationPart part) {
                return half_of(sample, of_bodies[body], part);
            });
    }
    if (records.walls) {
        add("observables/wall_", 1,
            [of_ground](const Sample& sample, std::size_t, DissipationPart part) {
                return half_of(sample, of_ground, part);
            });
    }
}

}  // namespace beadwave::mechanism
