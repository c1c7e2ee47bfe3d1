#include "io/history/swmr_history.hpp"

#include "io/history/history_writer.hpp"

#include <stdexcept>
#include <utility>

namespace beadwave::io {

SwmrHistory::SwmrHistory(std::unique_ptr<HistoryWriter> open) : open_(std::move(open)) {}

SwmrHistory::~SwmrHistory() {
    try {
        close();
    } catch (const std::exception&) {  // callers that need the error call close()
    }
}

SwmrHistory::SwmrHistory(SwmrHistory&&) noexcept = default;
SwmrHistory& SwmrHistory::operator=(SwmrHistory&& other) noexcept {
    std::swap(open_, other.open_);  // the destructor of `other` closes ours
    return *this;
}

HistoryWriter& SwmrHistory::opened() const {
    if (!open_) throw std::logic_error("the history file is closed");
    return *open_;
}

bool SwmrHistory::lost() const {
    return opened().lost();
}

void SwmrHistory::flush_if_due(std::chrono::steady_clock::time_point now) {
    opened().flush_if_due(now);
}

CheckpointRecord SwmrHistory::capture() {
    return opened().capture();
}

void SwmrHistory::log_to(const std::filesystem::path& checkpoint, const CheckpointRecord& record) {
    opened().log_to(checkpoint, record);
}

const hdf5::File& SwmrHistory::file() const {
    return opened().file;
}

void SwmrHistory::close(std::span<const std::string> warnings, Run run) {
    if (!open_) return;
    const std::unique_ptr<HistoryWriter> open = std::move(open_);
    open->close(warnings, run);
}

void SwmrHistory::discard() {
    open_.reset();
}

std::string SwmrHistory::close_incomplete() {
    if (!open_) return {};
    const std::unique_ptr<HistoryWriter> open = std::move(open_);
    return open->close_incomplete();
}

}  // namespace beadwave::io
