// How files drawn by `beadwave report` are recognised among other files of their format.
#pragma once

#include "io/files/output_path.hpp"

namespace beadwave::io {

extern const ResultKind page_result, svg_result, png_result, film_result, xdmf_result;

}  // namespace beadwave::io
