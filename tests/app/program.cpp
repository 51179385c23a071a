#include "app/program.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "base/file.h"
#include "io/step_log.h"

namespace tidelock {

Program::Program(const std::vector<std::string>& arguments, std::size_t largest_file) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw FileError("pipe", "cannot be made", errno);
    std::vector<std::string> words = {TIDELOCK_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    process_ = ::fork();
    if (process_ == 0) {
        if (largest_file > 0) {
            const rlimit limit{largest_file, largest_file};
            ::setrlimit(RLIMIT_FSIZE, &limit);
        }
        ::dup2(ends[1], 1);
        ::dup2(ends[1], 2);
        ::execv(pointers[0], pointers.data());
        ::_exit(127);
    }
    ::close(ends[1]);
    output_ = ends[0];
}

#ifdef TIDELOCK_SANITIZED
namespace {
/// The thread sanitizer's own words about libraries without symbols, said even where a suppression covers the finding.
void drop_lines(std::string& text, std::string_view beginning) {
    for (std::size_t at = text.find(beginning); at != std::string::npos; at = text.find(beginning, at)) {
        const std::size_t end = text.find('\n', at);
        text.erase(at, end == std::string::npos ? end : end - at + 1);
    }
}
}  // namespace
#endif

Program::~Program() {
    if (!ended_) {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, &status_, 0);
    }
    if (output_ >= 0) ::close(output_);
}

void Program::send(int signal) const { ::kill(process_, signal); }

bool Program::running() {
    if (!ended_) ended_ = ::waitpid(process_, &status_, WNOHANG) == process_;
    return !ended_;
}

Outcome Program::wait() {
    Outcome outcome;
    char buffer[4096];
    for (ssize_t n = ::read(output_, buffer, sizeof buffer); n > 0; n = ::read(output_, buffer, sizeof buffer))
        outcome.output.append(buffer, static_cast<std::size_t>(n));
    if (!ended_) ended_ = ::waitpid(process_, &status_, 0) == process_;
    if (WIFEXITED(status_)) outcome.code = WEXITSTATUS(status_);
    if (WIFSIGNALED(status_)) outcome.signal = WTERMSIG(status_);
#ifdef TIDELOCK_SANITIZED
    drop_lines(outcome.output, "LLVMSymbolizer: ");
#endif
    return outcome;
}

Outcome tidelock(const std::vector<std::string>& arguments) { return Program(arguments).wait(); }

int shell(const std::string& before, const std::vector<std::string>& arguments, const std::string& redirections) {
    std::string line = before.empty() ? "exec" : before + "; exec";
    line += std::string(" '") + TIDELOCK_PROGRAM + "'";
    for (const std::string& word : arguments) line += " '" + word + "'";
    const int status = std::system((line + " " + redirections).c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::vector<std::string> small_run(const std::filesystem::path& out, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"run",   "boxes-2d",
                                      "--out", out.string(),
                                      "--set", "domain.cells=64",
                                      "--set", "time.duration=0.4",
                                      "--set", "time.fps=30",
                                      "--set", "render.width=160",
                                      "--set", "output.preview_share=1",
                                      "--set", "output.checkpoint_every=2"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

std::string comparable_steps(const std::filesystem::path& run) {
    std::string text;
    for (StepRecord record : read_step_log(run / "steps.jsonl")) {
        record.seconds.clear();
        record.memory_mb = 0;
        for (auto& solve : record.solves) solve.seconds = 0;
        text += to_json_line(record) + "\n";
    }
    return text;
}

std::string bytes_of(const std::filesystem::path& file) { return read_file(file); }

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace tidelock
