#include "engine/pdn_character.h"

#include <string.h>

static bool is_continuation(char byte) {
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Bytes of the UTF-8 sequence at the start of a text, 1 if there is none. */
static size_t sequence_size(const char *at, const char *end) {
    unsigned char lead = (unsigned char)at[0];
    size_t size = lead >= 0xF0 && lead <= 0xF4   ? 4
                  : lead >= 0xE0 && lead <= 0xEF ? 3
                  : lead >= 0xC2 && lead <= 0xDF ? 2
                                                 : 1;

    if (size > (size_t)(end - at)) {
        return 1;
    }
    for (size_t index = 1; index < size; index++) {
        if (!is_continuation(at[index])) {
            return 1;
        }
    }
    return size;
}

/* The signs that word processors and bulletins put in the place of ASCII, in UTF-8 and in code page 1252. */
static int lookalike(const char *at, size_t size) {
    static const struct {
        const char *bytes;
        int code;
    } SIGNS[] = {
        {"\xC2\xA0", ' '},                      /* no-break space */
        {"\xEF\xBB\xBF", ' '},                  /* byte order mark */
        {"\xE2\x80\x90", '-'},                  /* hyphen */
        {"\xE2\x80\x91", '-'},                  /* no-break hyphen */
        {"\xE2\x80\x92", '-'},                  /* figure dash */
        {"\xE2\x80\x93", '-'},                  /* en dash */
        {"\xE2\x80\x94", '-'},                  /* em dash */
        {"\xE2\x88\x92", '-'},                  /* minus */
        {"\xE2\x80\x9C", '"'},                  /* quotes */
        {"\xE2\x80\x9D", '"'},                  /* quotes */
        {"\xE2\x80\x9E", '"'},                  /* quotes */
        {"\xE2\x80\xA6", '.'},                  /* three dots */
        {"\xC3\x97", 'x'},                      /* times */
        {"\xC2\xBD", CHAR_HALF},                /* one half */
        {"\x85", '.'},                          /* three dots */
        {"\x93", '"'},           {"\x94", '"'}, /* quotes */
        {"\x96", '-'},           {"\x97", '-'}, /* en dash, em dash */
        {"\xA0", ' '},                          /* no-break space */
    };

    for (size_t index = 0; index < sizeof SIGNS / sizeof SIGNS[0]; index++) {
        if (strlen(SIGNS[index].bytes) == size && memcmp(at, SIGNS[index].bytes, size) == 0) {
            return SIGNS[index].code;
        }
    }
    return CHAR_OTHER;
}

PdnCharacter pdn_character_beyond_ascii(const char *at, const char *end) {
    size_t size = sequence_size(at, end);
    return (PdnCharacter){lookalike(at, size), size};
}
