#include "scratch.h"

#include <cstdlib>

namespace addison {

namespace {

struct Buffer {
    char* memory = nullptr;
    size_t size = 0;
    ~Buffer() { std::free(memory); }
};

constexpr size_t PAGE = 4096;

}  // namespace

char* scratch(size_t bytes) {
    static thread_local Buffer buffer;
    if (buffer.size < bytes) {
        bytes = (bytes + PAGE - 1) / PAGE * PAGE;
        void* fresh = std::aligned_alloc(PAGE, bytes);
        if (!fresh) return nullptr;
        std::free(buffer.memory);
        buffer.memory = static_cast<char*>(fresh);
        buffer.size = bytes;
    }
    return buffer.memory;
}

}  // namespace addison
