/* The blocks of distance files. A build without zstd does without them. */
#ifndef CROWNHEAD_ENDGAME_UNPACK_H
#define CROWNHEAD_ENDGAME_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether this build can. */
bool unpack_can(void);

/* How many bytes it wrote, SIZE_MAX if these bytes are damaged or would not fit. */
size_t unpack(uint8_t *to, size_t room, const uint8_t *bytes, size_t size);

#endif
