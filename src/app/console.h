/// What the program says: to outputs that may be closed, full, or read by nobody any more.
#pragma once

#include <cstdio>
#include <string>

namespace tidelock::app {

/// Opens the null device in the place of each standard stream that is closed: else the first files that are opened would
/// get their numbers, and what is said would be written into them. Call it before anything is opened.
void open_standard_streams();

/// From the very start of the process, before the first library sets itself up: what nobody catches is said in a line, and
/// the exit code is that of a failure. Libraries start threads, which a machine may refuse (`ulimit -v`, `ulimit -u`).
void say_what_nobody_catches();

/// Writes and flushes. What cannot be written is lost: nothing ends because nobody can read of it.
void put(std::FILE* file, const std::string& text);

/// The exit code at the end: `code`, but a failure if something was said to the standard output that could not be
/// written (a full disk), for that is what the caller was to read. A pipe whose reader has left is none.
[[nodiscard]] int checked_output(int code);

}  // namespace tidelock::app
