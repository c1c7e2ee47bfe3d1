// Every module that is loaded on demand has this symbol, which is read before any other one.

extern "C" {
extern const char beadwave_module_stamp[];
const char beadwave_module_stamp[] =
#include "module_stamp.inc"
    ;
}
