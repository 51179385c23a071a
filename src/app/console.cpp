#include "app/console.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <system_error>

#include "app/commands.h"

namespace tidelock::app {

namespace {

/// A pipe or a socket, whose other end may be closed.
bool has_reader(int descriptor) {
    struct stat status = {};
    return ::fstat(descriptor, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

void write_error(const char* text) { static_cast<void>(::write(STDERR_FILENO, text, std::strlen(text)) > 0); }

/// Without memory of its own: there may be none left.
[[noreturn]] void end_with_failure() {
    write_error("tidelock: ");
    try {
        if (const auto error = std::current_exception()) std::rethrow_exception(error);
        write_error("ended without a reason");
    } catch (const std::system_error& error) {
        write_error("the machine refuses memory or threads (ulimit -v, ulimit -u): ");
        write_error(error.what());
    } catch (const std::bad_alloc&) {
        write_error("out of memory");
    } catch (const std::exception& error) {
        write_error(error.what());
    } catch (...) {
        write_error("ended by something that is no exception of ours");
    }
    write_error("\n");
    ::_exit(ExitCode::failed);
}

/// What was lost first, of the standard output.
int output_error = 0;

}  // namespace

void say_what_nobody_catches() { std::set_terminate(end_with_failure); }

void open_standard_streams() {
    for (int descriptor = 0; descriptor <= 2; ++descriptor) {
        if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
        if (::open("/dev/null", O_RDWR) != descriptor) return;  // the lowest free number; what can be done is done
    }
}

void put(std::FILE* file, const std::string& text) {
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
    if (!written && file == stdout && output_error == 0) output_error = errno;
}

int checked_output(int code) {
    if (std::fflush(stdout) != 0 && output_error == 0) output_error = errno;
    const bool good = output_error == 0 && std::ferror(stdout) == 0 && std::cout.flush();
    if (good || has_reader(STDOUT_FILENO)) return code;
    // A stream forgets why; what stands in its way still does.
    if (output_error == 0 && ::write(STDOUT_FILENO, "\n", 1) < 0) output_error = errno;
    put(stderr, fmt::format("tidelock: the standard output cannot be written{}{}\n", output_error == 0 ? "" : ": ",
                            output_error == 0 ? "" : std::strerror(output_error)));
    return code == ExitCode::done ? ExitCode::failed : code;
}

}  // namespace tidelock::app
