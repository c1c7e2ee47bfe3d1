// A packing and its engine as a System: what is recorded of a packing, and when a run cannot
// continue.
#pragma once

#include "beadwave/running/simulation.hpp"
#include "laws/wear.hpp"
#include "observers/sensor_recorder.hpp"
#include "packing/packing_engine.hpp"
#include "packing/plain_engine_alone.hpp"
#include "packing_system/dissipation_streams.hpp"
#include "packing_system/fields.hpp"
#include "packing_system/flow_streams.hpp"
#include "packing_system/heat_streams.hpp"
#include "packing_system/impact_records.hpp"
#include "packing_system/meeting_speed.hpp"
#include "packing_system/packing_observables.hpp"
#include "packing_system/piston_stress.hpp"
#include "packing_system/wear_stream.hpp"
#include "recording/schedule.hpp"
#include "recording/stream.hpp"
#include "running/broken_bonds.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::running {

/// The settings of a run; those that only packings have are behind.
struct PackingSettings : Settings {
    PackingSettings(const Settings& settings = {}) : Settings(settings) {}

    std::optional<packing::FieldGrid> field_grid{};  ///< of the measures; none: no fields
    bool impacts = false;                            ///< a row for each
    std::optional<laws::Wear> wear{};                ///< of the walls
    bool heat = false;                               ///< the packing has Packing::heat

    /// Finnie's law needs them, also where they are not recorded.
    bool watches_impacts() const { return impacts || (wear && wear->law == laws::WearLaw::finnie); }
    /// Impacts, triangles and heat are known to it alone.
    bool needs_plain_engine() const { return packing::plain_engine_alone_for(*this).has_value(); }
};

struct PackingResult : RunEnd {
    packing::Vec3 initial_momentum, momentum;                  ///< [kg m/s]
    packing::Vec3 initial_angular_momentum, angular_momentum;  ///< about the origin [kg m^2/s]
    packing::StabilityLimits stability_limits;                 ///< the largest during the run
    std::size_t listed_pairs;                                  ///< at the end
    std::size_t closed_contacts;                               ///< at the end
    std::string device;                                        ///< see PackingEngine::device
    std::int64_t neighbour_list_builds;  ///< see PackingEngine::neighbour_list_builds
    MeetingSpeed fastest;                ///< of the samples of the energy
    packing::DeepContact deepest;        ///< of all steps; those below large_depth do not count
    observers::EndMeasures measures;     ///< at the end
    /// At the end, of all contacts; only if the settings ask for it.
    std::optional<packing::DissipationParts> dissipation{};
    std::optional<ImpactResults> impacts{};  ///< at the end; only if the settings ask for them
    std::vector<double> worn{};              ///< of each wall, at the end; only if asked for [m^3]
    std::optional<HeatResult> heat{};        ///< at the end; only if the settings ask for it
    double overlap_rounding;                 ///< see PackingEngine::overlap_rounding
    std::int64_t uncertain_normals = 0;      ///< see PackingEngine::uncertain_normals
    std::int64_t flat_contacts = 0;          ///< see PackingEngine::flat_contacts
    FlowCounts flow;                         ///< at the end; all 0 if no particle can come or leave
    std::vector<std::string> flow_warnings;
    std::vector<PistonStress> pistons{};
    std::optional<packing::RigidReport> rigid{};  ///< none: the contacts are not rigid
};

class SteppedPacking : public System {
  public:
    /// `packing` must outlive it. `ranks`: that share it, and have made the engine together.
    SteppedPacking(const packing::Packing& packing, const PackingSettings& settings,
                   const stepping::TimeStep& time_step,
                   std::unique_ptr<packing::PackingEngine> engine,
                   ranks::Communicator* ranks = nullptr);

    const packing::PackingEngine& engine() const { return *engine_; }
    /// The interval of the samples of the ledger [s], if the settings give none.
    double standard_energy_interval() const;
    /// The results of a run that ended.
    PackingResult result(RunEnd end) const;

