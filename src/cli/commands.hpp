// One function per command. Each returns the exit status; InputError and RunError pass through.
#pragma once

#include "ranks/communicator.hpp"

#include <optional>
#include <string>
#include <vector>

namespace beadwave::cli {

struct RunOptions {
    std::string scenario;
    std::string output;  ///< empty: the name of the scenario with .h5, in the current folder
    std::vector<std::string> overrides;
    int threads = 0;  ///< 0: all
    bool quiet = false;
    bool json = false;
    bool check = false;              ///< run again at half the time step and print the differences
    bool overwrite = false;          ///< replace a file that is not a history of beadwave
    bool ignore_disk_space = false;  ///< start although the disk may be too small for the history
};
int run_command(const RunOptions& options, ranks::Communicator& ranks);

struct ResumeOptions {
    std::string checkpoint;
    std::string output;  ///< empty: the history of the run, next to the checkpoint
    int threads = 0;     ///< 0: all
    bool quiet = false;
    bool json = false;
    bool overwrite = false;          ///< see RunOptions
    bool ignore_disk_space = false;  ///< see RunOptions
};
int resume_command(const ResumeOptions& options, ranks::Communicator& ranks);

struct WatchOptions {
    std::string history;    ///< the name that was given to the run
    double interval = 2.0;  ///< between two lines [s]
    bool once = false;
    bool json = false;
};
int watch_command(const WatchOptions& options);

struct CollideOptions {
    std::string file;
    std::vector<std::string> overrides;
    std::string trajectory;  ///< CSV of overlap, approach speed and force over time; empty: none
    bool overwrite = false;  ///< replace a file that beadwave collide did not write
    bool json = false;
};
int collide_command(const CollideOptions& options);

struct CompareOptions {
    std::string scenario;
    std::string laws;  ///< comma-separated names; the first is the reference
    std::vector<std::string> overrides;
    std::string measured;  ///< CSV of measured traces; empty: none
    int threads = 0;       ///< 0: all
    bool json = false;
};
int compare_command(const CompareOptions& options);

struct SweepOptions {
    std::string scenario;
    std::vector<std::string> vary;  ///< key=values, in the order of the product
    std::vector<std::string> overrides;
    std::string output;  ///< the HDF5 table; empty: the name of the scenario with .sweep.h5, in the
                         ///< current folder
    std::string csv;     ///< the CSV table; empty: the name of the HDF5 table with .csv
    int threads = 0;     ///< 0: all
    bool overwrite = false;  ///< replace files that beadwave sweep did not write, and restart
    bool quiet = false;
    bool json = false;
};
int sweep_command(const SweepOptions& options, ranks::Communicator& ranks);

struct FitOptions {
    std::string scenario;
    std::string measured;             ///< CSV of measured traces
    std::vector<std::string> bounds;  ///< key=low:high
    std::vector<std::string> overrides;
    std::string target = "traces";          ///< traces, peaks, arrivals, or peaks,arrivals
    std::string laws;                       ///< comma-separated names; empty: the scenario's own
    std::string noise;                      ///< [N], comma-separated; empty: it is estimated
    std::optional<double> arrival_noise{};  ///< [s]; empty: it is estimated
    int multistart = 0;                     ///< number of extra starting points
    std::vector<std::string> profile_likelihood;  ///< keys whose profile likelihood is computed
    std::string output;  ///< empty: the name of the scenario with .fit.h5, in the current folder
    int threads = 0;     ///< 0: all
    bool overwrite = false;  ///< replace files that beadwave fit did not write
    bool quiet = false;
    bool json = false;
};
int fit_command(const FitOptions& options, ranks::Communicator& ranks);

struct LawsOptions {
    std::string name;  ///< empty: the whole catalogue
    bool json = false;
    bool markdown = false;  ///< the whole catalogue in full, the text of docs/LAWS.md
};
int laws_command(const LawsOptions& options);

struct ReportOptions {
    std::vector<std::string> histories;
    std::string output;    ///< the page; empty: the name of the first history with .html
    std::string svg, png;  ///< static figures; empty: none
    std::string xdmf;      ///< a description for ParaView; empty: none
    std::optional<std::string> contacts;  ///< numbers a,b,c of the contacts whose loops are drawn
    bool overwrite = false;               ///< replace files that beadwave report did not write
};
int report_command(const ReportOptions& options);

}  // namespace beadwave::cli
