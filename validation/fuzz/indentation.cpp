// The CSV text of an indentation test, and the curves made from it.
#include "beadwave/laws/indentation_table.hpp"
#include "target.hpp"

#include <sstream>
#include <string>

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace beadwave;
    fuzz::attempt([&] {
        std::istringstream csv(std::string(reinterpret_cast<const char*>(data), size));
        const laws::IndentationTable table(csv, "test.csv");
        const double last = table.last_overlap();
        for (const double overlap : {0.0, 0.3 * last, last, 3.0 * last})
            table.recovered_span(overlap, table.loading_force(overlap));
    });
    return 0;
}
