#include "beadwave/laws/indentation_table.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/laws/number.hpp"
#include "laws/indentation_csv.hpp"

#include <boost/math/tools/minima.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>

namespace beadwave::laws {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
    throw InputError(fmt::format("{}: {}", name, what));
}

MonotoneCurve loading_curve(MeasuredCurve measured, const std::string& name) {
    if (measured.overlap.empty() || measured.overlap.front() > 0.0) {
        measured.overlap.insert(measured.overlap.begin(), 0.0);
        measured.force.insert(measured.force.begin(), 0.0);
    }
    if (measured.force.front() != 0.0) refuse(name, "the loading force at zero overlap must be 0");
    if (measured.overlap.size() < 4)
        refuse(name, "loading needs at least three points beside (0, 0)");
    for (std::size_t i = 1; i < measured.overlap.size(); ++i) {
        if (!(measured.force[i] > measured.force[i - 1])) {
            refuse(name, fmt::format(
                             "the loading force must rise with the overlap, but falls or stays at "
                             "{:g} m; smooth the measurement first",
                             measured.overlap[i]));
        }
    }
    return {std::move(measured.overlap), std::move(measured.force)};
}

/// The unloading curve from the turn down to its residual overlap, both ends included.
MeasuredCurve unloading_curve(MeasuredCurve measured, double turn, double force,
                              const std::string& name) {
    if (measured.overlap.empty() || measured.overlap.back() < turn) {
        measured.overlap.push_back(turn);
        measured.force.push_back(force);
    }
    if (measured.overlap.back() > turn) {
        refuse(name, fmt::format("unloading begins at {:g} m, beyond the end of loading at {:g} m",
                                 measured.overlap.back(), turn));
    }
    if (std::abs(measured.force.back() - force) > 0.01 * force) {
        refuse(name,
               fmt::format("unloading must begin at the end of loading: {:g} N there, not {:g} N",
                           force, measured.force.back()));
    }
    measured.force.back() = force;
    for (std::size_t i = 1; i < measured.overlap.size(); ++i) {
        if (measured.force[i] < measured.force[i - 1] ||
            (measured.force[i] == measured.force[i - 1] && measured.force[i] > 0.0)) {
            refuse(name,
                   fmt::format(
                       "the unloading force must fall with the overlap, but rises or stays below "
                       "{:g} m; smooth the measurement first",
                       measured.overlap[i]));
        }
    }
    if (measured.force.front() > 0.0) {
        refuse(name,
               fmt::format("unloading ends at {:g} N; it must reach zero force: add the row of the "
                           "residual overlap",
                           measured.force.front()));
    }
    // Contact ends at the last of all rows without force.
    const auto first_force = std::ranges::find_if(measured.force, [](double f) { return f > 0.0; });
    const auto detached = first_force - measured.force.begin() - 1;
    measured.overlap.erase(measured.overlap.begin(), measured.overlap.begin() + detached);
    measured.force.erase(measured.force.begin(), measured.force.begin() + detached);
    if (measured.overlap.size() < 4) {
        refuse(name, "unloading needs at least two points between its start and zero force");
    }
    return measured;
}

}  // namespace

IndentationTable::IndentationTable(std::istream& csv, const std::string& name) {
    IndentationRows rows = read_indentation_csv(csv, name);
    loading_ = loading_curve(std::move(rows.loading), name);
    const double turn = loading_.end();
    const double force = loading_(turn);
    MeasuredCurve unloading = unloading_curve(std::move(rows.unloading), turn, force, name);

    const double residual = unloading.overlap.front();
    recovered_part_ = (turn - residual) / turn;
    for (double& x : unloading.overlap)
        x = (x - residual) / (turn - residual);
    for (double& f : unloading.force)
        f /= force;
    unloading.overlap.back() = 1.0;
    shape_ = MonotoneCurve(std::move(unloading.overlap), std::move(unloading.force));
    if (unbounded_dissipation(turn) < 0.0)
        refuse(name, "unloading returns more energy than loading took");
    dips_ = find_dips();
}

double IndentationTable::loading_force(double overlap) const {
    const double beyond = std::max(0.0, overlap - last_overlap());
    return loading_(overlap) + beyond * loading_.slope(last_overlap());
}

double IndentationTable::loading_work(double overlap) const {
    const double last = last_overlap();
    const double beyond = std::max(0.0, overlap - last);
    return loading_.integral(overlap) +
           beyond * (loading_(last) + 0.5 * beyond * loading_.slope(last));
}

double IndentationTable::recovered_span(double largest, double force) const {
    for (const Dip& dip : dips_) {
        if (largest > dip.from && largest < dip.to) {
            return (loading_work(largest) - dip.dissipated) / (force * shape_.integral(1.0));
        }
    }
    return recovered_part_ * largest;
}

