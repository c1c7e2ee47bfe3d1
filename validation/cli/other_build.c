/* A module of another build: none of its functions may be called. OTHER_STAMP: its stamp; not set: it has none. */
#include <stdlib.h>

#ifdef OTHER_STAMP
const char beadwave_module_stamp[] = OTHER_STAMP;
#endif

void beadwave_simbody_make_tree(void) { abort(); }
void beadwave_minimise(void) { abort(); }
void beadwave_lapack(void) { abort(); }
void beadwave_lanczos(void) { abort(); }
void beadwave_response(void) { abort(); }
