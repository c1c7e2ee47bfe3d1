#include "packing_system/wear_stream.hpp"

#include "packing/walls/wall_work.hpp"

namespace beadwave::running {
namespace {

bool rubs(const laws::Wear& wear) {
    return wear.law == laws::WearLaw::archard;
}

}  // namespace

std::vector<double> worn_volumes(const laws::Wear& wear, const packing::PackingEngine& engine) {
    std::vector<double> worn =
        rubs(wear) ? engine.wall_rubbing() : engine.wall_work()->cutting().wall;
    for (double& each : worn)
        each = wear.volume(each);
    return worn;
}

std::vector<double> worn_depths(const laws::Wear& wear, const packing::PackingEngine& engine,
                                const packing::TriangleNumbers& triangles) {
    const packing::WallWork& work = *engine.wall_work();
    std::vector<double> depths = rubs(wear) ? work.rubbing().triangle : work.cutting().triangle;
    for (std::size_t t = 0; t < depths.size(); ++t)
        depths[t] = wear.volume(depths[t]) / triangles.areas()[t];
    return depths;
}

recording::Stream wear_stream(const std::vector<double>& worn, std::size_t walls) {
    return {recording::Pace::energy,
            "",
            {{"observables/wall_wear", "m3", {walls}, recording::per_item([&worn](std::size_t w) {
                  return worn[w];
              })}}};
}

recording::Stream triangle_stream(const char* path, const char* unit,
                                  const std::vector<double>& numbers, std::size_t triangles) {
    return {recording::Pace::snapshots,
            "",
            {{path, unit, {triangles}, recording::per_item([&numbers](std::size_t t) {
                  return numbers[t];
              })}}};
}

}  // namespace beadwave::running
