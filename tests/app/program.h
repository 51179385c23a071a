/// Runs the real program, as a user would.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace tidelock {

struct Outcome {
    int code = -1;       ///< exit code; -1 if a signal ended it
    int signal = 0;      ///< that ended it
    std::string output;  ///< both its outputs
};

/// A process of the program; its end is awaited at the latest when it goes out of scope.
class Program {
  public:
    /// `largest_file` > 0 bounds the files that it may write [bytes]: what is longer fails as on a full disk.
    explicit Program(const std::vector<std::string>& arguments, std::size_t largest_file = 0);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void send(int signal) const;
    /// Whether it is still there.
    [[nodiscard]] bool running();
    Outcome wait();

  private:
    pid_t process_ = -1;
    int output_ = -1;
    bool ended_ = false;
    int status_ = 0;
};

/// Starts it and waits for its end.
Outcome tidelock(const std::vector<std::string>& arguments);

/// What a shell makes of a command line in which "tidelock" stands for the program: its exit code, 128 and more for a
/// signal that ended it. `before`: other commands, "ulimit -v 100000".
int shell(const std::string& before, const std::vector<std::string>& arguments, const std::string& redirections);

/// A small run of a scene of the plane that ends within a second: arguments of `tidelock`.
std::vector<std::string> small_run(const std::filesystem::path& out, const std::vector<std::string>& more = {});

/// steps.jsonl without what may differ between two runs: seconds and memory.
std::string comparable_steps(const std::filesystem::path& run);

/// The bytes of a file.
std::string bytes_of(const std::filesystem::path& file);
/// Files of a folder, by name.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder);

}  // namespace tidelock