double IndentationTable::unbounded_dissipation(double largest) const {
    return loading_work(largest) -
           loading_force(largest) * recovered_part_ * largest * shape_.integral(1.0);
}

std::vector<IndentationTable::Dip> IndentationTable::find_dips() const {
    std::vector<Dip> dips;
    // In units of the last overlap; beyond ten of them only the straight line matters.
    constexpr int in_range = 4000;
    constexpr int beyond = 4000;
    const auto overlap = [](int i) {
        return i <= in_range ? 1.0 * i / in_range : 1.0 + 9.0 * (i - in_range) / beyond;
    };
    const auto negative = [&](double x) { return -unbounded_dissipation(x * last_overlap()); };
    double highest = 0.0;
    int highest_at = 0;
    bool in_dip = false;
    for (int i = 1; i <= in_range + beyond; ++i) {
        const double x = overlap(i) * last_overlap();
        const double dissipated = unbounded_dissipation(x);
        if (dissipated >= highest) {
            if (in_dip) dips.back().to = x;
            in_dip = false;
            highest = dissipated;
            highest_at = i;
        } else if (!in_dip && highest - dissipated > 1e-13 * loading_work(x)) {
            in_dip = true;
            // The maximum itself, which lies next to the highest point of the scan.
            const auto summit = boost::math::tools::brent_find_minima(
                negative, overlap(std::max(0, highest_at - 1)), overlap(i), 50);
            highest = std::max(highest, -summit.second);
            dips.push_back(
                {summit.first * last_overlap(), std::numeric_limits<double>::infinity(), highest});
        }
    }
    return dips;
}

// ---- the program's tables ----

namespace {

constexpr std::size_t most_tables = 1024;
std::array<std::atomic<const IndentationTable*>, most_tables> tables{};

}  // namespace

double IndentationTable::number_of(const std::string& csv, const std::string& name) {
    static std::mutex mutex;
    static std::map<std::string, std::size_t> known;  // by text: a changed file is another table
    static std::vector<std::unique_ptr<IndentationTable>> kept;

    const std::scoped_lock lock(mutex);
    if (const auto found = known.find(csv); found != known.end())
        return static_cast<double>(found->second);
    if (kept.size() == most_tables)
        throw InputError("more indentation tests than a program can hold");
    std::istringstream stream(csv);
    stream.exceptions(std::ios::badbit);  // missing memory is no end of the text
    kept.push_back(std::make_unique<IndentationTable>(stream, name));
    const std::size_t number = kept.size() - 1;
    tables[number].store(kept.back().get(), std::memory_order_release);
    known.emplace(csv, number);
    return static_cast<double>(number);
}

double IndentationTable::number_of_file(const std::filesystem::path& file) {
    std::ifstream csv(file, std::ios::binary);
    if (!csv) throw InputError(fmt::format("cannot read the indentation test {}", file.string()));
    std::ostringstream text;
    text.exceptions(std::ios::badbit);  // missing memory is no end of the text
    text << csv.rdbuf();
    return number_of(text.str(), file.string());
}

const IndentationTable& IndentationTable::numbered(double number) {
    return *tables[static_cast<std::size_t>(number)].load(std::memory_order_acquire);
}

namespace {

/// The result of `ask` for the numbered table; not a number if there is none, such as in a law
/// whose number was damaged.
template <class Ask>
double of_table(double number, Ask ask) {
    if (!(number >= 0.0 && number < static_cast<double>(tables.size())))
        return std::numeric_limits<double>::quiet_NaN();
    return ask(IndentationTable::numbered(number));
}

/// Part of the recovered span, from 0 to 1; 0 for a contact that never touched.
double part(double overlap, double largest, double residual) {
    if (!(overlap > residual)) return 0.0;
    return min((overlap - residual) / (largest - residual), 1.0);
}

}  // namespace

double numbered_loading_force(double table, double overlap) {
    return of_table(table, [&](const IndentationTable& t) { return t.loading_force(overlap); });
}

double numbered_recovered_span(double table, double largest, double force) {
    return of_table(table,
                    [&](const IndentationTable& t) { return t.recovered_span(largest, force); });
}

double numbered_shape(double table, double overlap, double largest, double residual) {
    return of_table(table, [&](const IndentationTable& t) {
        return t.shape(part(overlap, largest, residual));
    });
}

double numbered_shape_integral(double table, double overlap, double largest, double residual) {
    return of_table(table, [&](const IndentationTable& t) {
        return t.shape_integral(part(overlap, largest, residual));
    });
}

}  // namespace beadwave::laws
