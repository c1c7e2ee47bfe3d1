#include "io/history/mechanism_history.hpp"

#include "beadwave/input_error.hpp"
#include "io/files/error_words.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/growing_file.hpp"
#include "io/history/h5md.hpp"
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

struct LedgerColumn {
    std::string_view name;
    double Ledger::*part;
};
constexpr LedgerColumn ledger_columns[] = {
    {"kinetic_energy", &Ledger::kinetic},   {"potential_energy", &Ledger::potential},
    {"stored_energy", &Ledger::stored},     {"dissipated_energy", &Ledger::dissipated},
    {"friction_energy", &Ledger::friction}, {"work", &Ledger::work},
    {"residual", &Ledger::residual}};

struct ImpactColumn {
    std::string_view name, unit;
    double Impact::*part;
};
constexpr ImpactColumn impact_columns[] = {{"start", "s", &Impact::start},
                                           {"end", "s", &Impact::end},
                                           {"closing_speed", "m s-1", &Impact::closing_speed},
                                           {"leaving_speed", "m s-1", &Impact::leaving_speed},
                                           {"peak_force", "N", &Impact::peak_force},
                                           {"peak_time", "s", &Impact::peak_time},
                                           {"largest_overlap", "m", &Impact::largest_overlap},
                                           {"dissipated", "J", &Impact::dissipated},
                                           {"effective_mass", "kg", &Impact::mass}};

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

}  // namespace

std::string spot_name(const mechanism::Mechanism& mechanism, const mechanism::SpotRecord& record) {
    const mechanism::Contact& contact = mechanism.contacts[record.contact];
    if (!std::holds_alternative<mechanism::Guide>(contact.geometry)) return contact.name;
    return fmt::format("{}, corner {}", contact.name, record.corner);
}

struct MechanismHistory::File {
    explicit File(const Output& output) : name(output.path.string()), place(output) {}

    /// Runs `action`, naming the file in its error. After one failure nothing is tried again.
    template <typename Action>
    void guarded(const Action& action) {
        try {
            action();
        } catch (const std::exception& error) {
            bodies.reset();
            contacts.reset();
            energy.reset();
            hdf5::abandon(file);
            throw WriteError(name + ": " + words_of(error));
        }
    }

    std::string name;
    GrowingFile place;  // before the file: it must be let go after it
    hdf5::File file;    // before the series: it must close after them
    std::optional<h5md::Series> bodies, contacts, energy;
    std::vector<std::string> spots;
    std::int64_t samples = 0;
};

MechanismHistory::MechanismHistory(const Output& output, const ReadMechanism& read)
    : file_(std::make_unique<File>(output)) {
    File& f = *file_;
    f.guarded([&] {
        f.file = hdf5::create_file(f.place.path());
        h5md::write_metadata(f.file);
        const hdf5::Group parameters = hdf5::create_group(f.file.id(), "parameters");
        hdf5::write_text(parameters.id(), "scenario", read.text);
        hdf5::write_text(parameters.id(), "version", BEADWAVE_VERSION);
        hdf5::write_text(parameters.id(), "law", read.laws);
        hdf5::write_scalar(parameters.id(), "accuracy", read.mechanism.accuracy);
        if (!read.file_texts.empty()) {
            const hdf5::Group files = hdf5::create_group(parameters.id(), "files");
            for (const auto& [key, text] : read.file_texts)
                hdf5::write_text(files.id(), key, text);
        }
        const hdf5::Group particles = hdf5::create_group(f.file.id(), "particles");
        const hdf5::Group bodies = hdf5::create_group(particles.id(), "bodies");
        write_bodies(bodies, read.mechanism);
        const hsize_t count = read.mechanism.bodies.size();
        f.bodies.emplace(bodies.id(),
                         std::vector<h5md::Quantity>{{"position", "m", {count, 3}},
                                                     {"velocity", "m s-1", {count, 3}},
                                                     {"acceleration", "m s-2", {count, 3}},
                                                     {"angle", "rad", {count}},
                                                     {"spin", "rad s-1", {count}},
                                                     {"spin_acceleration", "rad s-2", {count}}},
                         h5md::Element::made);
        const hdf5::Group observables = hdf5::create_group(f.file.id(), "observables");
        std::vector<h5md::Quantity> energies;
        for (const LedgerColumn& column : ledger_columns)
            energies.push_back({std::string(column.name), "J", {}});
        f.energy.emplace(observables.id(), energies, h5md::Element::made);
        f.spots = spot_names(read.mechanism);
        const hsize_t spots = f.spots.size();
        hdf5::flush(f.file);  // by which it is known as a history if its process is killed
        if (spots == 0) return;
        hdf5::write_texts(observables.id(), "contacts", f.spots);
        std::vector<double> clearances;
        for (const mechanism::Spot& spot : mechanism::spots_of(read.mechanism)) {
            const bool journal = spot.kind == mechanism::Spot::Kind::journal;
            clearances.push_back(journal ? spot.reach : 0.0);
        }
        h5md::set_unit(hdf5::write_vector<double>(observables.id(), "clearance", clearances), "m");
        f.contacts.emplace(observables.id(),
                           std::vector<h5md::Quantity>{{"overlap", "m", {spots}},
                                                       {"approach_speed", "m s-1", {spots}},
                                                       {"contact_force", "N", {spots}},
                                                       {"friction_force", "N", {spots}},
                                                       {"eccentricity", "m", {spots, 2}}},
                           h5md::Element::made);
    });
}

