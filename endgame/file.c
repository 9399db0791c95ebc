/* Files of slices, read block by block. */
#include "endgame/file.h"

#include "endgame/file_format.h"
#include "endgame/unpack.h"
#include "system/byte_order.h"
#include "system/checksum.h"
#include "system/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIRECTORY_STEP = 16 /* blocks between two offsets that are remembered */ };

void egdb_file_name(Variant variant, EgdbKind kind, Slice slice, char name[static EGDB_NAME_SIZE]) {
    snprintf(name, EGDB_NAME_SIZE, "%s-%d%d%d%d.%s", rules_of(variant)->name, slice.men[0], slice.kings[0],
             slice.men[1], slice.kings[1], egdb_kind_name(kind));
}

bool egdb_file_is_temporary(const char *name) {
    size_t length = strlen(name);

    return length > 8 &&
           (strcmp(name + length - 8, ".wld.tmp") == 0 || strcmp(name + length - 8, ".dtw.tmp") == 0);
}

static bool refuse(ParseError *error, const char *name, const char *why) {
    snprintf(error->text, sizeof error->text, "%.60s: %s", name, why);
    return false;
}

static uint16_t entry_of(const EgdbFile *file, uint64_t block) {
    return (uint16_t)little_endian_get(file->directory + block * 2, 2);
}

/* A file without a model has nothing but constant blocks, and one of distances no constant ones but draws. */
static bool is_entry(const EgdbFile *file, uint16_t entry) {
    if (file->kind == EGDB_DTW) {
        return entry <= CODED_BYTES_MAX || entry == EGDB_CONSTANT + VALUE_DRAW;
    }
    return entry >= EGDB_CONSTANT ? entry <= EGDB_CONSTANT + VALUE_LOSS
                                  : entry <= BLOCK_BYTES && little_endian_get(file->head + 36, 4) > 0;
}

static bool read_variant(const uint8_t *text, Variant *variant) {
    char name[17] = {0};

    memcpy(name, text, 16);
    *variant = variant_from_name(name);
    return *variant != VARIANT_COUNT;
}

/* Takes the header apart; the reason why it is none, NULL if it is. */
static const char *read_header(EgdbFile *file) {
    uint8_t head[HEADER_SIZE];

    if (file->size < HEADER_SIZE || !file_read_at(file->fd, 0, head, sizeof head) ||
        memcmp(head, FILE_MAGIC, sizeof FILE_MAGIC) != 0) {
        return "not an endgame database of this version";
    }
    uint64_t model = little_endian_get(head + 36, 4);
    file->blocks = little_endian_get(head + 32, 4);
    if (little_endian_get(head + 40, 8) != file->size) {
        return "is cut short, or its header is damaged";
    }
    if (model > CODEC_MODEL_BYTES_MAX || HEADER_SIZE + model + file->blocks * 2 > file->size) {
        return "its header is damaged";
    }
    size_t size = (size_t)(HEADER_SIZE + model + file->blocks * 2);
    file->head = malloc(size);
    if (file->head == NULL) {
        return "out of memory";
    }
    file->directory = file->head + HEADER_SIZE + model;
    uint32_t sum = checksum_32(0, head, 48);
    if (!file_read_at(file->fd, 0, file->head, size) ||
        little_endian_get(head + 48, 4) != checksum_32(sum, file->head + HEADER_SIZE, size - HEADER_SIZE)) {
        return "its header is damaged";
    }
    file->kind = (EgdbKind)head[8];
    file->slice = (Slice){{head[9], head[11]}, {head[10], head[12]}};
    file->width = head[13];
    if (head[8] >= EGDB_KINDS || slice_pieces(file->slice) > SLICE_PIECES_MAX || head[9] + head[10] == 0 ||
        head[11] + head[12] == 0 || !read_variant(head + 16, &file->variant) ||
        little_endian_get(head + 14, 2) != BLOCK_SIZE / 256 || file->width > 2 ||
        (file->kind == EGDB_DTW) != (file->width > 0) ||
        file->blocks != (slice_size(file->slice) + BLOCK_SIZE - 1) / BLOCK_SIZE) {
        return "not an endgame database of this version";
    }
    return file->kind == EGDB_DTW && !unpack_can() ? "holds distances, which this build cannot read" : NULL;
}

