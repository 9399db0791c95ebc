/* Books in memory: reading, finding positions, and which moves they have. */
#include "book/book.h"

#include "engine/packed.h"
#include "system/byte_order.h"
#include "system/checksum.h"
#include "system/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AT_COUNT = 12, AT_GAME = 16, GAME_BYTES = 16, AT_NODES = 32, AT_CHECKSUM = 40 };

static const char MAGIC[8] = {'C', 'r', 'o', 'w', 'n', 'B', 'o', 'k'};
static const uint32_t VERSION = 1;

/* ---- Files --------------------------------------------------------------------------------------------- */

static bool refuse(ParseError *error, const char *text) {
    snprintf(error->text, sizeof error->text, "%s", text);
    return false;
}

static uint32_t checksum(const uint8_t header[static BOOK_HEADER_BYTES], const uint8_t *entries,
                         size_t count) {
    return checksum_32(checksum_32(0, header, AT_CHECKSUM), entries, count * BOOK_ENTRY_BYTES);
}

void book_write_header(const Book *book, uint8_t header[static BOOK_HEADER_BYTES]) {
    memset(header, 0, BOOK_HEADER_BYTES);
    memcpy(header, MAGIC, sizeof MAGIC);
    little_endian_put(header + sizeof MAGIC, VERSION, 4);
    little_endian_put(header + AT_COUNT, book->count, 4);
    snprintf((char *)header + AT_GAME, GAME_BYTES, "%s", rules_of(book->variant)->name);
    little_endian_put(header + AT_NODES, book->nodes, 8);
    little_endian_put(header + AT_CHECKSUM, checksum(header, book->entries, book->count), 4);
}

static bool is_sorted(const Book *book) {
    for (uint32_t i = 1; i < book->count; i++) {
        const uint8_t *entry = book->entries + (size_t)i * BOOK_ENTRY_BYTES;
        if (memcmp(entry - BOOK_ENTRY_BYTES, entry, BOOK_KEY_BYTES) >= 0) {
            return false;
        }
    }
    return true;
}

bool book_read(Book *book, Variant variant, const uint8_t *bytes, size_t size, ParseError *error) {
    const uint8_t *entries = bytes + BOOK_HEADER_BYTES;

    *book = (Book){.variant = variant};
    if (size < BOOK_HEADER_BYTES || memcmp(bytes, MAGIC, sizeof MAGIC) != 0) {
        return refuse(error, "not an opening book");
    }
    if (little_endian_get(bytes + sizeof MAGIC, 4) != VERSION) {
        return refuse(error, "an opening book of another version");
    }
    if (strncmp((const char *)bytes + AT_GAME, rules_of(variant)->name, GAME_BYTES) != 0) {
        return refuse(error, "an opening book of another game");
    }
    uint32_t count = (uint32_t)little_endian_get(bytes + AT_COUNT, 4);
    if (count > BOOK_ENTRIES_MAX || size != BOOK_HEADER_BYTES + (size_t)count * BOOK_ENTRY_BYTES ||
        little_endian_get(bytes + AT_CHECKSUM, 4) != checksum(bytes, entries, count)) {
        return refuse(error, "the opening book is damaged");
    }
    Book read = {variant, little_endian_get(bytes + AT_NODES, 8), count, entries, NULL};
    if (!is_sorted(&read)) {
        return refuse(error, "the opening book is not sorted");
    }
    *book = read;
    return true;
}

bool book_open(Book *book, Variant variant, const char *path, ParseError *error) {
    uint64_t size;
    int fd = file_open(path, &size);
    uint8_t *bytes = NULL;

    *book = (Book){.variant = variant};
    if (fd < 0) {
        return refuse(error, strerror(-fd));
    }
    bool sane = size > 0 && size <= BOOK_HEADER_BYTES + (uint64_t)BOOK_ENTRIES_MAX * BOOK_ENTRY_BYTES;
    bytes = sane ? malloc((size_t)size) : NULL;
    bool good = bytes != NULL && file_read_at(fd, 0, bytes, (size_t)size);
    file_close(fd);
    if (!good) {
        refuse(error, !sane ? "not an opening book" : bytes == NULL ? strerror(ENOMEM) : "cannot be read");
    } else if (book_read(book, variant, bytes, (size_t)size, error)) {
        book->memory = bytes;
        return true;
    }
    free(bytes);
    return false;
}

