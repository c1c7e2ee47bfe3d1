// What particles carry, as a scenario has it: [[foundation]], [[resonator]], [[load]], [[drive]].
#pragma once

#include "chain/scenario.hpp"
#include "packing/elements/elements.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace beadwave::packing {

/// Each `every`-th particle of a range, or of a group.
struct Selection {
    chain::BeadRange range{};
    std::optional<std::int64_t> group{};  ///< number of a [[particles]]
};

struct FoundationPlan {
    Selection particles;
    Spring spring;
    double rotational_damping = 0.0;  ///< [N m s]
};

struct ResonatorPlan {
    Selection particles;
    double mass = 0.0;  ///< [kg]
    Spring spring;
};

struct LoadedPlan {
    Selection particles;
    ForceOverTime force{};
};

struct DrivePlan {
    Selection particles;
    std::array<stepping::Drive, 3> along{stepping::Drive::steady(0.0), stepping::Drive::steady(0.0),
                                         stepping::Drive::steady(0.0)};
    std::array<bool, 3> axes{true, true, true};  ///< that are prescribed
    bool rotates = false;
};

struct ElementPlans {
    std::vector<FoundationPlan> foundations{};
    std::vector<ResonatorPlan> resonators{};
    std::vector<LoadedPlan> loads{};
    std::vector<DrivePlan> drives{};

    bool empty() const {
        return foundations.empty() && resonators.empty() && loads.empty() && drives.empty();
    }
};

}  // namespace beadwave::packing
