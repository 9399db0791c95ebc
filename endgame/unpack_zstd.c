/* unpack.h by zstd. */
#include "endgame/unpack.h"

#include <zstd.h>

bool unpack_can(void) {
    return true;
}

size_t unpack(uint8_t *to, size_t room, const uint8_t *bytes, size_t size) {
    size_t count = ZSTD_decompress(to, room, bytes, size);

    return ZSTD_isError(count) ? SIZE_MAX : count;
}
