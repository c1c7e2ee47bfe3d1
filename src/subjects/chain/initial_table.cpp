#include "subjects/chain/initial_table.hpp"

#include "base/csv_rows.hpp"
#include "beadwave/history.hpp"
#include "io/files/text_file.hpp"
#include "io/scenario/file_rows.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace beadwave::io {
namespace {

using chain::InitialState;
using chain::Scenario;

constexpr std::size_t most_listed = 1'000'000;

/// The unstable eigenvectors of an orbit.
struct Eigenvectors {
    std::vector<std::vector<double>> displacement, velocity;
};

const Key& eigenvector_key() {
    static const Key key =
        named("eigenvector", whole(1),
              "adds this unstable eigenvector of the orbit, in the order of its instabilities; of "
              "a complex multiplier its real part");
    return key;
}

const Key& amplitude_key() {
    static const Key key = named("amplitude", any_number("m"),
                                 "the largest displacement of a bead in the eigenvector");
    return key;
}

Key list_key(std::string_view name, std::string_view unit, std::string_view meaning,
             std::string_view expected) {
    Key key = named(name, any_number(unit), meaning);
    key.kind = Kind::numbers;
    return key.expects(expected);
}

std::string eigenvector_column(std::size_t number, const char* what) {
    return fmt::format("eigenvector_{}_{}", number, what);
}

/// Adds the chosen eigenvector, if one is chosen.
void add_eigenvector(const TomlTable& table, const Eigenvectors& all, InitialState& state) {
    const auto chosen = table.whole(eigenvector_key());
    const auto amplitude = table.number(amplitude_key());
    if (chosen.has_value() != amplitude.has_value()) {
        table.fail(chosen ? "amplitude" : "eigenvector",
                   "missing; give the number of an unstable eigenvector of the orbit, from 1, and "
                   "its largest displacement in m");
    }
    if (!chosen) return;
    const auto number = static_cast<std::size_t>(*chosen);
    if (number > all.displacement.size()) {
        table.fail("eigenvector",
                   fmt::format("the file has {} unstable eigenvectors; expected {}",
                               all.displacement.size(),
                               all.displacement.empty() ? "that of an unstable orbit"
                                                        : "a number from 1 to that"));
    }
    const auto add = [&](std::vector<double>& to, const std::vector<double>& direction) {
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] += *amplitude * direction[i];
    };
    add(state.displacement, all.displacement[number - 1]);
    add(state.velocity, all.velocity[number - 1]);
}

/// The first line of the text of an orbit under a drive: this, the frequency and " Hz".
constexpr std::string_view drive_comment = "# drive ";

/// The frequency in a text that begins with this [Hz]; none: the line is damaged.
std::optional<double> drive_in(std::string_view text) {
    const std::string_view line =
        text.substr(0, text.find_first_of("\r\n")).substr(drive_comment.size());
    const char* const end = line.data() + line.size();
    double drive = 0.0;
    const auto [behind, error] = std::from_chars(line.data(), end, drive);
    const bool whole = error == std::errc() && std::string_view(behind, end) == " Hz";
    if (!whole || !(drive > 0.0) || !std::isfinite(drive)) return std::nullopt;
    return drive;
}

void read_file(const TomlTable& table, const Key& key, InitialState& state, Reading& reading) {
    if (!table.has(key.name)) {
        for (const Key* other : {&eigenvector_key(), &amplitude_key()})
            if (table.has(other->name))
                table.fail(other->name, "is for the file of an orbit; expected file with it");
        return;
    }
    for (const std::string_view other : {"displacement", "velocity"})
        if (table.has(other)) table.fail(other, "is given together with a file");
    const NamedFile file =
        reading.files.read(table, key, "a CSV file or an orbit", &initial_text, true);
    state.key = table.key(key.name);
    if (file.text.starts_with(drive_comment)) {
        state.drive = drive_in(file.text);
        if (!state.drive)
            table.fail(key.name, fmt::format("{}: begins with \"{}\"; expected a frequency in Hz "
                                             "behind it, such as \"{}4000 Hz\"",
                                             file.name, drive_comment, drive_comment));
    }
    const std::string_view header = header_line(file.text);
    std::vector<std::string> names;
    std::vector<std::vector<double>*> columns;
    const auto add = [&](std::string name, std::vector<double>& to) {
        if (header.find(name) == std::string_view::npos) return;
        names.push_back(std::move(name));
        columns.push_back(&to);
    };
    add("displacement_m", state.displacement);
    add("velocity_m_per_s", state.velocity);
    std::size_t count = 0;
    while (header.find(eigenvector_column(count + 1, "velocity")) != std::string_view::npos)
        ++count;
    Eigenvectors all;
    all.displacement.resize(count);
    all.velocity.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
        add(eigenvector_column(k + 1, "displacement_m"), all.displacement[k]);
        add(eigenvector_column(k + 1, "velocity_m_per_s"), all.velocity[k]);
    }
    if (names.empty()) {
        table.fail(key.name,
                   fmt::format("{}: has no column displacement_m or velocity_m_per_s", file.name));
    }
    std::istringstream text(file.text);
    text.exceptions(std::ios::badbit);  // missing memory is no end of the text
    CsvRows rows(text, file.name, {names.begin(), names.end()}, OtherColumns::refused);
    while (rows.next())
        for (std::size_t c = 0; c < columns.size(); ++c)
            columns[c]->push_back(rows.needed_number(c));
    if (columns.front()->empty()) table.fail(key.name, "the file has no row");
    add_eigenvector(table, all, state);
}

