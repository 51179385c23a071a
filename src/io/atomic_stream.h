/// An AtomicFile as a std::streambuf, for libraries that write to a std::ostream and seek in it.
///
/// Give the stream `exceptions(std::ios::badbit)`: a failed write then reaches the caller as the FileError that names
/// the file and the reason, instead of a silent bit.
#pragma once

#include <cstdint>
#include <streambuf>
#include <vector>

#include "base/file.h"

namespace tidelock {

class AtomicStreamBuffer : public std::streambuf {
  public:
    explicit AtomicStreamBuffer(AtomicFile& file) : file_(file) {}

  protected:
    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char* data, std::streamsize count) override;
    int sync() override;
    pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode which) override;
    pos_type seekpos(pos_type position, std::ios_base::openmode which) override;

  private:
    void flush();

    AtomicFile& file_;
    std::vector<char> pending_;  ///< bytes that belong at position_
    std::uint64_t position_ = 0;
};

}  // namespace tidelock
