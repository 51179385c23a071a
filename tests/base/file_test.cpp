#include "base/file.h"

#include <sys/mount.h>
#include <sys/resource.h>

#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>

#include "base/files_testing.h"

namespace tidelock {
namespace {

namespace fs = std::filesystem;

/// The FileError of an attempt to write, checked for what every one of them must say and leave.
FileError write_failure(const fs::path& file, std::size_t bytes = 10) {
    const std::string content(bytes, 'x');
    try {
        write_file_atomically(file, content);
    } catch (const FileError& error) {
        EXPECT_EQ(error.file(), file);
        expect_contains(error.what(), file.string());
        expect_contains(error.what(), "cannot be written");
        expect_contains(error.what(), std::strerror(error.error_number()));
        return error;
    }
    ADD_FAILURE() << file << " was written";
    return {file, "", 0};
}

/// A file system of its own for one test; absent where the machine does not let us mount one.
class Mount {
  public:
    Mount(fs::path folder, const char* options, unsigned long flags = 0) : folder_(std::move(folder)) {
        fs::create_directories(folder_);
        error_ = ::mount("tmpfs", folder_.c_str(), "tmpfs", flags, options) == 0 ? 0 : errno;
    }
    ~Mount() {
        if (error_ == 0) ::umount2(folder_.c_str(), MNT_DETACH);
    }
    Mount(const Mount&) = delete;
    Mount& operator=(const Mount&) = delete;
    [[nodiscard]] int error() const { return error_; }

  private:
    fs::path folder_;
    int error_;
};

/// No file of this process can grow beyond `bytes`: what a full disk does, without one.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        handler_ = ::signal(SIGXFSZ, SIG_IGN);  // write() then says EFBIG
        const rlimit limit{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        ::signal(SIGXFSZ, handler_);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

  private:
    rlimit before_{};
    void (*handler_)(int);
};

TEST(File, WritesAndReplacesWithoutTraces) {
    const Folder folder;
    const std::string all_bytes("a\0\xff\n", 4);
    write_file_atomically(folder / "a", all_bytes);
    EXPECT_EQ(read_file(folder / "a"), all_bytes);
    write_file_atomically(folder / "a", "second");
    EXPECT_EQ(read_file(folder / "a"), "second");
    write_file_atomically(folder / "a", "");
    EXPECT_EQ(read_file(folder / "a"), "");
    EXPECT_EQ(folder.entries(), 1);
}

TEST(File, StreamsInPiecesAndShowsNothingBeforeCommit) {
    const Folder folder;
    write_file_atomically(folder / "a", "old");
    {
        AtomicFile out(folder / "a");
        out.write("hello ");
        out.write("world");
        out.write_at(0, std::as_bytes(std::span("J", 1)));
        EXPECT_EQ(out.size(), 11u);
        EXPECT_EQ(read_file(folder / "a"), "old");
        out.commit();
        EXPECT_EQ(read_file(folder / "a"), "Jello world");
        EXPECT_THROW(out.write("late"), FileError);
    }
    {
        AtomicFile dropped(folder / "a");
        dropped.write("never seen");
    }
    EXPECT_EQ(read_file(folder / "a"), "Jello world");
    EXPECT_EQ(folder.entries(), 1);
}

TEST(File, MissingFolderAndFolderInTheWayAreNamed) {
    const Folder folder;
    EXPECT_EQ(write_failure(folder / "no/a").error_number(), ENOENT);
    write_file_atomically(folder / "file", "x");
    EXPECT_EQ(write_failure(folder / "file/a").error_number(), ENOTDIR);
    fs::create_directory(folder / "taken");
    EXPECT_EQ(write_failure(folder / "taken").error_number(), EISDIR);
    EXPECT_EQ(folder.entries(), 2);
}

TEST(File, NoPermissionIsNamed) {
    const Folder folder;
    // Root may write everywhere, so it becomes somebody else (65534: nobody) for a moment.
    const uid_t user = ::geteuid();
    fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_exec);
    ASSERT_TRUE(user != 0 || ::seteuid(65534) == 0);
    EXPECT_EQ(write_failure(folder / "a").error_number(), EACCES);
    ASSERT_TRUE(user != 0 || ::seteuid(user) == 0);
    fs::permissions(folder.path(), fs::perms::owner_all);
}

TEST(File, ReadOnlyFileSystemIsNamed) {
    const Folder folder;
    const Mount mount(folder / "ro", "size=64k", MS_RDONLY);
    if (mount.error() != 0) GTEST_SKIP() << "cannot mount a tmpfs: " << std::strerror(mount.error());
    EXPECT_EQ(write_failure(folder / "ro/a").error_number(), EROFS);
}

TEST(File, FullDiskKeepsTheOldFileAndLeavesNoTemporary) {
    const Folder folder;
    const Mount mount(folder / "small", "size=64k");
    if (mount.error() != 0) GTEST_SKIP() << "cannot mount a tmpfs: " << std::strerror(mount.error());
    write_file_atomically(folder / "small/a", "old");
    EXPECT_EQ(write_failure(folder / "small/a", 100000).error_number(), ENOSPC);
    EXPECT_EQ(read_file(folder / "small/a"), "old");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder / "small"), {}), 1);
    write_file_atomically(folder / "small/a", std::string(40000, 'y'));  // there is room again
}

TEST(File, FileSizeLimitKeepsTheOldFileAndLeavesNoTemporary) {
    const Folder folder;
    write_file_atomically(folder / "a", "old");
    {
        const FileSizeLimit limit(5000);
        EXPECT_EQ(write_failure(folder / "a", 5001).error_number(), EFBIG);
        write_file_atomically(folder / "b", std::string(5000, 'y'));
    }
    EXPECT_EQ(read_file(folder / "a"), "old");
    EXPECT_EQ(folder.entries(), 2);
}

TEST(File, ReadingHasALimitAndNamesFailures) {
    const Folder folder;
    write_file_atomically(folder / "a", "12345");
    EXPECT_EQ(read_file(folder / "a", 5), "12345");
    expect_contains(error_of<FileError>([&] { static_cast<void>(read_file(folder / "a", 4)); }), "more than 4 bytes");
    expect_contains(error_of<FileError>([&] { static_cast<void>(read_file("/dev/zero", 100000)); }),
                    "more than 100000");
    expect_contains(error_of<FileError>([&] { static_cast<void>(read_file(folder / "b")); }), "No such file");
    expect_contains(error_of<FileError>([&] { static_cast<void>(read_file(folder.path())); }), "Is a directory");
    EXPECT_FALSE(read_file("/proc/self/status").empty());  // says it has size 0
}

TEST(File, TemporariesOfKilledWritersAreSwept) {
    const Folder folder;
    std::ofstream(folder / ".a.vdb.123-0.tmp") << "half";
    std::ofstream(folder / "mine.tmp") << "kept";
    std::ofstream(folder / ".hidden") << "kept";
    remove_temporaries(folder.path());
    EXPECT_EQ(folder.entries(), 2);
    EXPECT_FALSE(fs::exists(folder / ".a.vdb.123-0.tmp"));
    remove_temporaries(folder / "not there");
}

}  // namespace
}  // namespace tidelock