Table<InitialState> initial_table() {
    const auto list = [](std::vector<double> InitialState::*member) {
        return [member](const TomlTable& table, const Key& key, InitialState& state, Reading&) {
            const auto numbers = table.numbers(key, 1, most_listed);
            if (!numbers) return;
            state.*member = *numbers;
            state.key = table.key(key.name);
        };
    };
    Table<InitialState> t;
    t.row(plain("file", Kind::file,
                "the file of an orbit that `beadwave orbit -o` wrote, at the start of its period; "
                "or a CSV file with the columns `displacement_m` and `velocity_m_per_s`, or one of "
                "them: a row per bead, then one per mass inside a bead")
              .ranges("path of an orbit or a CSV file"),
          read_file);
    t.row(list_key("displacement", "m",
                   "of each bead, then of each mass inside a bead; without these it is that of "
                   "its bead",
                   "must be a list of displacements in m, such as [0.0, 1e-6]"),
          list(&InitialState::displacement));
    t.row(list_key("velocity", "m/s", "as `displacement`, in place of `segment.N.velocity`",
                   "must be a list of velocities in m/s, such as [0.0, 0.1]"),
          list(&InitialState::velocity));
    t.known(eigenvector_key());
    t.known(amplitude_key());
    return t.rule([](const TomlTable& table, const InitialState& state, Reading&) {
        if (state.displacement.empty() && state.velocity.empty())
            table.fail("file", "missing; give file, displacement or velocity");
    });
}

/// One number of a row of a table of numbers; what is not finite is damage.
double number_at(const std::vector<double>& numbers, std::size_t i, const std::string& path) {
    if (i >= numbers.size() || !std::isfinite(numbers[i]))
        refuse_file(path, "is damaged: a number of the orbit is missing or not finite");
    return numbers[i];
}

/// The states of the beads and of the masses inside them when a recorded orbit starts.
std::vector<double> first_row(const History& history, const char* of_beads, const char* inside) {
    std::vector<double> all = history.read(of_beads, 0, 1);
    if (history.has(inside)) {
        const std::vector<double> more = history.read(inside, 0, 1);
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

}  // namespace

std::string initial_text(std::string_view bytes, const std::string& path) {
    if (!bytes.starts_with("\x89HDF")) {
        if (bytes.find('\0') != std::string_view::npos)
            refuse_file(path, "is a binary file, not a CSV file or an orbit");
        return std::string(bytes);
    }
    const History history(path);
    if (history.system() != "chain" || !history.has("orbit/displacement")) {
        refuse_file(path,
                    "is not the file of an orbit; expected what `beadwave orbit -o` wrote, "
                    "or a CSV file");
    }
    const auto u = first_row(history, "displacement", "resonator_displacement"),
               v = first_row(history, "velocity", "resonator_velocity");
    const std::size_t rows = u.size();
    const bool unstable = history.has("orbit/unstable_displacement");
    const std::size_t count = unstable ? history.shape("orbit/unstable_displacement").at(0) : 0;
    std::vector<double> du, dv;
    if (unstable) {
        du = history.read("orbit/unstable_displacement");
        dv = history.read("orbit/unstable_velocity");
    }
    std::string text;
    if (history.has("orbit/drive_frequency")) {
        text += fmt::format("{}{} Hz\n", drive_comment,
                            number_at(history.read("orbit/drive_frequency"), 0, path));
    }
    text += "displacement_m,velocity_m_per_s";
    for (std::size_t k = 0; k < count; ++k) {
        text += fmt::format(",{},{}", eigenvector_column(k + 1, "displacement_m"),
                            eigenvector_column(k + 1, "velocity_m_per_s"));
    }
    text += '\n';
    for (std::size_t i = 0; i < rows; ++i) {
        text += fmt::format("{},{}", number_at(u, i, path), number_at(v, i, path));
        // Real parts of complex numbers.
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t at = 2 * (k * rows + i);
            text += fmt::format(",{},{}", number_at(du, at, path), number_at(dv, at, path));
        }
        text += '\n';
    }
    return text;
}

Table<Scenario> initial_row() {
    return Table<Scenario>().table(plain("initial", Kind::table).under("Initial state"),
                                   &Scenario::initial, initial_table());
}

}  // namespace beadwave::io
