#include "jobs/read_job.hpp"

#include "io/scenario/scenario_reader.hpp"
#include "io/toml/toml_document.hpp"
#include "jobs/chain_job.hpp"
#include "jobs/packing_job.hpp"
#ifdef BEADWAVE_MECHANISMS
#include "io/scenario/mechanism_reader.hpp"
#include "jobs/mechanism_job.hpp"
#endif

#include <utility>

namespace beadwave::jobs {
namespace {

std::unique_ptr<Job> job_of(io::TomlDocument document, io::NamedFiles files) {
    if (document.root().has("body")) {
#ifdef BEADWAVE_MECHANISMS
        return std::make_unique<MechanismJob>(
            io::read_mechanism(std::move(document), std::move(files)));
#else
        document.origin.fail("body",
                             "makes this a mechanism, and this beadwave was built without Simbody "
                             "(-DBEADWAVE_MECHANISMS=OFF), which mechanisms need");
#endif
    }
    if (document.root().has("particles"))
        return std::make_unique<PackingJob>(
            io::read_packing(std::move(document), std::move(files)));
    return std::make_unique<ChainJob>(io::read_chain(std::move(document), std::move(files)));
}

}  // namespace

std::unique_ptr<Job> read_job(const std::filesystem::path& file,
                              std::span<const std::string> overrides) {
    return job_of(io::load_toml(file, overrides), io::NamedFiles::beside(file));
}

std::unique_ptr<Job> read_job(const io::CheckpointFile& checkpoint,
                              const std::filesystem::path& name) {
    return job_of(io::parse_toml(checkpoint.scenario_text(), name.string()),
                  io::NamedFiles::kept(checkpoint.file_texts()));
}

struct JobFile::Document : io::TomlDocument {
    std::filesystem::path file;
};

JobFile::JobFile(const std::filesystem::path& file, std::span<const std::string> overrides)
    : document_(std::make_unique<Document>(Document{io::load_toml(file, overrides), file})) {}

JobFile::~JobFile() = default;

const std::string& JobFile::text() const {
    return document_->text;
}

std::unique_ptr<Job> JobFile::variant(std::span<const std::string> settings) const {
    return job_of(io::variant_of(*document_, settings), io::NamedFiles::beside(document_->file));
}

}  // namespace beadwave::jobs
