#include "ranks/communicator.hpp"

#include <cstdint>

namespace beadwave::ranks {
namespace {

/// One rank: point-to-point messages are an error.
class SerialCommunicator final : public Communicator {
  public:
    int rank() const override { return 0; }
    int count() const override { return 1; }
    int on_this_node() const override { return 1; }
    void start_exchange(std::vector<PeerBuffers>) override {}
    std::vector<PeerBuffers> finish_exchange() override { return {}; }
    void start_sum(std::int64_t own) override { sum_ = own; }
    std::int64_t finish_sum() override { return sum_; }
    void sum(std::span<std::int64_t>) override {}
    void largest(std::span<double>) override {}
    void broadcast(std::span<std::byte>) override {}
    std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) override {
        return {std::vector(own.begin(), own.end())};
    }
    std::vector<std::vector<std::byte>> gather_to_all(std::span<const std::byte> own) override {
        return gather(own);
    }
    void share(std::span<double>, std::span<const std::size_t>) override {}
    void send(int, std::span<const std::byte>) override { nobody(); }
    std::optional<Message> receive(double) override { nobody(); }
    void give_up(int) noexcept override {}
    void fail(int, const std::string&) noexcept override {}
    Traffic traffic() const override { return {}; }

  private:
    [[noreturn]] static void nobody() { throw std::logic_error("there is only one rank"); }

    std::int64_t sum_ = 0;
};

}  // namespace

void Communicator::broadcast(std::string& text) {
    std::uint64_t size = text.size();
    broadcast(size);
    text.resize(size);
    broadcast(std::as_writable_bytes(std::span(text)));
}

bool Communicator::any(bool own) {
    std::int64_t count = own ? 1 : 0;
    sum({&count, 1});
    return count > 0;
}

std::unique_ptr<Communicator> serial_communicator() {
    return std::make_unique<SerialCommunicator>();
}

}  // namespace beadwave::ranks
