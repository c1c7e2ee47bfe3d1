// Closes what begin_vector_code.hpp opened.
HWY_AFTER_NAMESPACE();
