#include "scratch.h"

#include <pthread.h>

#include <cstdint>
#include <cstdlib>

#include "recycler.h"

namespace addison {

namespace {

constexpr size_t PAGE = 4096;

// Each thread's memory and its size. Not thread_local: where memory is short, that ends the process, be it for the
// variable itself or for registering its destructor.
struct Keys {
    pthread_key_t memory = 0, size = 0;
    const bool made = pthread_key_create(&memory, std::free) == 0 && pthread_key_create(&size, nullptr) == 0;
};

}  // namespace

char* scratch(size_t bytes) {
    static const Keys keys;
    if (!keys.made) return nullptr;
    char* const memory = static_cast<char*>(pthread_getspecific(keys.memory));
    if (memory && reinterpret_cast<uintptr_t>(pthread_getspecific(keys.size)) >= bytes) return memory;
    bytes = (bytes + PAGE - 1) / PAGE * PAGE;
    char* const fresh = allocate(bytes);
    if (!fresh) return nullptr;
    if (pthread_setspecific(keys.memory, fresh) != 0) {
        std::free(fresh);
        return nullptr;
    }
    std::free(memory);
    // Without its size the memory serves nothing, but will be freed.
    return pthread_setspecific(keys.size, reinterpret_cast<void*>(bytes)) == 0 ? fresh : nullptr;
}

}  // namespace addison
