// What a history holds of a packing.

#include "packing/build/particle_shapes.hpp"
#include "packing_system/carried_streams.hpp"
#include "packing_system/numbers_of.hpp"
#include "packing_system/put_vector.hpp"
#include "packing_system/stepped_packing.hpp"
#include "packing_system/wall_constants.hpp"
#include "recording/energy_stream.hpp"
#include "running/sample_counts.hpp"

#include <algorithm>

namespace beadwave::running {
namespace {

using packing::ContactState;
using packing::Vec3;
using recording::Channel;
using recording::Fill;
using recording::Pace;

/// Copies the vectors that `get` returns, of which the first has the number
/// `begin`.
template <class Get>
Fill vectors_from(Get get, std::size_t begin = 0) {
    return [get, begin](std::size_t first, std::span<double> out) {
        std::ranges::copy(numbers_of(get()).subspan(3 * (first - begin), out.size()), out.begin());
    };
}

template <class Get>
Fill copy_of(Get get) {
    return [get](std::size_t first, std::span<double> out) {
        std::ranges::copy(get().subspan(3 * first, out.size()), out.begin());
    };
}

}  // namespace

recording::Table SteppedPacking::contact_table() const {
    recording::Table table{.path = "connectivity/contacts",
                           .name = "contacts",
                           .pace = Pace::snapshots,
                           .chunk = 4096,
                           .columns = {},
                           .rows = [this] { return snapshot_.contacts.size(); },
                           .expected_rows = engine_->closed_contacts(),
                           .shared = ranks_ != nullptr};
    const auto add = [&](const char* name, const char* unit, std::size_t width, auto put,
                         bool whole = false) {
        table.columns.push_back(
            {name, unit, width, whole, [this, width, put](std::size_t first, auto out) {
                 for (std::size_t i = 0; i < out.size() / width; ++i)
                     put(snapshot_.contacts[first + i], out.subspan(width * i, width));
             }});
    };
    using Row = std::span<double>;
    add(
        "pair", "", 2,
        [](const ContactState& c, Row out) {
            out[0] = static_cast<double>(c.first), out[1] = static_cast<double>(c.second);
        },
        true);
    add("overlap", "m", 1, [](const ContactState& c, Row out) { out[0] = c.overlap; });
    const std::size_t begin = engine_->own_numbers().begin;
    add("point", "m", 3, [this, begin](const ContactState& c, Row out) {
        observers::put_vector(
            (packing_.position[c.first] + snapshot_.displacement[c.first - begin]) + c.point, out);
    });
    add("normal_force", "N", 3,
        [](const ContactState& c, Row out) { observers::put_vector(c.normal_force, out); });
    add("tangential_force", "N", 3,
        [](const ContactState& c, Row out) { observers::put_vector(c.tangential_force, out); });
    return table;
}

void SteppedPacking::add_sizes(recording::Description& all) const {
    const std::size_t particles = packing_.particles();
    const auto add = [&](const char* name, const char* unit, std::vector<std::size_t> shape,
                         auto numbers, bool by_parts = false) {
        const bool shared = by_parts && ranks_ != nullptr;
        all.constants.push_back({"particles/all/" + std::string(name), name, unit, std::move(shape),
                                 std::move(numbers), shared});
    };
    const auto column = [&](const packing::ParticleColumn<double>& of) {
        return std::function([&of, first = all.own_first, end = all.own_end] {
            std::vector<double> own(end - first);
            for (std::size_t i = first; i < end; ++i)
                own[i - first] = of[i];
            return own;
        });
    };
    add("radius", "m", {particles}, column(packing_.radius), true);
    add("mass", "kg", {particles}, column(packing_.mass), true);
    if (!packing_.has_shapes()) {
        return add("inertia", "kg m2", {particles}, column(packing_.inertia), true);
    }
    std::vector<Vec3> moments;
    for (std::size_t i = 0; i < particles; ++i)
        moments.push_back(principal_moments(packing_, i));
    const auto numbers = numbers_of(std::span<const Vec3>(moments));
    add("inertia", "kg m2", {particles, 3}, all.keep({numbers.begin(), numbers.end()}));
    add("semi_axes", "m", {particles, 3}, numbers_of(std::span<const Vec3>(packing_.semi_axes)));
    if (!packing_.exponents.empty()) {
        std::vector<double> exponents;
        for (const shapes::Exponents& e : packing_.exponents)
            exponents.insert(exponents.end(), {e.plane, e.axis});
        add("exponents", "1", {particles, 2}, all.keep(std::move(exponents)));
    }
    if (packing_.clumps.empty()) return;
    std::vector<double> spheres, of, axes;
    for (std::size_t i = 0; i < particles; ++i) {
        const shapes::Clump whole{};
        const shapes::Clump& clump = packing_.is_clump(i) ? *packing_.clumps[i] : whole;
        for (const shapes::Ball& ball : clump.balls) {
            const Vec3& c = ball.centre;
            spheres.insert(spheres.end(), {c.x, c.y, c.z, ball.radius});
            of.push_back(static_cast<double>(i));
        }
        const shapes::Quaternion& q = clump.axes;
        axes.insert(axes.end(), {q.w, q.x, q.y, q.z});
    }
    const std::size_t count = of.size();
    add("clump_spheres", "m", {count, 4}, all.keep(std::move(spheres)));
    add("clump_particle", "1", {count}, all.keep(std::move(of)));
    add("clump_axes", "1", {particles, 4}, all.keep(std::move(axes)));
}

void SteppedPacking::add_constants(recording::Description& all) const {
    const std::size_t particles = packing_.particles();
    const std::string bodies = "particles/all/";
    add_sizes(all);
    const std::function start = [&position = packing_.position] {
        std::vector<double> numbers;
        numbers.reserve(3 * position.size());
        for (const Vec3& p : position)
            numbers.insert(numbers.end(), {p.x, p.y, p.z});
        return numbers;
    };
    all.constants.push_back({"", "start", "m", {particles, 3}, start});
    const bool shared = ranks_ != nullptr;
    all.constants.push_back(
        {bodies + "id", "", "", {particles}, recording::Numbering{particles}, shared});
    std::vector<std::string> names;
    for (const packing::Species& species : packing_.species_list)
        names.push_back(species.name);
    const auto species = [&packing = packing_, first = all.own_first](std::size_t i) {
        return static_cast<int>(packing.species[first + i]);
    };
    all.constants.push_back({bodies + "species",
                             "",
                             "",
                             {particles},
                             recording::Named{names, species, all.own_end - all.own_first},
                             shared});
    all.constants.push_back({"parameters/dimension", "", "", {}, std::int64_t{packing_.dimension}});
    const auto vectors = [&](const std::string& path, const char* unit, std::vector<Vec3> given,
                             std::vector<std::size_t> shape) {
        const auto numbers = numbers_of(std::span<const Vec3>(given));
        all.constants.push_back(
            {path, "", unit, std::move(shape), all.keep({numbers.begin(), numbers.end()})});
    };
    const packing::Box& box = packing_.box;
    const Vec3 edges = box.upper - box.lower;
    // With snapshots H5MD wants one matrix of edges per snapshot.
    if (box.repeats() && !settings_.snapshot_interval)
        vectors(bodies + "box/edges", "m", {edges}, {3});
    if (box.repeats()) vectors(bodies + "box/lower", "m", {box.lower}, {3});
    add_walls(all, packing_.walls, packing_.box);
}

void SteppedPacking::add_snapshots(recording::Description& all) const {
    const std::string bodies = "particles/all/";
    const std::size_t particles = packing_.particles(), walls = packing_.walls.size();
    const packing::Box& box = packing_.box;
    const Vec3 edges = box.upper - box.lower;
    const Fill add_start = [&position = packing_.position](std::size_t first, auto out) {
        for (std::size_t i = 0; i < out.size() / 3; ++i) {
            const Vec3 start = position[first + i];
            out[3 * i] = start.x + out[3 * i];
            out[3 * i + 1] = start.y + out[3 * i + 1];
            out[3 * i + 2] = start.z + out[3 * i + 2];
        }
    };
    const auto of = [&](std::vector<Vec3> Snapshot::*part) {
        return vectors_from([this, part] { return std::span<const Vec3>(snapshot_.*part); },
                            all.own_first);
    };
    const std::vector<std::size_t> shape{particles, 3};
    all.streams.push_back(
        {Pace::snapshots,
         "snapshot",
         {{bodies + "position", "m", shape, {}, false, Channel::Sum{2, add_start}},
          {bodies + "velocity", "m s-1", shape, of(&Snapshot::velocity)},
          {bodies + "displacement", "m", shape, of(&Snapshot::displacement)},
          {bodies + "angular_velocity", "rad s-1", shape, of(&Snapshot::angular_velocity)}},
         ranks_ != nullptr});
    if (packing_.has_shapes()) {
        const Fill orientation = copy_of([this] {
            return numbers_of(std::span<const shapes::Quaternion>(snapshot_.orientation));
        });
        all.streams.push_back(
            {Pace::snapshots, "", {{bodies + "orientation", "1", {particles, 4}, orientation}}});
    }
    if (box.repeats()) {
        Fill matrix = [edges](std::size_t first, std::span<double> out) {
            const double diagonal[] = {edges.x, edges.y, edges.z};
            for (std::size_t i = 0; i < out.size(); ++i)
                out[i] = i % 4 == 0 ? diagonal[first + i / 4] : 0.0;
        };
        if (box.strain) matrix = edges_of(snapshot_.box);
        all.streams.push_back({Pace::snapshots, "", {{bodies + "box/edges", "m", {3, 3}, matrix}}});
    }
    if (walls > 0) {
        const Fill moved = [this](std::size_t first, std::span<double> out) {
            for (std::size_t i = 0; i < out.size() / 3; ++i) {
                const Vec3 u = snapshot_.walls[first + i].displacement;
                out[3 * i] = u.x, out[3 * i + 1] = u.y, out[3 * i + 2] = u.z;
            }
        };
        all.streams.push_back(
            {Pace::snapshots, "", {{"observables/wall_displacement", "m", {walls, 3}, moved}}});
    }
    all.tables.push_back(contact_table());
    add_dissipation(all, settings_.dissipation, snapshot_.dissipation, particles, walls);
    add_triangles(all);
}

void SteppedPacking::add_triangles(recording::Description& all) const {
    const std::size_t count = triangles_.count();
    if (settings_.dissipation.triangles) {
        all.streams.push_back(triangle_stream("observables/triangle_dissipation", "J",
                                              snapshot_.triangle_dissipation, count));
    }
    if (wear_ && wear_->per == laws::WearOf::triangle)
        all.streams.push_back(
            triangle_stream("observables/triangle_wear", "m", snapshot_.worn_depth, count));
}

void SteppedPacking::add_measures(recording::Description& all) const {
    const std::size_t walls = packing_.walls.size();
    all.streams.push_back({Pace::measures, "measure", measured_.channels(packing_.dimension == 2)});
    const auto of = [&](std::vector<Vec3> observers::WallMeasures::*part) {
        return vectors_from([this, part] { return std::span<const Vec3>(wall_measures_.*part); });
    };
    using observers::WallMeasures;
    if (walls > 0) {
        all.streams.push_back(
            {Pace::measures,
             "",
             {{"observables/wall_position", "m", {walls, 3}, of(&WallMeasures::position)},
              {"observables/wall_velocity", "m s-1", {walls, 3}, of(&WallMeasures::velocity)},
              {"observables/wall_force", "N", {walls, 3}, of(&WallMeasures::force)}}});
    }
    if (fields_) all.streams.push_back({Pace::measures, "", fields_->channels()});
}

recording::Description SteppedPacking::description() const {
    recording::Description all{
        .system = "packing", .bodies = "particles/all", .periodic = packing_.box.periodic};
    all.ranks = ranks_;
    const std::size_t particles = packing_.particles();
    const packing::NumberRange own = engine_->own_numbers();
    all.own_first = own.begin, all.own_end = own.end, all.total = particles;
    all.counts = sample_counts(settings_, time_step_);
    add_constants(all);
    all.sensors = settings_.sensors;
    all.sensor_bodies = "particles";
    if (const std::size_t count = all.sensors.size(); count > 0) {
        const Fill force = copy_of([this] { return sensors_.force(); });
        const Fill velocity = copy_of([this] { return sensors_.velocity(); });
        all.streams.push_back({Pace::sensors,
                               "sensor",
                               {{"observables/net_contact_force", "N", {count, 3}, force},
                                {"observables/sensor_velocity", "m s-1", {count, 3}, velocity}}});
    }
    if (settings_.snapshot_interval) add_snapshots(all);
    all.streams.push_back(
        recording::energy_stream(recording::SystemKind::packing, Pace::energy, ledger_));
    all.streams.push_back({Pace::energy, "", observed_.channels()});
    if (packing_.box.strain) add_straining_box(all);
    add_carried(all, packing_, *engine_, drive_forces_, drive_torques_,
                settings_.snapshot_interval.has_value());
    if (!packing_.elements.bonds.empty())
        all.tables.push_back(broken_bonds_.table("pair", 2, time_step_.step));
    if (flows())
        passages_.describe(all, packing_, *engine_, settings_.snapshot_interval.has_value());
    if (records_impacts_) impacts_.describe(all, particles);
    if (wear_) all.streams.push_back(wear_stream(worn_, packing_.walls.size()));
    if (packing_.heat) {
        add_heat(all, settings_.snapshot_interval ? &snapshot_.temperature : nullptr, heat_,
                 particles, packing_.walls.size());
    }
    if (settings_.measure_interval) add_measures(all);
    return all;
}

}  // namespace beadwave::running
