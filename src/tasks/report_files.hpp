// A report's files: their places, taken before anything is drawn, and what the Python package in
// src/report is told.
#pragma once

#include "io/files/staged_file.hpp"

#include <filesystem>
#include <list>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::tasks {

struct ReportRequest {
    std::vector<std::string> histories;
    std::string output{};      ///< the page; empty: the first history's name with .html
    std::string svg{}, png{};  ///< still figures; empty: none
    std::string xdmf{};        ///< for ParaView; empty: none
    std::optional<std::string> contacts{};  ///< numbers a,b,c of the contacts whose loops are drawn
    bool force = false;                     ///< replace whatever stands in the results' places
};

class ReportFiles {
  public:
    /// Throws InputError for histories that cannot be read and places where no result can stand.
    explicit ReportFiles(const ReportRequest& request);

    /// Of the package's command line.
    const std::vector<std::string>& arguments() const { return arguments_; }
    /// What was drawn takes its names.
    void publish();
    std::vector<std::filesystem::path> names() const;

  private:
    /// A drawing under a temporary name beside its final one, so that nothing half-written is left.
    struct Drawing {
        /// `ending` guards scenarios and histories from being overwritten by a slip.
        Drawing(const std::string& option, const io::Output& output, const std::string& ending,
                const io::ResultKind& kind);

        std::filesystem::path name;
        std::optional<io::StagedFile> file;
    };

    std::list<Drawing> drawings_;
    std::vector<std::string> arguments_;
};

}  // namespace beadwave::tasks
