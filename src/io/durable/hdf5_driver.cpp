#include "io/durable/hdf5_driver.hpp"

#include "io/durable/full_io.hpp"
#include "io/files/error_message.hpp"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <exception>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>

namespace beadwave::io::hdf5 {
namespace {

/// Carried by the access list.
struct Hook {
    MetadataWriteHook* target;  // null: none
};

/// Metadata whose checksum is wrong are read again and again while the file is shared, each time
/// after a wait twice as long, starting from a nanosecond: 100 times, which never ends. This many
/// reads take two seconds. What is right is kept in memory and not read twice in a row.
constexpr int most_reads_in_a_row = 30;

thread_local haddr_t* asked_place = nullptr;  // see place_of_read()

struct DriverFile {
    H5FD_t common{};  // first: HDF5 knows only this member
    int descriptor = -1;
    haddr_t end_of_addresses = 0, end_of_file = 0;
    dev_t device = 0;
    ino_t number = 0;
    MetadataWriteHook* hook = nullptr;
    bool writes = true;               // false: nothing is written any more
    haddr_t last_read = HADDR_UNDEF;  // address of the last call, if it read metadata
    int reads_in_a_row = 0;           // of metadata at this address
    std::shared_ptr<WriteErrors> errors = std::make_shared<WriteErrors>();
};

static_assert(std::is_standard_layout_v<DriverFile>);  // its address is that of `common`

DriverFile& driver_file(H5FD_t* file) {
    return *reinterpret_cast<DriverFile*>(file);
}

const DriverFile& driver_file(const H5FD_t* file) {
    return *reinterpret_cast<const DriverFile*>(file);
}

constexpr haddr_t most = static_cast<haddr_t>(std::numeric_limits<off_t>::max());

// HDF5 is in C: what it calls is noexcept, and says what failed without an allocation.

/// Puts the reason where hdf5::fail() finds it.
herr_t failed(const char* why) noexcept {
    H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_IO, H5E_WRITEERROR, "%s",
             why);
    return -1;
}

/// Keeps the error of a failed write, and puts the reason where hdf5::fail() finds it.
herr_t failed(DriverFile& file, const char* why) noexcept {
    file.errors->add(why);
    return failed(why);
}

/// The text of an error as std::generic_category() has it, whose text is a string.
const char* system_text(int error) noexcept {
#ifdef __GLIBC__
    const char* const text = ::strerrordesc_np(error);  // strerror() may allocate
#else
    const char* const text = ::strerror(error);
#endif
    return text != nullptr ? text : "unknown error";
}

H5FD_t* open(const char* name, unsigned flags, hid_t access, haddr_t) noexcept {
    const auto* const hook = static_cast<const Hook*>(H5Pget_driver_info(access));
    if (hook == nullptr) return nullptr;
    const int how = ((flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY) |
                    ((flags & H5F_ACC_CREAT) != 0 ? O_CREAT : 0) |
                    ((flags & H5F_ACC_TRUNC) != 0 ? O_TRUNC : 0);
    std::unique_ptr<DriverFile> file;
    try {
        file = std::make_unique<DriverFile>();
    } catch (const std::bad_alloc& error) {
        failed(io::text_of(error));
        return nullptr;
    }
    const int descriptor = open_again(name, how | O_CLOEXEC, 0666);
    struct stat status {};
    if (descriptor < 0 || ::fstat(descriptor, &status) != 0) {
        failed(system_text(errno));
        if (descriptor >= 0) ::close(descriptor);
        return nullptr;
    }
    file->descriptor = descriptor;
    file->end_of_file = static_cast<haddr_t>(status.st_size);
    file->device = status.st_dev;
    file->number = status.st_ino;
    file->hook = hook->target;
    return &file.release()->common;
}

herr_t close(H5FD_t* opened) noexcept {
    const std::unique_ptr<DriverFile> file(&driver_file(opened));
    // Network file systems report a failed write only here.
    if (::close(file->descriptor) == 0 || !file->writes) return 0;
    return failed(*file, system_text(errno));
}

int compare(const H5FD_t* one, const H5FD_t* other) {
    const auto key = [](const DriverFile& file) { return std::tuple(file.device, file.number); };
    const auto a = key(driver_file(one)), b = key(driver_file(other));
    return a < b ? -1 : a > b ? 1 : 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
    // As in HDF5's own POSIX driver.
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_POSIX_COMPAT_HANDLE |
             H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

haddr_t end_of_addresses(const H5FD_t* file, H5FD_mem_t) {
    return driver_file(file).end_of_addresses;
}

herr_t set_end_of_addresses(H5FD_t* file, H5FD_mem_t, haddr_t address) {
    driver_file(file).end_of_addresses = address;
    return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) {
    return driver_file(file).end_of_file;
}

herr_t handle(H5FD_t* file, hid_t, void** descriptor) {
    *descriptor = &driver_file(file).descriptor;
    return 0;
}

herr_t read(H5FD_t* opened, H5FD_mem_t type, hid_t, haddr_t first, std::size_t bytes,
            void* buffer) noexcept {
    DriverFile& file = driver_file(opened);
    const haddr_t metadata = type == H5FD_MEM_DRAW ? HADDR_UNDEF : first;
    file.reads_in_a_row = metadata == file.last_read ? file.reads_in_a_row + 1 : 1;
    file.last_read = metadata;
    if (metadata != HADDR_UNDEF && file.reads_in_a_row > most_reads_in_a_row)
        return failed("incorrect metadata checksum after all read attempts");
    if (asked_place != nullptr && type == H5FD_MEM_DRAW) {
        *asked_place = first;
        return 0;
    }
    auto* const at = static_cast<char*>(buffer);
    try {
        const std::size_t got = full_read(file.descriptor, at, bytes, static_cast<off_t>(first));
        std::fill(at + got, at + bytes, '\0');  // beyond the end there are zeros
    } catch (const std::exception& error) {     // no exception may pass through HDF5
        return failed(io::text_of(error));
    }
    return 0;
}

herr_t write(H5FD_t* opened, H5FD_mem_t type, hid_t, haddr_t first, std::size_t bytes,
             const void* buffer) noexcept {
    DriverFile& file = driver_file(opened);
    file.last_read = HADDR_UNDEF;
    if (!file.writes) return 0;
    if (file.errors->any()) return failed(file.errors->first());
    try {
        if (type != H5FD_MEM_DRAW && file.hook != nullptr)
            file.hook->before(file.descriptor, first, bytes);
        full_write(file.descriptor, buffer, bytes, static_cast<off_t>(first));
    } catch (const std::exception& error) {
        return failed(file, io::text_of(error));
    }
    file.end_of_file = std::max(file.end_of_file, first + bytes);
    return 0;
}

herr_t truncate(H5FD_t* opened, hid_t, hbool_t) noexcept {
    DriverFile& file = driver_file(opened);
    if (!file.writes) return 0;
    if (file.errors->any()) return failed(file.errors->first());
    const haddr_t shortest = file.hook == nullptr ? 0 : file.hook->shortest();
    const haddr_t end = std::max(file.end_of_addresses, shortest);
    if (end == file.end_of_file) return 0;
    try {
        full_truncate(file.descriptor, static_cast<off_t>(end));
    } catch (const std::exception& error) {
        return failed(file, io::text_of(error));
    }
    file.end_of_file = end;
    return 0;
}

// The caller has locked the file. HDF5 sets the SWMR flag of a file only if its driver has these
// two functions.
herr_t lock(H5FD_t*, hbool_t) {
    return 0;
}

herr_t unlock(H5FD_t*) {
    return 0;
}

hid_t driver() {
    static const hid_t registered = [] {
        static H5FD_class_t own{};
#if H5_VERSION_GE(1, 13, 0)
        own.version = H5FD_CLASS_VERSION;
        own.value = static_cast<H5FD_class_value_t>(600);  // for drivers of programs: 512 and above
#endif
        own.name = "beadwave";
        own.maxaddr = most;
        own.fc_degree = H5F_CLOSE_WEAK;
        own.fapl_size = sizeof(Hook);
        own.open = open;
        own.close = close;
        own.cmp = compare;
        own.query = query;
        own.get_eoa = end_of_addresses;
        own.set_eoa = set_end_of_addresses;
        own.get_eof = end_of_file;
        own.get_handle = handle;
        own.read = read;
        own.write = write;
        own.truncate = truncate;
        own.lock = lock;
        own.unlock = unlock;
        constexpr H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
        std::copy(std::begin(map), std::end(map), own.fl_map);
        return checked("register", "the file driver", [] { return H5FDregister(&own); });
    }();
    return registered;
}

/// Null for files of other drivers.
DriverFile* driver_file(const File& file) {
    const Silence silence;
    const PropertyList access(H5Fget_access_plist(file.id()));
    void* descriptor = nullptr;
    if (H5Pget_driver(access.id()) != driver() ||
        H5Fget_vfd_handle(file.id(), H5P_DEFAULT, &descriptor) < 0)
        return nullptr;
    auto* const start = static_cast<char*>(descriptor) - offsetof(DriverFile, descriptor);
    return reinterpret_cast<DriverFile*>(start);
}

}  // namespace

void use_driver(const PropertyList& access, MetadataWriteHook* hook) {
    const Hook info{hook};
    checked("set", "the file driver", [&] { return H5Pset_driver(access.id(), driver(), &info); });
}

haddr_t place_of_read(const std::function<herr_t()>& read) {
    haddr_t place = HADDR_UNDEF;
    asked_place = &place;
    const herr_t status = read();
    asked_place = nullptr;
    return status < 0 ? HADDR_UNDEF : place;
}

void WriteErrors::add(const char* why) noexcept {
    if (any()) return;
    if (*why == '\0') why = "unknown error";
    std::strncpy(first_.data(), why, first_.size() - 1);  // the last byte stays zero
}

void WriteErrors::check() const {
    if (any()) throw std::runtime_error(std::string("cannot write to it: ") + first());
}

std::shared_ptr<const WriteErrors> write_errors_of(const File& file) {
    const DriverFile* const opened = driver_file(file);
    return opened == nullptr ? nullptr : opened->errors;
}

void stop_writing(const File& file) {
    DriverFile* const opened = driver_file(file);
    if (opened != nullptr) opened->writes = false;
}

}  // namespace beadwave::io::hdf5
