/* unpack.h where there is no zstd. */
#include "endgame/unpack.h"

bool unpack_can(void) {
    return false;
}

size_t unpack(uint8_t *to, size_t room, const uint8_t *bytes, size_t size) {
    (void)to;
    (void)room;
    (void)bytes;
    (void)size;
    return SIZE_MAX;
}
