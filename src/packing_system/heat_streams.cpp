#include "packing_system/heat_streams.hpp"

#include "packing_system/dissipation_streams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace beadwave::running {

using recording::Pace;

namespace {

packing::HeatTotals heat_totals(const packing::PackingEngine& engine) {
    return engine.heat()->totals(engine.population(), total_of(engine.dissipation()).sum());
}

}  // namespace

void HeatSample::take(const packing::PackingEngine& engine) {
    totals = heat_totals(engine);
    walls = engine.heat()->into_walls();
}

HeatResult heat_result(const packing::Packing& packing, const packing::PackingEngine& engine) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const packing::Heat& heat = *engine.heat();
    HeatResult result{heat_totals(engine), infinite, 0.0, -infinite, 0.0, heat.fastest()};
    double capacity = 0.0;
    for (std::size_t i = 0; i < packing.particles(); ++i) {
        result.adiabatic_rise = std::max(result.adiabatic_rise, heat.adiabatic_rise(i));
        if (engine.population().is_absent(i)) continue;
        const double own = packing.mass[i] * packing.heat->specific_heat[i];
        const double now = heat.temperature(i);
        capacity += own;
        result.mean += own * now;
        result.lowest = std::min(result.lowest, now);
        result.highest = std::max(result.highest, now);
    }
    result.mean /= capacity;
    if (!(capacity > 0.0))
        result.lowest = result.highest = std::numeric_limits<double>::quiet_NaN();
    return result;
}

void add_heat(recording::Description& all, const std::vector<double>* temperature,
              const HeatSample& sample, std::size_t particles, std::size_t walls) {
    if (temperature != nullptr) {
        all.streams.push_back(
            {Pace::snapshots,
             "",
             {{"particles/all/temperature",
               "K",
               {particles},
               recording::per_item([temperature](std::size_t i) { return (*temperature)[i]; })}}});
    }
    recording::Stream stream{Pace::energy, "", {}};
    const auto add = [&](const char* path, double packing::HeatTotals::*part) {
        stream.channels.push_back({path, "J", {}, recording::per_item([&sample, part](std::size_t) {
                                       return sample.totals.*part;
                                   })});
    };
    add("observables/particle_heat", &packing::HeatTotals::particles);
    add("observables/exit_heat", &packing::HeatTotals::taken);
    if (walls > 0) {
        stream.channels.push_back(
            {"observables/wall_heat", "J", {walls}, recording::per_item([&sample](std::size_t w) {
                 return sample.walls[w];
             })});
    }
    all.streams.push_back(std::move(stream));
}

std::string too_fast_conduction(const packing::Heat& heat, double most, double time_step) {
    if (!(heat.fastest() * time_step > most)) return {};
    return fmt::format("a particle takes the temperature of its neighbours in {:.3g} s",
                       1.0 / heat.fastest());
}

}  // namespace beadwave::running
