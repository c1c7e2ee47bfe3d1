// One function a command. Each returns the exit status; InputError and RunError pass through.
#pragma once

#include "ranks/ranks.hpp"

#include <optional>
#include <string>
#include <vector>

namespace beadwave::cli {

struct RunOptions {
    std::string scenario;
    std::string output;  ///< empty: the scenario's name with .h5, in the current folder
    std::vector<std::string> overrides;
    int threads = 0;  ///< 0: as many as there are
    bool quiet = false;
    bool json = false;
    bool check = false;  ///< run again at half the step and print what that changes
    bool force = false;  ///< go on where caution would refuse; see jobs::Request
};
int run_command(const RunOptions& options, ranks::Ranks& ranks);

struct ResumeOptions {
    std::string checkpoint;
    std::string output;  ///< empty: where the run wrote its history, beside the checkpoint
    int threads = 0;     ///< 0: as many as there are
    bool quiet = false;
    bool json = false;
    bool force = false;  ///< as RunOptions
};
int resume_command(const ResumeOptions& options, ranks::Ranks& ranks);

struct WatchOptions {
    std::string history;  ///< the name that the run was given
    double every = 2.0;   ///< between two looks [s]
    bool once = false;
    bool json = false;
};
int watch_command(const WatchOptions& options);

struct CollideOptions {
    std::string file;
    std::vector<std::string> overrides;
    std::string curve;   ///< CSV of force, overlap and speed over time; empty: none
    bool force = false;  ///< replace whatever stands in the result's place
    bool json = false;
};
int collide_command(const CollideOptions& options);

struct CompareOptions {
    std::string scenario;
    std::string laws;  ///< comma-separated names; the first is the reference
    std::vector<std::string> overrides;
    std::string measured;  ///< CSV of measured traces; empty: none
    int threads = 0;       ///< 0: as many as there are
    bool json = false;
};
int compare_command(const CompareOptions& options);

struct SweepOptions {
    std::string scenario;
    std::vector<std::string> vary;  ///< key=values, in the order of the product
    std::vector<std::string> overrides;
    std::string output;  ///< the HDF5 table; empty: the scenario's name with .sweep.h5, in the
                         ///< current folder
    std::string csv;     ///< the CSV table; empty: the HDF5 table's name with .csv
    int threads = 0;     ///< 0: as many as there are
    bool force = false;  ///< replace whatever stands in the results' places, and begin anew
    bool quiet = false;
    bool json = false;
};
int sweep_command(const SweepOptions& options, ranks::Ranks& ranks);

struct FitOptions {
    std::string scenario;
    std::string measured;           ///< CSV of measured traces
    std::vector<std::string> vary;  ///< key=low:high
    std::vector<std::string> overrides;
    std::string of = "traces";              ///< traces, peaks, arrivals, or several: peaks,arrivals
    std::string laws;                       ///< comma-separated names; empty: the scenario's own
    std::string noise;                      ///< [N], comma-separated; empty: estimated
    std::optional<double> arrival_noise{};  ///< [s]; else estimated
    int starts = 0;                         ///< points that are tried beside the scenario's own
    std::vector<std::string> profiled;      ///< keys
    std::string output;                     ///< empty: the scenario's name with .fit.h5, in the
                                            ///< current folder
    int threads = 0;                        ///< 0: as many as there are
    bool force = false;                     ///< replace whatever stands in the results' places
    bool quiet = false;
    bool json = false;
};
int fit_command(const FitOptions& options, ranks::Ranks& ranks);

struct LawsOptions {
    std::string name;  ///< empty: the whole catalogue
    bool json = false;
    bool markdown = false;  ///< the whole catalogue in full, as docs/LAWS.md
};
int laws_command(const LawsOptions& options);

struct ReportOptions {
    std::vector<std::string> histories;
    std::string output;                   ///< the page; empty: the first history's name with .html
    std::string svg, png;                 ///< still figures; empty: none
    std::string xdmf;                     ///< for ParaView; empty: none
    std::optional<std::string> contacts;  ///< numbers a,b,c of the contacts whose loops are drawn
    bool force = false;                   ///< replace whatever stands in the results' places
};
int report_command(const ReportOptions& options);

}  // namespace beadwave::cli
