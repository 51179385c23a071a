#include "base/big_array.h"

#include <cstdlib>
#include <cstring>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <algorithm>

#include "base/parallel.h"

namespace tidelock {
namespace {
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t block = huge_page;
}  // namespace

void* allocate_big(std::size_t bytes) {
    if (bytes == 0) return nullptr;
    const bool huge = bytes >= 2 * huge_page;
    const std::size_t alignment = huge ? huge_page : 64;
    void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory == nullptr) throw std::bad_alloc();
#if defined(__linux__)
    if (huge) madvise(memory, bytes, MADV_HUGEPAGE);  // a hint: failure only costs speed
#endif
    auto* start = static_cast<char*>(memory);
    parallel_for("zero memory", static_cast<std::ptrdiff_t>((bytes + block - 1) / block), [&](std::ptrdiff_t i) {
        const std::size_t offset = static_cast<std::size_t>(i) * block;
        std::memset(start + offset, 0, std::min(block, bytes - offset));
    });
    return memory;
}

void free_big(void* memory) noexcept { std::free(memory); }

}  // namespace tidelock
