// The files of a report: they are reserved before anything is drawn. Also the arguments of the
// Python package in src/report.
#pragma once

#include "io/durable/atomic_file.hpp"

#include <filesystem>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::tasks {

struct ReportRequest {
    std::vector<std::string> histories;
    std::string output{};      ///< the page; empty: the name of the first history with .html
    std::string svg{}, png{};  ///< static figures; empty: none
    std::string gif{}, mp4{};  ///< the moving picture of a packing or a mechanism; empty: none
    std::string picture{};     ///< a packing or a mechanism at one moment, .png; empty: none
    std::string xdmf{};        ///< a description for ParaView; empty: none
    /// How pictures are drawn: option and value, which the Python package checks.
    std::map<std::string, std::optional<std::string>> drawing{};
    std::optional<std::string> contacts{};  ///< numbers a,b,c of the contacts whose loops are drawn
    bool overwrite = false;                 ///< replace files that beadwave report did not write
};

class ReportFiles {
  public:
    /// Throws InputError for histories that cannot be read and for results that cannot be written.
    explicit ReportFiles(const ReportRequest& request);

    /// The arguments of the package's command line.
    const std::vector<std::string>& arguments() const { return arguments_; }
    /// Gives all drawings their final names, or none: see io::commit_together().
    void commit();
    std::vector<std::filesystem::path> names() const;

  private:
    /// A drawing with a temporary name until it is complete, so that no incomplete file remains.
    struct Drawing {
        /// `ending`: the name must have it, so that a typing mistake overwrites no scenario or
        /// history.
        Drawing(const std::string& option, const io::Output& output, const std::string& ending,
                const io::ResultKind& kind);

        std::filesystem::path name;
        std::optional<io::AtomicFile> file;
    };

    std::list<Drawing> drawings_;
    std::vector<std::string> arguments_;
};

}  // namespace beadwave::tasks
