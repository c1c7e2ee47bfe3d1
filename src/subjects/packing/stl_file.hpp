// STL files: triangles, as text or binary.
#pragma once

#include "io/scenario/named_files.hpp"
#include "packing/walls/triangle_surface.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace beadwave::io {

/// The bytes of an STL file as an STL text with the same numbers: histories keep texts. Throws
/// InputError "<name>: <why>" if a binary file is cut off or its size contradicts its count.
std::string stl_text(std::string_view bytes, const std::string& name);

/// The triangles of an STL text, in its units; their normals are not used. Throws InputError
/// "<name>, line <number>: <why>". TriangleSurface::fault() judges the triangles.
std::vector<packing::Corners> read_stl(const NamedFile& file);

}  // namespace beadwave::io
