/// Work memory of a thread, for kernels whose windows are too large for the stack.
#pragma once

#include <cstddef>
#include <type_traits>

namespace tidelock {

/// At least `bytes` of this thread's scratch memory, aligned to a cache line. The same memory is handed out each time,
/// with whatever the last user left in it: hold it only within one kernel, and call nothing that asks for it again.
void* thread_scratch(std::size_t bytes);

template <class T>
T& thread_scratch() {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 64);
    return *static_cast<T*>(thread_scratch(sizeof(T)));
}

}  // namespace tidelock
