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

/// Angles about x, y and z over time [rad].
struct RotationPlan {
    std::array<stepping::Drive, 3> angles{
        stepping::Drive::steady(0.0), stepping::Drive::steady(0.0), stepping::Drive::steady(0.0)};
};

struct DrivePlan {
    Selection particles;
    std::array<stepping::Drive, 3> along{stepping::Drive::steady(0.0), stepping::Drive::steady(0.0),
                                         stepping::Drive::steady(0.0)};
    std::array<bool, 3> axes{true, true, true};  ///< that are prescribed
    bool rotates = false;
    std::optional<RotationPlan> rotation{};
};

/// Cement between particles that touch, or nearly touch, at the start.
struct BondPlan {
    std::optional<std::array<std::int64_t, 2>>
        groups{};           ///< numbers of two [[particles]]; none: all
    double distance = 0.0;  ///< between the surfaces at most [m]; 0: they touch
    double radius_factor = 1.0, youngs_modulus = 0.0, stiffness_ratio = 1.0;
    std::optional<double> tensile_strength{}, shear_strength{};  ///< [Pa]; none: no limit
};

struct ElementPlans {
    std::vector<FoundationPlan> foundations{};
    std::vector<ResonatorPlan> resonators{};
    std::vector<LoadedPlan> loads{};
    std::vector<DrivePlan> drives{};
    std::vector<BondPlan> bonds{};

    bool empty() const {
        return foundations.empty() && resonators.empty() && loads.empty() && drives.empty() &&
               bonds.empty();
    }
};

}  // namespace beadwave::packing
