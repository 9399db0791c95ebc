/* Files of slices, written whole. */
#include "endgame/file.h"

#include "endgame/file_format.h"
#include "endgame/learn.h"
#include "engine/movegen.h"
#include "system/byte_order.h"
#include "system/checksum.h"
#include "system/replace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

_Static_assert(CODED_BYTES_MAX == ZSTD_COMPRESSBOUND(CODES_BYTES_MAX),
               "every block that zstd makes has room");

enum {
    ZSTD_LEVEL = 9,
    WORK_BLOCKS = 4,      /* in a piece of work */
    WORK_BLOCKS_DTW = 256 /* a context for each piece */
};

typedef struct {
    Variant variant;
    EgdbKind kind;
    const Table *table;
    uint64_t blocks;
    int width;
    uint8_t *values;     /* of whole blocks, VALUE_NONE where any will do */
    uint16_t *directory; /* as in the file */
    uint8_t **coded;     /* by block, with its checksum; NULL if it is constant */
    CodecModel *model;
    uint64_t size; /* of the file */
    atomic_int error;
} Writing;

/* Marks what nobody will ask for, and finds the blocks that are constant. */
static void leave_out(void *user, int thread, uint64_t first, uint64_t end) {
    Writing *writing = user;
    const Table *table = writing->table;
    Placer placer = placer_init(table->slice);
    Position position;
    Value value;

    (void)thread;
    for (uint64_t block = first; block < end; block++) {
        uint8_t *values = writing->values + block * BLOCK_BYTES;
        int count = block_count(table->slice, block);
        memset(values, 0xFF, BLOCK_BYTES);
        for (int i = 0; i < count; i++) {
            uint64_t index = block * BLOCK_SIZE + (uint64_t)i;
            if (placer_at(&placer, index, &position) &&
                !movegen_can_capture(writing->variant, &position, WHITE)) {
                int shift = i % 4 * 2;
                values[i / 4] =
                    (uint8_t)((values[i / 4] & ~(3 << shift)) | (int)table_value(table, index) << shift);
            }
        }
        bool constant = codec_is_constant(values, &value);
        if (constant && (writing->kind == EGDB_WLD || value == VALUE_DRAW)) {
            writing->directory[block] = (uint16_t)(EGDB_CONSTANT + (int)value);
        }
    }
}

/* Keeps a coded block with its checksum. */
static void keep_block(Writing *writing, uint64_t block, const uint8_t *bytes, size_t size) {
    uint8_t *copy = malloc(size + CHECKSUM_SIZE);

    if (copy == NULL) {
        atomic_store(&writing->error, -ENOMEM);
        return;
    }
    memcpy(copy, bytes, size);
    little_endian_put(copy + size, checksum_16(bytes, size), CHECKSUM_SIZE);
    writing->directory[block] = (uint16_t)size;
    writing->coded[block] = copy;
}

static void encode_values(void *user, int thread, uint64_t first, uint64_t end) {
    Writing *writing = user;
    uint8_t bytes[BLOCK_BYTES];

    (void)thread;
    for (uint64_t block = first; block < end; block++) {
        if (writing->directory[block] < EGDB_CONSTANT) {
            size_t size = codec_encode(writing->model, writing->values + block * BLOCK_BYTES,
                                       block_count(writing->table->slice, block), bytes);
            keep_block(writing, block, bytes, size);
        }
    }
}

static void encode_distances(void *user, int thread, uint64_t first, uint64_t end) {
    Writing *writing = user;
    ZSTD_CCtx *context = ZSTD_createCCtx();
    uint8_t bytes[CODED_BYTES_MAX];
    uint8_t codes[CODES_BYTES_MAX];

    (void)thread;
    for (uint64_t block = first; block < end && context != NULL; block++) {
        int count = block_count(writing->table->slice, block);
        const uint8_t *values = writing->values + block * BLOCK_BYTES;
        uint64_t code = 0;
        if (writing->directory[block] >= EGDB_CONSTANT) {
            continue;
        }
        for (int i = 0; i < count; i++) {
            Value value = (Value)(values[i / 4] >> i % 4 * 2 & 3);
            if (value != VALUE_NONE) {
                code = value == VALUE_DRAW
                           ? 0
                           : (uint64_t)table_distance(writing->table, block * BLOCK_SIZE + (uint64_t)i) + 1;
            }
            little_endian_put(codes + (size_t)i * (size_t)writing->width, code, writing->width);
        }
        size_t size = ZSTD_compressCCtx(context, bytes, sizeof bytes, codes,
                                        (size_t)count * (size_t)writing->width, ZSTD_LEVEL);
        if (ZSTD_isError(size)) {
            atomic_store(&writing->error, -EIO);
        } else {
            keep_block(writing, block, bytes, size);
        }
    }
    if (context == NULL) {
        atomic_store(&writing->error, -ENOMEM);
    }
    ZSTD_freeCCtx(context);
}

