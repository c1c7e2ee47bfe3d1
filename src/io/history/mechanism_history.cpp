#include "io/history/mechanism_history.hpp"

#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/history_parts.hpp"
#include "io/history/mechanism_impacts.hpp"
#include "io/history/open_history.hpp"
#include "mechanism/simulate.hpp"
#include "mechanism/spot.hpp"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <utility>

namespace beadwave::io {
namespace {

using mechanism::BodyMotion;
using mechanism::Impact;
using mechanism::Ledger;
using mechanism::Moment;
using mechanism::SpotMoment;

/// A vector of the plane in space, one an item.
template <typename Items>
auto vectors(const Items& items, mechanism::Vector BodyMotion::*part) {
    return [&items, part](std::size_t first, std::span<double> out) {
        for (std::size_t i = 0; i < out.size() / 3; ++i) {
            const mechanism::Vector& v = items[first + i].*part;
            out[3 * i] = v[0];
            out[3 * i + 1] = v[1];
            out[3 * i + 2] = 0.0;
        }
    };
}

template <typename Item>
auto numbers(const std::vector<Item>& items, double Item::*part) {
    return [&items, part](std::size_t first, std::span<double> out) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = items[first + i].*part;
    };
}

auto offsets(const std::vector<SpotMoment>& spots) {
    return [&spots](std::size_t first, std::span<double> out) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = spots[first + i / 2].offset[i % 2];
    };
}

std::vector<std::string> spot_names(const mechanism::Mechanism& mechanism) {
    std::vector<std::string> names;
    for (const mechanism::Spot& spot : mechanism::spots_of(mechanism))
        names.push_back(
            spot_name(mechanism, {.contact = spot.contact, .corner = spot.corner, .impacts = {}}));
    return names;
}

void write_bodies(const hdf5::Group& group, const mechanism::Mechanism& mechanism) {
    const hdf5::Group box = hdf5::create_group(group.id(), "box");
    const std::vector<std::string> boundary(3, "none");
    hdf5::set_attribute(box.id(), "dimension", 3);
    hdf5::set_attribute(box.id(), "boundary", std::span<const std::string>(boundary));
    std::vector<std::int64_t> ids;
    std::vector<double> masses, inertias;
    std::vector<std::string> names;
    for (const mechanism::Body& body : mechanism.bodies) {
        ids.push_back(static_cast<std::int64_t>(ids.size()));
        masses.push_back(body.mass);
        inertias.push_back(body.inertia);
        names.push_back(body.name);
    }
    hdf5::write_vector<std::int64_t>(group.id(), "id", ids);
    h5md::set_unit(hdf5::write_vector<double>(group.id(), "mass", masses), "kg");
    h5md::set_unit(hdf5::write_vector<double>(group.id(), "inertia", inertias), "kg m2");
    hdf5::write_texts(group.id(), "name", names);
}

void write_spots(const hdf5::Group& observables, const mechanism::Mechanism& mechanism,
                 const std::vector<std::string>& names) {
    hdf5::write_texts(observables.id(), "contacts", names);
    std::vector<double> clearances;
    for (const mechanism::Spot& spot : mechanism::spots_of(mechanism)) {
        const bool journal = spot.kind == mechanism::Spot::Kind::journal;
        clearances.push_back(journal ? spot.reach : 0.0);
    }
    h5md::set_unit(hdf5::write_vector<double>(observables.id(), "clearance", clearances), "m");
}

}  // namespace

std::string spot_name(const mechanism::Mechanism& mechanism, const mechanism::SpotRecord& record) {
    const mechanism::Contact& contact = mechanism.contacts[record.contact];
    if (!std::holds_alternative<mechanism::Guide>(contact.geometry)) return contact.name;
    return fmt::format("{}, corner {}", contact.name, record.corner);
}

struct MechanismHistory::Datasets : OpenHistory {
    Datasets(const Output& output, const mechanism::Mechanism& mechanism)
        : OpenHistory(output),
          bodies_count(mechanism.bodies.size()),
          spots(spot_names(mechanism)) {}
    Datasets(const Output& output, const KeptHistory& earlier,
             const mechanism::Mechanism& mechanism)
        : OpenHistory(output, earlier),
          bodies_count(mechanism.bodies.size()),
          spots(spot_names(mechanism)) {}

    hsize_t bodies_count;
    std::vector<std::string> spots;
    std::optional<h5md::Series> bodies, contacts, energy;
    std::optional<MechanismImpacts> impacts;

    void make_series(h5md::Element kind);
    std::vector<h5md::Series*> series() override { return those_of(bodies, contacts, energy); }
    void close_series() override {
        for (auto* each : {&bodies, &contacts, &energy})
            each->reset();
        impacts.reset();
    }
    void flush_series() override {
        if (impacts) impacts->flush();
        OpenHistory::flush_series();
    }
    void append_impact(std::size_t spot, const Impact& impact) {
        guarded([&] { impacts->append(spot, impact); });
        unseen = true;
    }
};

