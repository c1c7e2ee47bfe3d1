#include "subjects/gradients/objective_file.hpp"

#include "io/scenario/file_rows.hpp"
#include "io/scenario/reading.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace beadwave::io {
namespace {

using gradients::Channel;
using gradients::Objective;
using gradients::ObjectiveKind;

const Key kind_key = named(
    "kind",
    words({"trace", "peak", "impulse", "energy", "spectrum", "arrival", "transmission"}).needed());
const Key weight_key = named("weight", any_number("-"));
const Key quantity_key = named("quantity", words({"force", "velocity"}));
const Key packing_quantity_key = named("quantity", words({"force", "velocity", "position"}));
const Key axis_key = named("axis", words({"x", "y", "z"}));
const Key file_key = plain("file", Kind::file);
const Key frequency_key = named("frequency", from_zero("Hz").needed());
const Key smoothing_key = named(
    "smoothing",
    in_range({.name = "smoothing", .unit = "-", .meaning = "", .lowest = 1.0, .highest = 1000.0}));

class ObjectiveReader {
  public:
    ObjectiveReader(const scenario::Origin& origin, Reading& reading, const Observed& of)
        : origin_(origin), reading_(reading), of_(of), beads_(of.bodies), end_(of.end) {}

    Objective read(const TomlTable& table) {
        table_ = &table;
        Objective objective;
        objective.name = origin_.of(table.key(""));
        objective.kind = static_cast<ObjectiveKind>(table.need(table.word(kind_key), kind_key));
        table.allow_only(keys_of(objective.kind));
        if (const auto weight = table.number(weight_key)) objective.weight = *weight;
        if (const auto time = this->time("time")) std::tie(objective.from, objective.to) = *time;
        if (objective.kind == ObjectiveKind::energy)
            read_beads(objective);
        else
            objective.channel = channel();
        if (objective.kind == ObjectiveKind::trace) read_target(objective);
        if (objective.kind == ObjectiveKind::transmission) read_incident(objective);
        if (objective.kind == ObjectiveKind::spectrum)
            objective.frequency = table.needed_number(frequency_key);
        if (const auto smoothing = table.number(smoothing_key)) objective.smoothing = *smoothing;
        return objective;
    }

  private:
    std::vector<std::string> keys_of(ObjectiveKind kind) const {
        std::vector<std::string> keys{"kind", "weight", "time"};
        if (kind == ObjectiveKind::energy) {
            keys.emplace_back(bodies());
            return keys;
        }
        keys.insert(keys.end(), {"sensor", "quantity"});
        keys.emplace_back(of_.walls ? "axis" : "contact");
        if (of_.walls.value_or(0) > 0) keys.emplace_back("wall");
        if (kind == ObjectiveKind::trace) keys.emplace_back("file");
        if (kind == ObjectiveKind::peak) keys.emplace_back("smoothing");
        if (kind == ObjectiveKind::spectrum) keys.emplace_back("frequency");
        if (kind == ObjectiveKind::transmission)
            keys.insert(keys.end(), {"incident", "incident_time"});
        return keys;
    }

    static Key number_up_to(std::string_view name, std::size_t last) {
        return named(name, whole(0, static_cast<std::int64_t>(last)));
    }

    std::string_view bodies() const { return of_.walls ? "particles" : "beads"; }

    /// A particle of a packing, or a wall.
    Channel packing_channel() const {
        const Key sensor = number_up_to("sensor", beads_ - 1);
        const auto particle = table_->whole(sensor);
        const auto wall = *of_.walls > 0 ? table_->whole(number_up_to("wall", *of_.walls - 1))
                                         : std::optional<std::int64_t>();
        if (particle.has_value() == wall.has_value()) {
            table_->fail(
                "sensor",
                fmt::format("{}; give the number of a particle from 0 to {}{}",
                            particle ? "is given together with wall" : "missing", beads_ - 1,
                            *of_.walls > 0 ? ", or wall, the number of one" : ""));
        }
        const auto quantity = table_->word(packing_quantity_key);
        const auto axis = table_->word(axis_key);
        if (wall) {
            if (quantity && *quantity != 0)
                table_->fail("quantity", "is a number of particles; a wall has a force only");
            if (axis) table_->fail("axis", "is of particles; a wall's force is along its normal");
            return {Channel::Kind::wall_force, static_cast<std::size_t>(*wall)};
        }
        if (!axis) {
            table_->fail("axis", of_.plane ? "missing; expected \"x\" or \"y\""
                                           : "missing; expected \"x\", \"y\" or \"z\"");
        }
        if (of_.plane && *axis == 2)
            table_->fail("axis", "is \"z\", but the packing is plane; expected \"x\" or \"y\"");
        constexpr std::array kinds{Channel::Kind::sensor_force, Channel::Kind::velocity,
                                   Channel::Kind::position};
        return {kinds[quantity.value_or(0)], static_cast<std::size_t>(*particle), *axis};
    }

