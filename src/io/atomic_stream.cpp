#include "io/atomic_stream.h"

namespace tidelock {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

}  // namespace

void AtomicStreamBuffer::flush() {
    if (pending_.empty()) return;
    file_.write_at(position_, std::as_bytes(std::span(pending_)));
    position_ += pending_.size();
    pending_.clear();
}

AtomicStreamBuffer::int_type AtomicStreamBuffer::overflow(int_type character) {
    if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
    const char byte = traits_type::to_char_type(character);
    xsputn(&byte, 1);
    return character;
}

std::streamsize AtomicStreamBuffer::xsputn(const char* data, std::streamsize count) {
    pending_.insert(pending_.end(), data, data + count);
    if (pending_.size() >= buffer_bytes) flush();
    return count;
}

int AtomicStreamBuffer::sync() {
    flush();
    return 0;
}

AtomicStreamBuffer::pos_type AtomicStreamBuffer::seekoff(off_type offset, std::ios_base::seekdir from,
                                                         std::ios_base::openmode which) {
    const auto here = static_cast<off_type>(position_ + pending_.size());
    if (from == std::ios_base::cur && offset == 0) return here;  // tellp
    flush();
    const off_type base = from == std::ios_base::beg ? 0 : from == std::ios_base::cur ? here : off_type(file_.size());
    return seekpos(base + offset, which);
}

AtomicStreamBuffer::pos_type AtomicStreamBuffer::seekpos(pos_type position, std::ios_base::openmode) {
    flush();
    const auto target = static_cast<off_type>(position);
    if (target < 0 || static_cast<std::uint64_t>(target) > file_.size()) return {off_type(-1)};
    position_ = static_cast<std::uint64_t>(target);
    return position;
}

}  // namespace tidelock