void book_close(Book *book) {
    free(book->memory);
    *book = (Book){.variant = book->variant};
}

/* ---- Entries ------------------------------------------------------------------------------------------- */

static void pack_key(const Position *position, uint8_t bytes[static BOOK_KEY_BYTES]) {
    little_endian_put(bytes, packed_squares(position->pieces[WHITE]), 4);
    little_endian_put(bytes + 4, packed_squares(position->pieces[BLACK]), 4);
    little_endian_put(bytes + 8, packed_squares(position->kings), 4);
    bytes[12] = position->turn;
}

void book_pack(const BookEntry *entry, uint8_t bytes[static BOOK_ENTRY_BYTES]) {
    int depth = entry->depth < BOOK_DEPTH_MAX ? entry->depth : BOOK_DEPTH_MAX;

    pack_key(&entry->position, bytes);
    bytes[13] = (uint8_t)(depth | (entry->opening ? BOOK_OPENING_BIT : 0));
    little_endian_put(bytes + 14, (uint16_t)entry->score, 2);
    little_endian_put(bytes + 16, (uint16_t)entry->value, 2);
    little_endian_put(bytes + 18, entry->move, 2);
}

BookEntry book_entry(const Book *book, uint32_t index) {
    const uint8_t *bytes = book->entries + (size_t)index * BOOK_ENTRY_BYTES;
    BookEntry entry = {
        .opening = (bytes[13] & BOOK_OPENING_BIT) != 0,
        .depth = bytes[13] & BOOK_DEPTH_MAX,
        .score = (int16_t)little_endian_get(bytes + 14, 2),
        .value = (int16_t)little_endian_get(bytes + 16, 2),
        .move = (uint16_t)little_endian_get(bytes + 18, 2),
    };

    (void)packed_read((uint32_t)little_endian_get(bytes, 4), (uint32_t)little_endian_get(bytes + 4, 4),
                      (uint32_t)little_endian_get(bytes + 8, 4), bytes[12] & 1, &entry.position);
    return entry;
}

bool book_find(const Book *book, const Position *position, uint32_t *index) {
    uint8_t key[BOOK_KEY_BYTES];
    uint32_t low = 0, high = book->count;

    pack_key(position, key);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = memcmp(book->entries + (size_t)middle * BOOK_ENTRY_BYTES, key, BOOK_KEY_BYTES);
        if (order == 0) {
            *index = middle;
            return true;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return false;
}

bool book_is_inner(const Book *book, const Position *position, MoveList *moves, uint32_t after[MOVES_MAX]) {
    movegen_generate(book->variant, position, moves);
    for (int i = 0; i < moves->count; i++) {
        Position next = position_after(position, moves->moves[i]);
        if (!book_find(book, &next, &after[i])) {
            return false;
        }
    }
    return position->kings == 0 && moves->count > 0;
}

Move book_leaf_move(Variant variant, const BookEntry *entry) {
    MoveList moves;

    movegen_generate(variant, &entry->position, &moves);
    for (int i = 0; i < moves.count; i++) {
        if (move_code(moves.moves[i]) == entry->move) {
            return moves.moves[i];
        }
    }
    return MOVE_NONE;
}

static void insert(BookMove *moves, int count, BookMove move) {
    int at = count;

    for (; at > 0 && moves[at - 1].value < move.value; at--) {
        moves[at] = moves[at - 1];
    }
    moves[at] = move;
}

int book_moves(const Book *book, const Position *position, BookMove moves[MOVES_MAX]) {
    uint32_t index, after[MOVES_MAX];
    MoveList legal;

    if (!book_find(book, position, &index)) {
        return 0;
    }
    if (book_is_inner(book, position, &legal, after)) {
        for (int i = 0; i < legal.count; i++) {
            int value = book_value_before(book_entry(book, after[i]).value);
            insert(moves, i, (BookMove){legal.moves[i], value});
        }
        return legal.count;
    }
    BookEntry entry = book_entry(book, index);
    moves[0] = (BookMove){book_leaf_move(book->variant, &entry), entry.score};
    return entry.opening && moves[0].move != MOVE_NONE ? 1 : 0;
}
