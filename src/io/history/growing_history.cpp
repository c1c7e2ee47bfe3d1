#include "io/history/growing_history.hpp"

#include "io/history/open_history.hpp"

#include <stdexcept>
#include <utility>

namespace beadwave::io {

GrowingHistory::GrowingHistory(std::unique_ptr<OpenHistory> open) : open_(std::move(open)) {}

GrowingHistory::~GrowingHistory() {
    try {
        close();
    } catch (const std::exception&) {  // who wants to know calls close()
    }
}

GrowingHistory::GrowingHistory(GrowingHistory&&) noexcept = default;
GrowingHistory& GrowingHistory::operator=(GrowingHistory&& other) noexcept {
    std::swap(open_, other.open_);  // ours is closed properly, by the other's destructor
    return *this;
}

OpenHistory& GrowingHistory::opened() const {
    if (!open_) throw std::logic_error("the history file is closed");
    return *open_;
}

bool GrowingHistory::lost() const {
    return opened().lost();
}

void GrowingHistory::keep_current() {
    opened().keep_current();
}

HistoryStanding GrowingHistory::stand() {
    return opened().stand();
}

void GrowingHistory::follow(const std::filesystem::path& checkpoint,
                            const HistoryStanding& standing) {
    opened().follow(checkpoint, standing);
}

const hdf5::File& GrowingHistory::file() const {
    return opened().file;
}

void GrowingHistory::close(std::span<const std::string> notes, Run run) {
    if (!open_) return;
    const std::unique_ptr<OpenHistory> open = std::move(open_);
    open->close(notes, run);
}

void GrowingHistory::discard() {
    open_.reset();
}

std::string GrowingHistory::leave() {
    if (!open_) return {};
    const std::unique_ptr<OpenHistory> open = std::move(open_);
    return open->leave();
}

}  // namespace beadwave::io
