#include "tasks/vary.hpp"

#include "base/trimmed.hpp"
#include "beadwave/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace beadwave::tasks {
namespace {

/// Cut at each mark outside quotes.
std::vector<std::string_view> split(std::string_view text, char mark) {
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote != 0) {
            if (c == quote) quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == mark) {
            parts.push_back(trimmed(text.substr(begin, i - begin)));
            begin = i + 1;
        }
    }
    parts.push_back(trimmed(text.substr(begin)));
    return parts;
}

template <class Number>
std::optional<Number> number(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// "segment[0].velocity" as "segment.0.velocity", the name of the column.
std::string dotted(std::string_view key) {
    std::string dotted;
    for (const char c : key) {
        if (c == '[') dotted += '.';
        if (c != '[' && c != ']') dotted += c;
    }
    return dotted;
}

/// "key=text" as both, trimmed. `name`: "--vary" or "--bounds".
std::pair<std::string, std::string_view> key_and_text(std::string_view name,
                                                      const std::string& option,
                                                      std::string_view wanted) {
    const std::size_t equals = option.find('=');
    const std::string_view key = trimmed(std::string_view(option).substr(0, equals));
    if (equals == std::string::npos || key.empty())
        throw InputError(fmt::format("{} {}: must be {}", name, option, wanted));
    return {dotted(key), trimmed(std::string_view(option).substr(equals + 1))};
}

class Reader {
  public:
    explicit Reader(const std::string& option) {
        std::tie(result_.key, text_) =
            key_and_text("--vary", option, "key=values, as in --vary law.psi=2.6:3.0:9");
        const std::string all = result_.key;
        const std::vector<std::string_view> keys = split(all, ',');
        result_.key = keys.front();
        result_.linked.assign(keys.begin() + 1, keys.end());
        if (std::ranges::find(keys, std::string_view()) != keys.end())
            fail("has an empty key between commas");
        if (text_.empty()) fail("gives no value after the equals sign");
        // The key is the name of a column of the table, and a slash would make a group there.
        if (result_.key.find('/') != std::string::npos)
            fail("a key with a slash in it cannot be varied");
    }

    io::VariedKey read() {
        if (text_.find_first_of("[{") != std::string_view::npos) {
            fail("a sweep varies numbers, words, true and false, but not lists or tables");
        }
        for (const std::string_view item : split(text_, ',')) {
            if (item.empty()) fail("has an empty value between commas");
            const std::vector<std::string_view> parts = split(item, ':');
            if (parts.size() == 1) {
                add(std::string(item));
            } else {
                add_range(parts);
            }
        }
        return std::move(result_);
    }

  private:
    void add_range(const std::vector<std::string_view>& parts) {
        const bool log = parts.size() == 4 && parts[3] == "log";
        const bool complete = parts.size() == 3 || log;
        const auto first = number<double>(parts[0]);
        const auto last = complete ? number<double>(parts[1]) : std::nullopt;
        const auto count = complete ? number<std::int64_t>(parts[2]) : std::nullopt;
        if (!first || !last || !std::isfinite(*first) || !std::isfinite(*last) || !count ||
            *count < 1) {
            fail(
                "a range must be first:last:count, as in 2.6:3.0:9, with a whole number from 1 as "
                "the count, or first:last:count:log");
        }
        if (log && !(*first * *last > 0.0))
            fail("a range with equal ratios, log, needs two ends of the same sign, other than 0");
        if (*count == 1 && *first != *last)
            fail("one value cannot reach both ends; give a count from 2, or the value alone");
        if (*count > static_cast<std::int64_t>(most_runs))
            fail(fmt::format("a sweep has at most {} runs", most_runs));
        for (std::int64_t i = 0; i < *count; ++i) {
            if (i == 0 || i == *count - 1) {
                add(std::string(i == 0 ? parts[0] : parts[1]));
                continue;
            }
            // A weighted mean of both ends, not steps from the first: a range through zero then
            // contains exactly zero.
            const auto right = static_cast<double>(i), left = static_cast<double>(*count - 1 - i);
            const double value = log ? *first * std::pow(*last / *first, right / (left + right))
                                     : (left * *first + right * *last) / (left + right);
            add(fmt::format("{:.15g}", value));
        }
    }

    void add(std::string value) {
        const auto as_number = number<double>(value);
        // 1 and 1.0 are one value; so are hertz and "hertz".
        const std::string same =
            as_number ? fmt::format("{}", *as_number) : std::string(io::unquoted(value));
        if (!seen_.insert(same).second) fail(fmt::format("gives {} twice", value));
        result_.values.push_back(std::move(value));
    }

    [[noreturn]] void fail(std::string_view why) const {
        throw InputError(fmt::format("--vary {} = {}: {}", result_.key, text_, why));
    }

    std::string_view text_;
    io::VariedKey result_;
    std::set<std::string> seen_;
};

/// Whether the keys are the same, or one contains the other.
bool overlap(std::string_view a, std::string_view b) {
    if (a.size() > b.size()) std::swap(a, b);
    return b.starts_with(a) && (a.size() == b.size() || b[a.size()] == '.');
}

/// `name`: "--vary" or "--bounds". `Key`: a type with a member `key`.
template <class Key>
void refuse_clash(std::string_view name, const std::string& key, std::span<const Key> earlier,
                  std::string_view twice) {
    for (const Key& other : earlier) {
        if (other.key == key)
            throw InputError(fmt::format("{} {}: is given twice; {}", name, key, twice));
        if (overlap(other.key, key)) {
            throw InputError(fmt::format("{} {}: clashes with {} {}; vary only one of them", name,
                                         key, name, other.key));
        }
    }
}

void refuse_clashes(const io::VariedKey& key, std::span<const io::VariedKey> earlier,
                    std::span<const std::string> overrides) {
    refuse_clash("--vary", key.key, earlier, "list all its values in one option");
    for (const io::VariedKey& other : earlier) {
        for (const std::string& linked : other.linked) {
            if (overlap(linked, key.key)) {
                throw InputError(
                    fmt::format("--vary {}: clashes with --vary {},{}; vary only one "
                                "of them",
                                key.key, other.key, linked));
            }
        }
    }
    for (const std::string& setting : overrides) {
        const std::string set =
            dotted(trimmed(std::string_view(setting).substr(0, setting.find('='))));
        if (overlap(set, key.key)) {
            throw InputError(fmt::format("--vary {}: clashes with --set {}; give only one of them",
                                         key.key, set));
        }
    }
    if (overlap("sensors.beads", key.key)) {
        throw InputError(fmt::format(
            "--vary {}: all runs of a sweep have the same sensors; list them in sensors.beads",
            key.key));
    }
}

}  // namespace