static int code_width(EgdbKind kind, const Table *table) {
    if (kind == EGDB_WLD) {
        return 0;
    }
    for (uint64_t index = 0; index < table->size; index++) {
        if (table->distances[index] >= 126) {
            return 2;
        }
    }
    return 1;
}

/* Everything before the blocks. */
static int write_head(FILE *stream, Writing *writing) {
    const Table *table = writing->table;
    uint8_t head[HEADER_SIZE] = {0};
    uint8_t model[CODEC_MODEL_BYTES_MAX];
    size_t model_size = writing->model->neighbours > 0 ? codec_model_write(writing->model, model) : 0;
    size_t directory_size = writing->blocks * 2;
    uint8_t *directory = malloc(directory_size + 1);

    if (directory == NULL) {
        return -ENOMEM;
    }
    writing->size = HEADER_SIZE + model_size + directory_size;
    for (uint64_t block = 0; block < writing->blocks; block++) {
        little_endian_put(directory + block * 2, writing->directory[block], 2);
        writing->size += stored_size(writing->directory[block]);
    }
    memcpy(head, FILE_MAGIC, sizeof FILE_MAGIC);
    head[8] = (uint8_t)writing->kind;
    for (int side = 0; side < 2; side++) {
        head[9 + side * 2] = table->slice.men[side];
        head[10 + side * 2] = table->slice.kings[side];
    }
    head[13] = (uint8_t)writing->width;
    little_endian_put(head + 14, BLOCK_SIZE / 256, 2);
    snprintf((char *)head + 16, 16, "%s", rules_of(writing->variant)->name);
    little_endian_put(head + 32, writing->blocks, 4);
    little_endian_put(head + 36, model_size, 4);
    little_endian_put(head + 40, writing->size, 8);
    uint32_t sum = checksum_32(0, head, 48);
    sum = checksum_32(sum, model, model_size);
    little_endian_put(head + 48, checksum_32(sum, directory, directory_size), 4);
    fwrite(head, 1, sizeof head, stream);
    fwrite(model, 1, model_size, stream);
    fwrite(directory, 1, directory_size, stream);
    free(directory);
    return 0;
}

static int write_file(void *user, FILE *stream) {
    Writing *writing = user;
    int error = write_head(stream, writing);

    for (uint64_t block = 0; block < writing->blocks && error == 0; block++) {
        if (writing->coded[block] != NULL) {
            fwrite(writing->coded[block], 1, stored_size(writing->directory[block]), stream);
        }
    }
    return error;
}

static int encode(Writing *writing, Workers *workers) {
    workers_run(workers, writing->blocks, WORK_BLOCKS, leave_out, writing);
    if (writing->kind == EGDB_DTW) {
        workers_run(workers, writing->blocks, WORK_BLOCKS_DTW, encode_distances, writing);
    } else {
        int error = learn_model(writing->model, writing->table->slice, writing->values, workers);
        if (error != 0) {
            return error;
        }
        workers_run(workers, writing->blocks, WORK_BLOCKS, encode_values, writing);
    }
    return atomic_load(&writing->error);
}

int egdb_file_write(const char *directory, Variant variant, EgdbKind kind, const Table *table,
                    Workers *workers, uint64_t *bytes) {
    uint64_t blocks = (table->size + BLOCK_SIZE - 1) / BLOCK_SIZE;
    Writing writing = {.variant = variant, .kind = kind, .table = table, .blocks = blocks};
    char name[EGDB_NAME_SIZE];
    char path[4096];
    int error = -ENOMEM;

    if (kind == EGDB_DTW && table->distances == NULL) {
        return -EINVAL;
    }
    writing.width = code_width(kind, table);
    egdb_file_name(variant, kind, table->slice, name);
    if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, name) >= sizeof path) {
        return -ENAMETOOLONG;
    }
    writing.values = malloc(blocks * BLOCK_BYTES);
    writing.directory = calloc(blocks, sizeof *writing.directory);
    writing.coded = calloc(blocks, sizeof *writing.coded);
    writing.model = calloc(1, sizeof *writing.model);
    if (writing.values != NULL && writing.directory != NULL && writing.coded != NULL &&
        writing.model != NULL) {
        error = encode(&writing, workers);
    }
    if (error == 0) {
        error = file_replace(path, write_file, &writing);
    }
    for (uint64_t block = 0; writing.coded != NULL && block < blocks; block++) {
        free(writing.coded[block]);
    }
    free(writing.model);
    free(writing.coded);
    free(writing.directory);
    free(writing.values);
    if (bytes != NULL) {
        *bytes = writing.size;
    }
    return error;
}