MechanismHistory::~MechanismHistory() = default;

bool MechanismHistory::lost() const {
    return file_->place.lost();
}

void MechanismHistory::append(const Moment& moment) {
    File& f = *file_;
    f.guarded([&] {
        const std::int64_t step = f.samples++;
        const auto& bodies = moment.bodies;
        f.bodies->append(step, moment.time, vectors(bodies, &BodyMotion::centre),
                         vectors(bodies, &BodyMotion::velocity),
                         vectors(bodies, &BodyMotion::acceleration),
                         numbers(bodies, &BodyMotion::angle), numbers(bodies, &BodyMotion::spin),
                         numbers(bodies, &BodyMotion::spin_acceleration));
        const auto just = [](double number) {
            return [number](std::size_t, std::span<double> out) { out[0] = number; };
        };
        [&]<std::size_t... k>(std::index_sequence<k...>) {
            f.energy->append(step, moment.time, just(moment.ledger.*ledger_columns[k].part)...);
        }
        (std::make_index_sequence<std::size(ledger_columns)>{});
        if (!f.contacts) return;
        const auto& spots = moment.spots;
        f.contacts->append(step, moment.time, numbers(spots, &SpotMoment::overlap),
                           numbers(spots, &SpotMoment::approach),
                           numbers(spots, &SpotMoment::force),
                           numbers(spots, &SpotMoment::friction), offsets(spots));
    });
}

void MechanismHistory::close(const mechanism::Result& result) {
    File& f = *file_;
    f.guarded([&] {
        for (auto* series : {&f.bodies, &f.energy, &f.contacts}) {
            if (*series) (*series)->write();
            series->reset();
        }
        const hdf5::Group impacts = hdf5::create_group(f.file.id(), "impacts");
        for (std::size_t i = 0; i < result.spots.size(); ++i) {
            const hdf5::Group spot = hdf5::create_group(impacts.id(), std::to_string(i));
            hdf5::set_attribute(spot.id(), "contact", shortened(f.spots[i], 4000));
            for (const ImpactColumn& column : impact_columns) {
                std::vector<double> values;
                for (const Impact& impact : result.spots[i].impacts)
                    values.push_back(impact.*column.part);
                h5md::set_unit(hdf5::write_vector<double>(spot.id(), std::string(column.name),
                                                          std::span<const double>(values)),
                               std::string(column.unit));
            }
        }
        const hdf5::Group parameters = hdf5::open_group(f.file.id(), "parameters");
        hdf5::write_scalar(parameters.id(), "steps", result.steps);
        hdf5::close(f.file);
    });
    f.place.publish();
}

}  // namespace beadwave::io
