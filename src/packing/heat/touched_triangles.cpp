#include "packing/heat/touched_triangles.hpp"

#include "packing/engine_state.hpp"

#include <cmath>
#include <stdexcept>

namespace beadwave::packing {

void TouchedTriangles::receive(std::span<const DissipationChange> changes,
                               std::span<const ContactState> contacts) {
    touch_.clear();
    for (const ContactState& each : contacts) {
        if (each.second < particles_) continue;
        const std::size_t wall = each.second - particles_;
        if (!triangles_.has(wall)) continue;
        const std::size_t triangle = triangles_.of(wall, each.triangle);
        const double force = std::sqrt(dot(each.normal_force, each.normal_force));
        touch_.insert({{each.first, wall}, {triangle, force}});
        latest_[{each.first, wall}] = triangle;
    }
    for (const DissipationChange& change : changes) {
        if (change.second < particles_) continue;
        const std::size_t wall = change.second - particles_;
        if (!triangles_.has(wall)) continue;
        const Bodies bodies{change.first, wall};
        const auto [begin, end] = touch_.equal_range(bodies);
        double force = 0.0;
        for (auto at = begin; at != end; ++at)
            force += at->second.force;
        const double half = 0.5 * change.energy;
        if (force > 0.0) {
            for (auto at = begin; at != end; ++at)
                energy_[at->second.triangle] += half * (at->second.force / force);
        } else if (const auto last = latest_.find(bodies); last != latest_.end()) {
            energy_[last->second] += half;
        } else {
            energy_[triangles_.first(wall)] += half;  // it touched for less than a step
        }
    }
}

std::vector<double> TouchedTriangles::numbers() const {
    std::vector<double> all = energy_;
    for (const auto& [bodies, triangle] : latest_) {
        for (const std::size_t number : {bodies.first, bodies.second, triangle})
            all.push_back(static_cast<double>(number));
    }
    return all;
}

void TouchedTriangles::restore(std::span<const double> numbers) {
    const auto damaged = [] {
        return std::invalid_argument("triangle_energy: these are no energies of triangles");
    };
    if (numbers.size() < energy_.size() || (numbers.size() - energy_.size()) % 3 != 0)
        throw damaged();
    std::size_t at = 0;
    for (double& energy : energy_)
        energy = numbers[at++];
    const auto whole = [&](std::size_t end) {
        const double number = numbers[at++];
        if (!(number >= 0.0 && number < static_cast<double>(end))) throw damaged();
        return static_cast<std::size_t>(number);
    };
    latest_.clear();
    while (at < numbers.size()) {
        const std::size_t particle = whole(particles_), wall = whole(triangles_.walls());
        latest_[{particle, wall}] = whole(energy_.size());
    }
}

}  // namespace beadwave::packing