void MechanismHistory::Datasets::make_series(h5md::Element kind) {
    using Quantities = std::vector<h5md::Quantity>;
    const hsize_t count = bodies_count, spot_count = spots.size();
    bodies.emplace(hdf5::open_group(file.id(), "particles/bodies").id(),
                   Quantities{{"position", "m", {count, 3}},
                              {"velocity", "m s-1", {count, 3}},
                              {"acceleration", "m s-2", {count, 3}},
                              {"angle", "rad", {count}},
                              {"spin", "rad s-1", {count}},
                              {"spin_acceleration", "rad s-2", {count}}},
                   kind);
    const hdf5::Group observables = hdf5::open_group(file.id(), "observables");
    Quantities energies;
    for (const MechanismLedgerColumn& column : mechanism_ledger_columns)
        energies.push_back({std::string(column.name), "J", {}});
    energy.emplace(observables.id(), energies, kind);
    impacts.emplace(hdf5::open_group(file.id(), "impacts").id(), spots, kind);
    if (spot_count == 0) return;
    contacts.emplace(observables.id(),
                     Quantities{{"overlap", "m", {spot_count}},
                                {"approach_speed", "m s-1", {spot_count}},
                                {"contact_force", "N", {spot_count}},
                                {"friction_force", "N", {spot_count}},
                                {"eccentricity", "m", {spot_count, 2}}},
                     kind);
}

MechanismHistory::Datasets& MechanismHistory::opened() const {
    return static_cast<Datasets&>(GrowingHistory::opened());
}

MechanismHistory::MechanismHistory(const Output& output, const ReadMechanism& read)
    : GrowingHistory(std::make_unique<Datasets>(output, read.mechanism)) {
    Datasets& data = opened();
    const auto make = [&] {
        const mechanism::Mechanism& mechanism = read.mechanism;
        {
            const hdf5::Group parameters =
                write_run(data.file, {.scenario_text = read.text,
                                      .law = read.laws,
                                      .time_step = mechanism.interval,
                                      .threads = 1,
                                      .file_texts = read.file_texts,
                                      .steps = mechanism::samples_of(mechanism)});
            hdf5::write_text(parameters.id(), "model", "mechanism");
            hdf5::write_scalar(parameters.id(), "accuracy", mechanism.accuracy);
            h5md::set_unit(hdf5::write_scalar(parameters.id(), "end", mechanism.end), "s");
        }
        const hdf5::Group particles = hdf5::create_group(data.file.id(), "particles");
        write_bodies(hdf5::create_group(particles.id(), "bodies"), mechanism);
        const hdf5::Group observables = hdf5::create_group(data.file.id(), "observables");
        hdf5::create_group(data.file.id(), "impacts");
        if (!data.spots.empty()) write_spots(observables, mechanism, data.spots);
        data.make_series(h5md::Element::made);
        data.close_series();
    };
    data.begin(make, [&] { data.make_series(h5md::Element::continued); });
}

MechanismHistory::MechanismHistory(const Output& output, const ReadMechanism& read,
                                   const KeptHistory& earlier)
    : GrowingHistory(std::make_unique<Datasets>(output, earlier, read.mechanism)) {
    Datasets& data = opened();
    data.go_on(earlier, [&] { data.make_series(h5md::Element::continued); });
}

void MechanismHistory::append(std::int64_t sample, const Moment& moment) {
    Datasets& data = opened();
    const auto& bodies = moment.bodies;
    data.append(*data.bodies, sample, moment.time, vectors(bodies, &BodyMotion::centre),
                vectors(bodies, &BodyMotion::velocity), vectors(bodies, &BodyMotion::acceleration),
                numbers(bodies, &BodyMotion::angle), numbers(bodies, &BodyMotion::spin),
                numbers(bodies, &BodyMotion::spin_acceleration));
    std::vector<double> energies;
    for (const MechanismLedgerColumn& column : mechanism_ledger_columns)
        energies.push_back(moment.ledger.*column.part);
    data.append_numbers(*data.energy, sample, moment.time, energies);
    if (!data.contacts) return;
    const auto& spots = moment.spots;
    data.append(*data.contacts, sample, moment.time, numbers(spots, &SpotMoment::overlap),
                numbers(spots, &SpotMoment::approach), numbers(spots, &SpotMoment::force),
                numbers(spots, &SpotMoment::friction), offsets(spots));
}

void MechanismHistory::append_impact(std::size_t spot, const Impact& impact) {
    opened().append_impact(spot, impact);
}

double MechanismHistory::bytes_of(double samples) const {
    const Datasets& data = opened();
    return samples * bytes_per_sample(data.bodies, data.energy, data.contacts);
}

}  // namespace beadwave::io
