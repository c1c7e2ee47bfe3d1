#include "io/history/mechanism_history.hpp"

#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/history_parts.hpp"
#include "io/history/history_writer.hpp"
#include "io/history/mechanism_impacts.hpp"
#include "mechanism/contact_point.hpp"
#include "mechanism/simulate.hpp"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <utility>

namespace beadwave::io {
namespace {

using mechanism::BodyState;
using mechanism::ContactSample;
using mechanism::Impact;
using mechanism::Ledger;
using mechanism::Sample;

/// A vector of the plane as one of space, one per item.
template <typename Items>
auto vectors(const Items& items, mechanism::Vector BodyState::*part) {
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

auto journal_displacements(const std::vector<ContactSample>& points) {
    return [&points](std::size_t first, std::span<double> out) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = points[first + i / 2].journal_displacement[i % 2];
    };
}

std::vector<std::string> point_names(const mechanism::Mechanism& mechanism) {
    std::vector<std::string> names;
    for (const mechanism::ContactPoint& point : mechanism::contact_points_of(mechanism))
        names.push_back(contact_point_name(
            mechanism, {.contact = point.contact, .corner = point.corner, .impacts = {}}));
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

void write_contact_points(const hdf5::Group& observables, const mechanism::Mechanism& mechanism,
                          const std::vector<std::string>& names) {
    hdf5::write_texts(observables.id(), "contacts", names);
    std::vector<double> clearances;
    for (const mechanism::ContactPoint& point : mechanism::contact_points_of(mechanism)) {
        const bool journal = point.kind == mechanism::ContactPoint::Kind::journal;
        clearances.push_back(journal ? point.contact_distance : 0.0);
    }
    h5md::set_unit(hdf5::write_vector<double>(observables.id(), "clearance", clearances), "m");
}

}  // namespace

std::string contact_point_name(const mechanism::Mechanism& mechanism,
                               const mechanism::ContactImpacts& of) {
    const mechanism::Contact& contact = mechanism.contacts[of.contact];
    if (!std::holds_alternative<mechanism::Prismatic>(contact.geometry)) return contact.name;
    return fmt::format("{}, corner {}", contact.name, of.corner);
}

struct MechanismHistory::Datasets : HistoryWriter {
    Datasets(const Output& output, const mechanism::Mechanism& mechanism)
        : HistoryWriter(output),
          bodies_count(mechanism.bodies.size()),
          points(point_names(mechanism)) {}
    Datasets(const Output& output, const ResumePoint& earlier,
             const mechanism::Mechanism& mechanism)
        : HistoryWriter(output, earlier),
          bodies_count(mechanism.bodies.size()),
          points(point_names(mechanism)) {}

    hsize_t bodies_count;
    std::vector<std::string> points;
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
        HistoryWriter::flush_series();
    }
    void append_impact(std::size_t point, const Impact& impact) {
        guarded([&] { impacts->append(point, impact); });
        unflushed = true;
    }
};

void MechanismHistory::Datasets::make_series(h5md::Element kind) {
    using Quantities = std::vector<h5md::Quantity>;
    const hsize_t count = bodies_count, point_count = points.size();
    bodies.emplace(hdf5::open_group(file.id(), "particles/all").id(),
                   Quantities{{"position", "m", {count, 3}},
                              {"velocity", "m s-1", {count, 3}},
                              {"acceleration", "m s-2", {count, 3}},
                              {"angle", "rad", {count}},
                              {"angular_velocity", "rad s-1", {count}},
                              {"angular_acceleration", "rad s-2", {count}}},
                   kind);
    const hdf5::Group observables = hdf5::open_group(file.id(), "observables");
    Quantities energies;
    for (const MechanismLedgerColumn& column : mechanism_ledger_columns)
        energies.push_back({std::string(column.name), column.unit, {}});
    energy.emplace(observables.id(), energies, kind);
    impacts.emplace(hdf5::open_group(file.id(), "impacts").id(), points, kind);
    if (point_count == 0) return;
    contacts.emplace(observables.id(),
                     Quantities{{"overlap", "m", {point_count}},
                                {"approach_speed", "m s-1", {point_count}},
                                {"contact_force", "N", {point_count}},
                                {"friction_force", "N", {point_count}},
                                {"journal_displacement", "m", {point_count, 2}}},
                     kind);
}

MechanismHistory::Datasets& MechanismHistory::opened() const {
    return static_cast<Datasets&>(SwmrHistory::opened());
}

MechanismHistory::MechanismHistory(const Output& output, const ReadMechanism& read)
    : SwmrHistory(std::make_unique<Datasets>(output, read.mechanism)) {
    Datasets& data = opened();
    const auto make = [&] {
        const mechanism::Mechanism& mechanism = read.mechanism;
        {
            const hdf5::Group parameters = write_run(data.file,
                                                     {.scenario_text = read.text,
                                                      .law = read.laws,
                                                      .time_step = mechanism.interval,
                                                      .threads = 1,
                                                      .file_texts = read.file_texts,
                                                      .steps = mechanism::samples_of(mechanism)},
                                                     "mechanism");
            hdf5::write_scalar(parameters.id(), "accuracy", mechanism.accuracy);
            h5md::set_unit(hdf5::write_scalar(parameters.id(), "end_time", mechanism.end), "s");
        }
        const hdf5::Group particles = hdf5::create_group(data.file.id(), "particles");
        write_bodies(hdf5::create_group(particles.id(), "all"), mechanism);
        const hdf5::Group observables = hdf5::create_group(data.file.id(), "observables");
        hdf5::create_group(data.file.id(), "impacts");
        if (!data.points.empty()) write_contact_points(observables, mechanism, data.points);
        data.make_series(h5md::Element::made);
        data.close_series();
    };
    data.begin(make, [&] { data.make_series(h5md::Element::continued); });
}

MechanismHistory::MechanismHistory(const Output& output, const ReadMechanism& read,
                                   const ResumePoint& earlier)
    : SwmrHistory(std::make_unique<Datasets>(output, earlier, read.mechanism)) {
    Datasets& data = opened();
    data.resume_from(earlier, [&] { data.make_series(h5md::Element::continued); });
}

void MechanismHistory::append(std::int64_t number, const Sample& sample) {
    Datasets& data = opened();
    const auto& bodies = sample.bodies;
    data.append(*data.bodies, number, sample.time, vectors(bodies, &BodyState::centre),
                vectors(bodies, &BodyState::velocity), vectors(bodies, &BodyState::acceleration),
                numbers(bodies, &BodyState::angle), numbers(bodies, &BodyState::angular_velocity),
                numbers(bodies, &BodyState::angular_acceleration));
    std::vector<double> energies;
    for (const MechanismLedgerColumn& column : mechanism_ledger_columns)
        energies.push_back(sample.ledger.*column.part);
    data.append_numbers(*data.energy, number, sample.time, energies);
    if (!data.contacts) return;
    const auto& points = sample.contact_points;
    data.append(*data.contacts, number, sample.time, numbers(points, &ContactSample::overlap),
                numbers(points, &ContactSample::approach_speed),
                numbers(points, &ContactSample::force), numbers(points, &ContactSample::friction),
                journal_displacements(points));
}

void MechanismHistory::append_impact(std::size_t point, const Impact& impact) {
    opened().append_impact(point, impact);
}

double MechanismHistory::bytes_of(double samples) const {
    const Datasets& data = opened();
    return samples * bytes_per_sample(data.bodies, data.energy, data.contacts);
}

}  // namespace beadwave::io
