#include "base/scratch.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace tidelock {

void* thread_scratch(std::size_t bytes) {
    thread_local std::unique_ptr<void, decltype(&std::free)> memory(nullptr, &std::free);
    thread_local std::size_t size = 0;
    if (bytes > size) {
        size = (bytes + 63) / 64 * 64;
        memory.reset(std::aligned_alloc(64, size));
        if (memory == nullptr) {
            size = 0;
            throw std::bad_alloc();
        }
        std::memset(memory.get(), 0, size);
    }
    return memory.get();  // NOLINT(clang-analyzer-unix.Malloc): it takes a thread_local to end here
}

}  // namespace tidelock
