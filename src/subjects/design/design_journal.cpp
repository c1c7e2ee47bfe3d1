#include "subjects/design/design_journal.hpp"

#include "io/durable/full_io.hpp"
#include "io/durable/writer_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace beadwave::tasks {
namespace {

constexpr std::string_view journal_opening = "# beadwave design, ";

std::string row_of(const Evaluation& evaluation) {
    std::string row;
    for (const double x : evaluation.x)
        row += fmt::format("{},", x);
    row += fmt::format("{}", evaluation.value);
    for (const double slope : evaluation.gradient)
        row += fmt::format(",{}", slope);
    return row + '\n';
}

std::optional<Evaluation> evaluation_in(std::string_view row, std::size_t unknowns) {
    std::vector<double> numbers;
    for (const char* at = row.data(); numbers.size() < 2 * unknowns + 1;) {
        double number = 0.0;
        const char* const end = row.data() + row.size();
        const auto [stop, error] = std::from_chars(at, end, number);
        if (error != std::errc{}) return std::nullopt;
        numbers.push_back(number);
        const bool last = numbers.size() == 2 * unknowns + 1;
        if (last ? stop != end : (stop == end || *stop != ',')) return std::nullopt;
        at = stop + 1;
    }
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(unknowns);
    return Evaluation{
        .x = {numbers.begin(), middle}, .value = *middle, .gradient = {middle + 1, numbers.end()}};
}

}  // namespace

DesignJournal::DesignJournal(const io::Output& hdf5, std::size_t unknowns, std::uint64_t design)
    : path_(io::without_links(hdf5.path).concat(".rows")),
      unknowns_(unknowns),
      first_line_(
          fmt::format("{}version {}, {:016x}\n", journal_opening, BEADWAVE_VERSION, design)) {
    io::check_name(hdf5.path, path_);
    while (!open_and_lock(hdf5)) {  // another design has just finished, and removed it
    }
    try {
        read(hdf5);
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
}

DesignJournal::~DesignJournal() {
    ::close(descriptor_);
}

bool DesignJournal::open_and_lock(const io::Output& hdf5) {
    descriptor_ =
        io::open_again(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (descriptor_ < 0) io::refuse_folder(hdf5.path, errno);
    struct stat status {};
    const bool regular = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
    const bool locked = regular && io::lock_to_write(descriptor_);
    if (locked && io::identity_of(descriptor_) == io::identity_of(path_)) return true;
    ::close(descriptor_);
    if (!regular) io::refuse(path_, "is not a regular file");
    if (locked) return false;
    throw std::runtime_error(fmt::format(
        "{}: another design is writing it; choose another name with -o", hdf5.path.string()));
}

void DesignJournal::read(const io::Output& hdf5) {
    std::ifstream file(path_, std::ios::binary);
    std::string line;
    std::int64_t good = 0;
    // A line without its end was cut by a kill.
    const auto next = [&] { return std::getline(file, line) && !file.eof(); };
    struct stat status {};
    io::naming(path_, [&] {
        if (::fstat(descriptor_, &status) != 0) throw std::runtime_error(io::reason(errno));
    });
    if (!hdf5.overwrite && status.st_size > 0) {
        const bool whole = next();
        if (!line.starts_with(journal_opening) && (whole || !journal_opening.starts_with(line))) {
            io::refuse(path_,
                       "exists and does not hold evaluations of a design; refusing to overwrite "
                       "it without --overwrite");
        }
        const bool same = whole && line + '\n' == first_line_;
        good = static_cast<std::int64_t>(first_line_.size());
        while (whole && next()) {
            if (!same) {
                io::refuse(path_,
                           "holds evaluations of another unfinished design, with another "
                           "scenario, other variables or another version; --overwrite starts "
                           "anew, -o names other files");
            }
            auto evaluation = evaluation_in(line, unknowns_);
            if (!evaluation) break;
            good += static_cast<std::int64_t>(line.size()) + 1;
            found_.push_back(*std::move(evaluation));
            ends_.push_back(good);
        }
        if (!same) good = 0;
    }
    io::naming(path_, [&] { io::full_truncate(descriptor_, good); });
    if (good == 0) put(first_line_);
}

std::optional<Evaluation> DesignJournal::take(std::span<const double> x) {
    if (left() == 0) return std::nullopt;
    if (std::ranges::equal(found_[taken_].x, x)) return found_[taken_++];
    const std::int64_t good =
        taken_ == 0 ? static_cast<std::int64_t>(first_line_.size()) : ends_[taken_ - 1];
    io::naming(path_, [&] { io::full_truncate(descriptor_, good); });
    found_.resize(taken_);
    return std::nullopt;
}

void DesignJournal::put(const std::string& text) {
    struct stat before {};
    try {
        if (::fstat(descriptor_, &before) != 0) throw std::runtime_error(io::reason(errno));
        io::full_write(descriptor_, text.data(), text.size(), before.st_size);
        // After a loss of power the evaluations of the last second are made again.
        const auto now = std::chrono::steady_clock::now();
        if (now - synced_ < std::chrono::seconds(1)) return;
        io::sync_data_to_disk(descriptor_);
        synced_ = now;
    } catch (const std::runtime_error& error) {
        write_error_ = error.what();
        [[maybe_unused]] const int cut = ::ftruncate(descriptor_, before.st_size);
    }
}

void DesignJournal::add(const Evaluation& evaluation) {
    if (write_error_.empty()) put(row_of(evaluation));
}

void DesignJournal::remove() {
    std::error_code ignored;
    if (io::identity_of(descriptor_) == io::identity_of(path_))
        std::filesystem::remove(path_, ignored);
}

}  // namespace beadwave::tasks
