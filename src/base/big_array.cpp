#include "base/big_array.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "base/parallel.h"

namespace tidelock {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t small_page = 4096;
constexpr std::size_t huge_from = 2 * huge_page;  // on huge pages
#if defined(TIDELOCK_SANITIZED)
constexpr std::size_t mapped_from = huge_from;  // what malloc hands out has guards at both ends
#else
constexpr std::size_t mapped_from = std::size_t{128} << 10;  // in pages of its own, kept when freed
#endif
constexpr std::size_t cleared_at_once = std::size_t{256} << 10;

std::size_t rounded(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

#if defined(__linux__)
/// What a block takes: at most an eighth more than asked for, so that a freed one suits the next step's array though
/// that is a few bricks longer. Pages that nobody touches cost no memory.
std::size_t block_size(std::size_t bytes) {
    if (bytes >= huge_from) return rounded(bytes, huge_page);
    return rounded(bytes, std::max(small_page, std::bit_floor(bytes) / 8));
}

/// Fresh pages are zero already; touching them in parallel has the kernel clear them on all threads.
void touch_pages(char* memory, std::size_t bytes) {
    parallel_for("touch memory", static_cast<std::ptrdiff_t>(bytes / huge_page), [&](std::ptrdiff_t i) {
        char* block = memory + static_cast<std::size_t>(i) * huge_page;
        for (std::size_t offset = 0; offset < huge_page; offset += small_page)
            static_cast<volatile char*>(block)[offset] = 0;
    });
}

void clear(char* memory, std::size_t bytes) {
    const auto pieces = static_cast<std::ptrdiff_t>(rounded(bytes, cleared_at_once) / cleared_at_once);
    parallel_for("clear memory", pieces, [&](std::ptrdiff_t i) {
        const std::size_t begin = static_cast<std::size_t>(i) * cleared_at_once;
        std::memset(memory + begin, 0, std::min(cleared_at_once, bytes - begin));
    });
}

void* map_pages(std::size_t bytes) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    return memory;
}

char* map_huge_pages(std::size_t size) {
    // One huge page more than needed, so that the start can be aligned; the rest is given back.
    auto* start = static_cast<char*>(map_pages(size + huge_page));
    const std::size_t skip = (huge_page - reinterpret_cast<std::uintptr_t>(start) % huge_page) % huge_page;
    if (skip > 0) munmap(start, skip);
    munmap(start + skip + size, huge_page - skip);
    madvise(start + skip, size, MADV_HUGEPAGE);  // a hint: failure only costs speed
    touch_pages(start + skip, size);
    return start + skip;
}

/// Freed blocks, newest last. A sanitizer must see every use of freed memory, so there nothing is kept.
class Spares {
  public:
    char* take(std::size_t size) noexcept {
        const std::lock_guard guard(mutex_);
        in_use_ += size;
        peak_ = std::max(peak_, in_use_);
        for (std::size_t i = blocks_.size(); i-- > 0;)
            if (blocks_[i].size == size) {
                char* memory = blocks_[i].memory;
                blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(i));
                kept_ -= size;
                return memory;
            }
        // A fresh block: spares of other sizes make room for it, oldest first.
        while (!blocks_.empty() && in_use_ + kept_ > peak_) {
            munmap(blocks_.front().memory, blocks_.front().size);
            kept_ -= blocks_.front().size;
            blocks_.erase(blocks_.begin());
        }
        return nullptr;
    }
    void give(char* memory, std::size_t size) noexcept {
        const std::lock_guard guard(mutex_);
        in_use_ -= size;
#if !defined(TIDELOCK_SANITIZED)
        if (in_use_ + kept_ + size <= peak_) {
            try {
                blocks_.push_back({memory, size});
                kept_ += size;
                return;
            } catch (...) {  // no memory for the list: give the block back
            }
        }
#endif
        munmap(memory, size);
    }

  private:
    struct Block {
        char* memory;
        std::size_t size;
    };
    std::mutex mutex_;
    std::vector<Block> blocks_;
    std::size_t in_use_ = 0, kept_ = 0, peak_ = 0;
};

Spares& spares() {
    static auto* const instance = new Spares;  // never destroyed: arrays with static lifetime may outlive it
    return *instance;
}
#endif

}  // namespace

void* allocate_big(std::size_t bytes, bool zeroed) {
    if (bytes == 0) return nullptr;
#if defined(__linux__)
    if (bytes >= mapped_from) {
        const std::size_t size = block_size(bytes);
        if (char* spare = spares().take(size)) {
            if (zeroed) clear(spare, bytes);
            return spare;
        }
        return bytes >= huge_from ? map_huge_pages(size) : map_pages(size);
    }
#endif
    void* memory = std::aligned_alloc(64, rounded(bytes, 64));
    if (memory == nullptr) throw std::bad_alloc();
    if (zeroed) std::memset(memory, 0, bytes);
    return memory;
}

void free_big(void* memory, std::size_t bytes) noexcept {
    if (memory == nullptr) return;
#if defined(__linux__)
    if (bytes >= mapped_from) {
        spares().give(static_cast<char*>(memory), block_size(bytes));
        return;
    }
#endif
    std::free(memory);
}

}  // namespace tidelock
