#include "packing_system/wear_stream.hpp"

namespace beadwave::running {

std::vector<double> worn_volumes(const laws::Wear& wear, const packing::PackingEngine& engine) {
    std::vector<double> worn = engine.wall_rubbing();
    for (double& each : worn)
        each = wear.volume(each);
    return worn;
}

recording::Stream wear_stream(const std::vector<double>& worn, std::size_t walls) {
    return {recording::Pace::energy,
            "",
            {{"observables/wall_wear", "m3", {walls}, recording::per_item([&worn](std::size_t w) {
                  return worn[w];
              })}}};
}

}  // namespace beadwave::running