/* Offsets of the blocks, and the model. */
static const char *read_model(EgdbFile *file) {
    uint64_t offset = (uint64_t)(file->directory - file->head) + file->blocks * 2;
    uint64_t model = little_endian_get(file->head + 36, 4);
    bool sound = true;

    file->offsets = malloc((size_t)(file->blocks / DIRECTORY_STEP + 1) * sizeof *file->offsets);
    if (file->offsets == NULL) {
        return "out of memory";
    }
    for (uint64_t block = 0; block < file->blocks; block++) {
        if (block % DIRECTORY_STEP == 0) {
            file->offsets[block / DIRECTORY_STEP] = offset;
        }
        offset += stored_size(entry_of(file, block));
        sound &= is_entry(file, entry_of(file, block));
    }
    if (offset != file->size || !sound) {
        return "its header is damaged";
    }
    if (file->kind == EGDB_WLD && model > 0) {
        file->model = calloc(1, sizeof *file->model);
        if (file->model == NULL) {
            return "out of memory";
        }
        if (!codec_model_read(file->model, file->head + HEADER_SIZE, (size_t)model)) {
            return "its model is damaged";
        }
    }
    return NULL;
}

bool egdb_file_open(EgdbFile *file, const char *directory, const char *name, ParseError *error) {
    char path[4096];
    char right[EGDB_NAME_SIZE];

    *file = (EgdbFile){.fd = -1};
    if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, name) >= sizeof path) {
        return refuse(error, name, strerror(ENAMETOOLONG));
    }
    file->fd = file_open(path, &file->size);
    if (file->fd < 0) {
        return refuse(error, name, strerror(-file->fd));
    }
    const char *fault = read_header(file);
    fault = fault == NULL ? read_model(file) : fault;
    if (fault == NULL) {
        egdb_file_name(file->variant, file->kind, file->slice, right);
        fault = strcmp(right, name) != 0 ? "holds something else than its name says" : NULL;
    }
    if (fault != NULL) {
        egdb_file_close(file);
        return refuse(error, name, fault);
    }
    return true;
}

void egdb_file_close(EgdbFile *file) {
    if (file->fd >= 0) {
        file_close(file->fd);
    }
    free(file->head);
    free(file->offsets);
    free(file->model);
    *file = (EgdbFile){.fd = -1};
}

/* Reads a block that is not constant, with its checksum; false if it is damaged. */
static bool read_block(const EgdbFile *file, uint64_t block,
                       uint8_t bytes[static CODED_BYTES_MAX + CHECKSUM_SIZE]) {
    uint64_t offset = file->offsets[block / DIRECTORY_STEP];
    uint16_t size = entry_of(file, block);

    for (uint64_t before = block / DIRECTORY_STEP * DIRECTORY_STEP; before < block; before++) {
        offset += stored_size(entry_of(file, before));
    }
    return file_read_at(file->fd, offset, bytes, stored_size(size)) &&
           little_endian_get(bytes + size, CHECKSUM_SIZE) == checksum_16(bytes, size);
}

bool egdb_file_block_sound(const EgdbFile *file, uint64_t block) {
    uint8_t bytes[CODED_BYTES_MAX + CHECKSUM_SIZE];

    return entry_of(file, block) >= EGDB_CONSTANT || read_block(file, block, bytes);
}

static bool decode_distances(const EgdbFile *file, const uint8_t *bytes, size_t size, int count,
                             uint8_t *values, uint8_t *distances) {
    uint8_t codes[CODES_BYTES_MAX];
    size_t wanted = (size_t)count * (size_t)file->width;

    if (unpack(codes, sizeof codes, bytes, size) != wanted) {
        return false;
    }
    memset(codes + wanted, 0, sizeof codes - wanted);
    memset(values, 0, BLOCK_BYTES);
    for (size_t i = 0; i < BLOCK_SIZE; i++) {
        unsigned code = file->width == 1 ? codes[i] : codes[2 * i] | (unsigned)codes[2 * i + 1] << 8;
        Value value = code == 0 ? VALUE_DRAW : code % 2 == 0 ? VALUE_WIN : VALUE_LOSS;
        values[i / 4] = (uint8_t)(values[i / 4] | (int)value << i % 4 * 2);
        distances[i] = (uint8_t)(code == 0 ? 0 : (code - 1) / 2);
    }
    return true;
}

bool egdb_file_decode(const EgdbFile *file, uint64_t block, uint8_t *values, uint8_t *distances) {
    uint8_t bytes[CODED_BYTES_MAX + CHECKSUM_SIZE];
    uint16_t size = entry_of(file, block);
    int count = block_count(file->slice, block);
    Value value;

    if (egdb_file_constant(file, block, &value)) {
        memset(values, (int)value * 0x55, BLOCK_BYTES);
        if (distances != NULL) {
            memset(distances, 0, BLOCK_SIZE);
        }
        return true;
    }
    if (!read_block(file, block, bytes)) {
        return false;
    }
    if (file->kind == EGDB_DTW) {
        return decode_distances(file, bytes, size, count, values, distances);
    }
    codec_decode(file->model, bytes, size, count, values);
    return true;
}
