// The text of a collision case, and the law made from it.
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/line_catalogue.hpp"
#include "io/scenario/case_reader.hpp"
#include "target.hpp"

#include <string>

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace beadwave;
    fuzz::attempt([&] {
        std::string text(reinterpret_cast<const char*>(data), size);
        const io::CollisionCase collision = io::read_case_text(std::move(text), "case.toml");
        if (collision.line) {
            laws::make_line(*collision.line, collision.law, collision.speed);
        } else {
            laws::make(collision.contact, collision.law);
        }
    });
    return 0;
}