    Channel channel() const {
        if (of_.walls) return packing_channel();
        const Key sensor = number_up_to("sensor", beads_ - 1),
                  contact = number_up_to("contact", beads_);
        const auto bead = table_->whole(sensor), between = table_->whole(contact);
        if (bead && between)
            table_->fail("contact", "is given together with sensor; expected one of them");
        if (!bead && !between) {
            table_->fail("sensor", fmt::format("missing; give the number of a bead from 0 to {}, "
                                               "or contact, from 0 to {}",
                                               beads_ - 1, beads_));
        }
        const auto quantity = table_->word(quantity_key);
        if (between) {
            if (quantity && *quantity != 0)
                table_->fail("quantity", "is a number of beads; a contact has a force only");
            return {Channel::Kind::contact_force, static_cast<std::size_t>(*between)};
        }
        const bool velocity = quantity && *quantity == 1;
        return {velocity ? Channel::Kind::velocity : Channel::Kind::sensor_force,
                static_cast<std::size_t>(*bead)};
    }

    std::optional<std::pair<double, double>> time(std::string_view name) const {
        const auto time = table_->numbers(named(name, from_zero("s")), 2, 2);
        if (!time) return std::nullopt;
        const double from = (*time)[0], to = (*time)[1];
        if (!(from < to)) table_->fail(name, "must be [from, to] with from before to, in s");
        constexpr double near = 1.0 + 1e-9;
        if (to > end_ * near) {
            table_->fail(name, fmt::format("lies outside the run, which ends at {:g} s; "
                                           "expected times from 0 to there",
                                           end_));
        }
        return std::pair{from, to};
    }

    void read_incident(Objective& objective) const {
        const Key incident = number_up_to("incident", beads_ - 1);
        const auto bead = table_->whole(incident);
        if (!bead) {
            table_->fail("incident", fmt::format("missing; give the number of the {} that the "
                                                 "wave passes before, from 0 to {}",
                                                 of_.walls ? "particle" : "bead", beads_ - 1));
        }
        Channel::Kind kind = objective.channel.kind;
        if (kind == Channel::Kind::wall_force)
            table_->fail("wall",
                         "is given, but a transmission is that between two particles; "
                         "expected sensor");
        if (kind == Channel::Kind::contact_force) kind = Channel::Kind::sensor_force;
        objective.incident = {kind, static_cast<std::size_t>(*bead), objective.channel.axis};
        if (const auto time = this->time("incident_time"))
            std::tie(objective.incident_from, objective.incident_to) = *time;
    }

    void read_beads(Objective& objective) const {
        const Key key = named(bodies(), whole(0, static_cast<std::int64_t>(beads_) - 1).needed());
        const std::string expected =
            fmt::format("must be [first, last], {} from 0 to {}, such as [{}, {}]", bodies(),
                        beads_ - 1, beads_ / 2, beads_ - 1);
        if (!table_->has(bodies())) table_->fail(bodies(), "missing; it " + expected);
        const std::vector<std::int64_t> beads = *table_->wholes(key);
        if (beads.size() != 2 || beads[0] > beads[1]) table_->fail(bodies(), expected);
        objective.first_bead = static_cast<std::size_t>(beads[0]);
        objective.last_bead = static_cast<std::size_t>(beads[1]);
    }

    void read_target(Objective& objective) {
        if (!table_->has("file"))
            table_->fail("file", "missing; give the path of a CSV file with the target trace");
        const Channel::Kind kind = objective.channel.kind;
        FileRows rows = read_file_rows(*table_, file_key,
                                       {kind == Channel::Kind::velocity   ? "velocity_m_per_s"
                                        : kind == Channel::Kind::position ? "position_m"
                                                                          : "force_N"},
                                       reading_);
        objective.target_time = std::move(rows.first);
        objective.target = std::move(rows.columns[0]);
        // The target may start and end between two steps, and no further.
        const double from = objective.from, to = std::min(objective.to, end_);
        const double first = objective.target_time.front(), last = objective.target_time.back();
        if (!table_->has("time")) {
            objective.from = std::max(0.0, first);
            objective.to = last;
        } else if (first > from + 1e-9 * to || last < to * (1.0 - 1e-9)) {
            table_->fail("file", fmt::format("has rows from {:g} s to {:g} s; expected rows over "
                                             "the whole time of the objective, {:g} s to {:g} s",
                                             first, last, from, to));
        }
    }

    const scenario::Origin& origin_;
    Reading& reading_;
    Observed of_;
    std::size_t beads_;
    double end_;
    const TomlTable* table_ = nullptr;
};

}  // namespace

std::vector<Objective> read_objective_tables(const TomlDocument& document,
                                             const std::filesystem::path& folder,
                                             const Observed& of) {
    const TomlTable root = document.root();
    const auto tables = root.tables("objective");
    if (!tables || tables->empty())
        root.fail("objective", "missing; give at least one [[objective]] with a kind");
    Reading reading{.files = NamedFiles::relative_to(folder / "objectives")};
    ObjectiveReader reader(document.origin, reading, of);
    std::vector<Objective> objectives;
    for (const TomlTable& table : *tables)
        objectives.push_back(reader.read(table));
    return objectives;
}

std::vector<Objective> read_objectives(const TomlDocument& document,
                                       const std::filesystem::path& folder, const Observed& of) {
    document.root().allow_only({"objective"});
    return read_objective_tables(document, folder, of);
}

std::vector<Objective> read_objectives(const std::filesystem::path& file, const Observed& of) {
    return read_objectives(load_toml(file, {}), file.parent_path(), of);
}

}  // namespace beadwave::io