    std::size_t bodies() const override { return packing_.particles(); }
    int threads() const override { return engine_->threads(); }
    std::int64_t step() const override { return engine_->step(); }
    recording::Description description() const override;
    OwnPart own_part() const override;

    observers::SensorRecorder& sensors() override { return sensors_; }
    std::span<const double> sensor_force() const override;
    std::span<const double> sensor_velocity() const override;
    void sample_sensors() override { engine_->sample(trace_); }
    void advance(std::int64_t steps) override { engine_->advance(steps, trace_); }
    std::int64_t last_of_block(std::int64_t first) const override;
    void check_state() override;
    void take_snapshot(double time) override;
    void take_measures() override;
    const recording::Ledger& take_energy(double scale) override;
    const recording::Ledger& ledger() const override { return ledger_; }
    void serialize(Archive& archive) override;

    std::uint64_t fingerprint() const override;
    std::string another() const override {
        return "another packing: its particles, walls, box or laws are different";
    }
    std::vector<SavedColumn> state() override;
    void restore(std::int64_t step, const ReadColumn& read) override;

  private:
    recording::Table contact_table() const;
    void check_depth();
    /// A box that became so narrow that a particle would meet its own image.
    void check_box() const;
    recording::Fill edges_of(const packing::BoxState& box) const;
    void add_straining_box(recording::Description& all) const;
    // See stepped_packing_description.cpp.
    void add_constants(recording::Description& all) const;
    /// Radii, semi-axes and moments of inertia.
    void add_sizes(recording::Description& all) const;
    void add_snapshots(recording::Description& all) const;
    void add_triangles(recording::Description& all) const;
    void add_measures(recording::Description& all) const;
    /// The energy does not balance: the step is too long for the motion, or a law makes energy.
    bool loses_energy() const;
    void watch_limits();
    void check_limits() const;
    /// A step in which conduction is not stable or, if it was chosen, not exact.
    void check_heat() const;

    bool flows() const { return engine_->population().changes(); }

    const packing::Packing& packing_;
    std::unique_ptr<packing::PackingEngine> engine_;
    ranks::Communicator* ranks_;
    observers::SensorRecorder sensors_;
    packing::ParticleTrace trace_;
    recording::Schedule limit_checks_;
    packing::PackingTotals start_;
    recording::Ledger ledger_;
    observers::Observed<observers::PackingState> observed_{observers::packing_observables()};
    observers::Observed<observers::MeasuredState> measured_{
        observers::packing_measures(), !packing_.elements.bonds.empty(), packing_.has_shapes()};
    observers::WallMeasures wall_measures_;
    std::unique_ptr<observers::Fields> fields_;  // null: none
    packing::StabilityLimits limits_;
    packing::DeepContact deepest_;
    MeetingSpeeds meetings_{packing_};
    MeetingSpeed fastest_;
    double smallest_radius_;
    bool records_impacts_, watches_impacts_;
    std::optional<laws::Wear> wear_;  ///< of the walls
    packing::TriangleNumbers triangles_;

    /// The last snapshot; with ranks motion and contacts of
    /// PackingEngine::own_numbers().
    struct Snapshot {
        std::vector<packing::Vec3> displacement, velocity, angular_velocity;
        std::vector<shapes::Quaternion> orientation;  // empty: spheres
        std::vector<packing::ContactState> contacts;
        std::vector<packing::WallMotion> walls;
        packing::BoxState box;
        DissipationSnapshot dissipation;
        std::vector<double> temperature;                       // empty: not followed
        std::vector<double> triangle_dissipation, worn_depth;  // empty: not wanted
    } snapshot_;
    packing::BoxState box_;  ///< at the last sample of the energy
    PistonStresses pistons_;
    std::vector<packing::Vec3> drive_forces_;   ///< at the last sample of the energy [N]
    std::vector<packing::Vec3> drive_torques_;  ///< at the last sample of the energy [N m]
    BrokenBonds broken_bonds_;
    Passages passages_;
    ImpactRecords impacts_;
    HeatSample heat_;
    std::vector<double> worn_;  ///< volume of each wall at the last sample of the energy [m^3]
};

}  // namespace beadwave::running
