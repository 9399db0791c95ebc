/* The characters of a PDN text, whatever script or code page it is in. */
#ifndef CROWNHEAD_ENGINE_PDN_CHARACTER_H
#define CROWNHEAD_ENGINE_PDN_CHARACTER_H

#include <stdbool.h>
#include <stddef.h>

/* Codes that are not ASCII. */
enum { CHAR_END = -1, CHAR_HALF = 256, CHAR_OTHER };

/* A character as it is understood: dashes, quotes and blanks of any kind have the code of the ASCII one. */
typedef struct {
    int code;
    size_t size; /* bytes, 0 at the end */
} PdnCharacter;

/* The same for bytes above ASCII, of which there is at least one. */
PdnCharacter pdn_character_beyond_ascii(const char *at, const char *end);

static inline PdnCharacter pdn_character_at(const char *at, const char *end) {
    if (at == end) {
        return (PdnCharacter){CHAR_END, 0};
    }
    return (unsigned char)*at < 0x80 ? (PdnCharacter){*at, 1} : pdn_character_beyond_ascii(at, end);
}

static inline bool is_blank(int code) {
    return code == ' ' || (code >= '\t' && code <= '\r');
}

static inline bool is_newline(int code) {
    return code == '\n' || code == '\r';
}

static inline bool is_digit(int code) {
    return code >= '0' && code <= '9';
}

static inline bool is_letter(int code) {
    return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
}

/* Whether it names a file of the board. */
static inline bool is_file(int code) {
    return (code >= 'a' && code <= 'h') || (code >= 'A' && code <= 'H');
}

/* Whether it can stand between the squares of a move. */
static inline bool is_separator(int code) {
    return code == '-' || code == 'x' || code == 'X' || code == ':' || code == '*';
}

/* Whether a word ends before it. */
static inline bool is_break(int code) {
    return is_blank(code) || code == CHAR_END || code == '(' || code == ')' || code == '{' || code == '[' ||
           code == ';' || code == '*';
}

#endif
