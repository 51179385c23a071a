/// What tests that touch files share: a folder of their own, and the message of an error.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/file.h"

namespace tidelock {

/// The message of the E that f throws; a test failure and "" if it throws none.
template <class E = InputError, class F>
std::string error_of(F&& f) {
    try {
        f();
    } catch (const E& error) {
        return error.what();
    }
    ADD_FAILURE() << "no error of the expected kind";
    return "";
}

inline void expect_contains(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' not in: " << text;
}

/// A test's own empty folder, removed afterwards; with TIDELOCK_KEEP_FILES in the environment it stays, to be looked
/// at.
class Folder {
  public:
    Folder() {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        path_ = std::filesystem::temp_directory_path() / (std::string("tidelock-") + test->test_suite_name() + "-" +
                                                          test->name() + "-" + std::to_string(::getpid()));
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    ~Folder() {
        if (!std::getenv("TIDELOCK_KEEP_FILES")) std::filesystem::remove_all(path_);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    /// Files and folders directly in it.
    [[nodiscard]] int entries() const {
        int count = 0;
        for (const auto& entry : std::filesystem::directory_iterator(path_)) count += !entry.path().empty();
        return count;
    }

  private:
    std::filesystem::path path_;
};

}  // namespace tidelock
