// What `beadwave report` draws, as earlier drawings are told from other files of their format.
#pragma once

#include "io/files/result_place.hpp"

namespace beadwave::io {

extern const ResultKind page_result, svg_result, png_result, xdmf_result;

}  // namespace beadwave::io
