#include "io/files/export_results.hpp"

#include <fstream>
#include <string>

namespace beadwave::io {
namespace {

/// The signature is what src/report/export writes into the first bytes of each file.
bool has_mark(const std::filesystem::path& path) {
    constexpr std::size_t head = 4096;
    std::ifstream file(path, std::ios::binary);
    std::string text(head, '\0');
    file.read(text.data(), static_cast<std::streamsize>(head));
    return text.find("beadwave export") != std::string::npos;
}

/// The format has no place for a mark.
bool never(const std::filesystem::path&) {
    return false;
}

constexpr ResultKind marked{.name = "a file of beadwave export", .is_one = has_mark};
constexpr ResultKind unmarked{.name = "known to be a file of beadwave export", .is_one = never};

}  // namespace

const std::array<ExportFormat, 9> export_formats{
    {{".vtkhdf",
      "ParaView: refers to the history, which must stay where it is, unless there is --copy; with "
      "--snapshot one alone, which VTK 9.1 reads",
      marked, true, true},
     {".hdf", "the same; the ending that ParaView 5.11 knows", marked, true, true},
     {".dump", "LAMMPS dump: OVITO, LAMMPS", unmarked},
     {".lammpstrj", "the same without units and times: MDAnalysis, VMD", unmarked},
     {".data", "LAMMPS data, atom style sphere: one snapshot", marked, true},
     {".gsd", "GSD: OVITO, HOOMD", marked},
     {".xyz", "extended XYZ: OVITO, ASE", marked},
     {".csv", "a row per body and snapshot", unmarked},
     {".vtp", "VTK PolyData: ParaView, PyVista; one snapshot", marked, true}}};

}  // namespace beadwave::io