io::VariedKey read_vary(const std::string& option) {
    return Reader(option).read();
}

std::pair<std::string, std::string_view> disturbed_key(const std::string& option) {
    return key_and_text("--disturb", option,
                        "key=deviation, as in --disturb body.0.velocity.0=1e-3");
}

io::SweepPlan read_plan(std::span<const std::string> options,
                        std::span<const std::string> overrides,
                        std::vector<io::VariedKey> members) {
    std::vector<io::VariedKey> keys;
    double runs = 1.0;  // exact up to the limit, and cannot overflow
    for (const std::string& option : options) {
        io::VariedKey key = read_vary(option);
        refuse_clashes(key, keys, overrides);
        std::vector<io::VariedKey> earlier = keys;
        earlier.push_back({.key = key.key, .values = {}});
        for (const std::string& linked : key.linked) {
            const io::VariedKey one{.key = linked, .values = {}};
            refuse_clashes(one, earlier, overrides);
            earlier.push_back(one);
        }
        runs *= static_cast<double>(key.values.size());
        keys.push_back(std::move(key));
    }
    std::vector<io::VariedKey> disturbed;
    for (io::VariedKey& key : members) {
        if (key.role == io::VariedKey::Role::member) {
            runs *= static_cast<double>(key.values.size());
        } else {
            refuse_clash("--disturb", key.key, std::span<const io::VariedKey>(disturbed),
                         "give its deviation once");
            for (const io::VariedKey& varied : keys) {
                if (varied.role != io::VariedKey::Role::varied) continue;
                std::vector<std::string> all = varied.linked;
                all.push_back(varied.key);
                for (const std::string& one : all) {
                    if (!overlap(one, key.key)) continue;
                    throw InputError(
                        fmt::format("--disturb {}: clashes with --vary {}; give only one of them",
                                    key.key, one));
                }
            }
            disturbed.push_back(key);
        }
        keys.push_back(std::move(key));
    }
    if (runs > static_cast<double>(most_runs)) {
        throw InputError(fmt::format("--vary: the values make {:.0f} runs; a sweep has at most {}",
                                     runs, most_runs));
    }
    return io::SweepPlan(std::move(keys));
}

std::vector<Bounds> read_bounds(std::span<const std::string> options,
                                std::span<const std::string> overrides) {
    constexpr std::string_view wanted = "key=low:high, as in --bounds law.psi=2:4";
    std::vector<Bounds> all;
    for (const std::string& option : options) {
        const auto [key, text] = key_and_text("--bounds", option, wanted);
        const std::vector<std::string_view> ends = split(text, ':');
        const auto low = number<double>(ends.front()), high = number<double>(ends.back());
        if (ends.size() != 2 || !low || !high || !std::isfinite(*low) || !std::isfinite(*high))
            throw InputError(fmt::format("--bounds {}: must be {}", option, wanted));
        if (!(*low < *high)) {
            throw InputError(fmt::format(
                "--bounds {}: the lower bound, {}, must be less than the upper bound, {}", option,
                *low, *high));
        }
        refuse_clash("--bounds", key, std::span<const Bounds>(all), "give its bounds once");
        // --set of the same key gives the start of its fit.
        for (const std::string& setting : overrides) {
            const std::string set =
                dotted(trimmed(std::string_view(setting).substr(0, setting.find('='))));
            if (set != key && overlap(set, key)) {
                throw InputError(fmt::format(
                    "--bounds {}: clashes with --set {}; give only one of them", key, set));
            }
        }
        all.push_back({key, *low, *high});
    }
    return all;
}

}  // namespace beadwave::tasks
