/* Files of slices: written whole, read block by block. */
#include "endgame/file.h"

#include "endgame/checksum.h"
#include "endgame/learn.h"
#include "engine/movegen.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

static const char MAGIC[8] = {'C', 'R', 'O', 'W', 'N', 'E', 'G', '1'};

enum {
    HEADER_SIZE = 52,
    DIRECTORY_STEP = 16, /* blocks between two offsets that are remembered */
    CODES_BYTES_MAX = BLOCK_SIZE * 2,
    CODED_BYTES_MAX = ZSTD_COMPRESSBOUND(CODES_BYTES_MAX), /* of any block; those of wld files are smaller */
    CHECKSUM_SIZE = 2,
    ZSTD_LEVEL = 9,
    WORK_BLOCKS = 4,      /* in a piece of work */
    WORK_BLOCKS_DTW = 256 /* a context for each piece */
};

void egdb_file_name(Variant variant, EgdbKind kind, Slice slice, char name[static EGDB_NAME_SIZE]) {
    snprintf(name, EGDB_NAME_SIZE, "%s-%d%d%d%d.%s", rules_of(variant)->name, slice.men[0], slice.kings[0],
             slice.men[1], slice.kings[1], egdb_kind_name(kind));
}

bool egdb_file_is_temporary(const char *name) {
    size_t length = strlen(name);

    return length > 8 &&
           (strcmp(name + length - 8, ".wld.tmp") == 0 || strcmp(name + length - 8, ".dtw.tmp") == 0);
}

static void put(uint8_t *bytes, uint64_t number, int count) {
    for (int i = 0; i < count; i++) {
        bytes[i] = (uint8_t)(number >> 8 * i);
    }
}

static uint64_t get(const uint8_t *bytes, int count) {
    uint64_t number = 0;

    for (int i = 0; i < count; i++) {
        number |= (uint64_t)bytes[i] << 8 * i;
    }
    return number;
}

static int block_count(Slice slice, uint64_t block) {
    uint64_t left = slice_size(slice) - block * BLOCK_SIZE;

    return left < BLOCK_SIZE ? (int)left : BLOCK_SIZE;
}

/* Bytes of a block with its checksum, by its entry in the directory. */
static uint64_t stored_size(uint16_t entry) {
    return entry < EGDB_CONSTANT ? (uint64_t)entry + CHECKSUM_SIZE : 0;
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

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
    put(copy + size, checksum_16(bytes, size), CHECKSUM_SIZE);
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
            put(codes + (size_t)i * (size_t)writing->width, code, writing->width);
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

static int write_bytes(FILE *stream, const uint8_t *bytes, size_t count) {
    return fwrite(bytes, 1, count, stream) == count ? 0 : -errno;
}

/* Everything before the blocks. */
static int write_head(FILE *stream, const Writing *writing, uint64_t *size) {
    const Table *table = writing->table;
    uint8_t head[HEADER_SIZE] = {0};
    uint8_t model[CODEC_MODEL_BYTES_MAX];
    size_t model_size = writing->model->neighbours > 0 ? codec_model_write(writing->model, model) : 0;
    size_t directory_size = writing->blocks * 2;
    uint8_t *directory = malloc(directory_size + 1);

    if (directory == NULL) {
        return -ENOMEM;
    }
    *size = HEADER_SIZE + model_size + directory_size;
    for (uint64_t block = 0; block < writing->blocks; block++) {
        put(directory + block * 2, writing->directory[block], 2);
        *size += stored_size(writing->directory[block]);
    }
    memcpy(head, MAGIC, sizeof MAGIC);
    head[8] = (uint8_t)writing->kind;
    for (int side = 0; side < 2; side++) {
        head[9 + side * 2] = table->slice.men[side];
        head[10 + side * 2] = table->slice.kings[side];
    }
    head[13] = (uint8_t)writing->width;
    put(head + 14, BLOCK_SIZE / 256, 2);
    snprintf((char *)head + 16, 16, "%s", rules_of(writing->variant)->name);
    put(head + 32, writing->blocks, 4);
    put(head + 36, model_size, 4);
    put(head + 40, *size, 8);
    uint32_t sum = checksum_32(0, head, 48);
    sum = checksum_32(sum, model, model_size);
    put(head + 48, checksum_32(sum, directory, directory_size), 4);
    int error = write_bytes(stream, head, sizeof head);
    error = error == 0 ? write_bytes(stream, model, model_size) : error;
    error = error == 0 ? write_bytes(stream, directory, directory_size) : error;
    free(directory);
    return error;
}

static int write_file(const char *path, const Writing *writing, uint64_t *size) {
    FILE *stream = fopen(path, "wbe");

    if (stream == NULL) {
        return -errno;
    }
    int error = write_head(stream, writing, size);
    for (uint64_t block = 0; block < writing->blocks && error == 0; block++) {
        if (writing->coded[block] != NULL) {
            error = write_bytes(stream, writing->coded[block], stored_size(writing->directory[block]));
        }
    }
    if (error == 0 && (fflush(stream) != 0 || fsync(fileno(stream)) != 0)) {
        error = -errno;
    }
    if (fclose(stream) != 0 && error == 0) {
        error = -errno;
    }
    return error;
}

/* Makes a new name in a directory last. */
static int sync_directory(const char *directory) {
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0) {
        return -errno;
    }
    /* Not every file system can. */
    int error = fsync(fd) != 0 && errno != EINVAL ? -errno : 0;
    close(fd);
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
    char path[4096], temporary[4096 + 8];
    uint64_t size = 0;
    int error = -ENOMEM;

    if (kind == EGDB_DTW && table->distances == NULL) {
        return -EINVAL;
    }
    writing.width = code_width(kind, table);
    egdb_file_name(variant, kind, table->slice, name);
    if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, name) >= sizeof path) {
        return -ENAMETOOLONG;
    }
    snprintf(temporary, sizeof temporary, "%s.tmp", path);
    writing.values = malloc(blocks * BLOCK_BYTES);
    writing.directory = calloc(blocks, sizeof *writing.directory);
    writing.coded = calloc(blocks, sizeof *writing.coded);
    writing.model = calloc(1, sizeof *writing.model);
    if (writing.values != NULL && writing.directory != NULL && writing.coded != NULL &&
        writing.model != NULL) {
        error = encode(&writing, workers);
    }
    if (error == 0) {
        error = write_file(temporary, &writing, &size);
        if (error == 0 && rename(temporary, path) != 0) {
            error = -errno;
        }
        if (error != 0) {
            unlink(temporary);
        } else {
            error = sync_directory(directory);
        }
    }
    for (uint64_t block = 0; writing.coded != NULL && block < blocks; block++) {
        free(writing.coded[block]);
    }
    free(writing.model);
    free(writing.coded);
    free(writing.directory);
    free(writing.values);
    if (bytes != NULL) {
        *bytes = size;
    }
    return error;
}

/* ---- Reading ------------------------------------------------------------------------------------------- */

static bool refuse(ParseError *error, const char *name, const char *why) {
    snprintf(error->text, sizeof error->text, "%.60s: %s", name, why);
    return false;
}

static uint16_t entry_of(const EgdbFile *file, uint64_t block) {
    return (uint16_t)get(file->directory + block * 2, 2);
}

/* A file without a model has nothing but constant blocks, and one of distances no constant ones but draws. */
static bool is_entry(const EgdbFile *file, uint16_t entry) {
    if (file->kind == EGDB_DTW) {
        return entry <= CODED_BYTES_MAX || entry == EGDB_CONSTANT + VALUE_DRAW;
    }
    return entry >= EGDB_CONSTANT ? entry <= EGDB_CONSTANT + VALUE_LOSS
                                  : entry <= BLOCK_BYTES && get(file->head + 36, 4) > 0;
}

static bool read_variant(const uint8_t *text, Variant *variant) {
    char name[17] = {0};

    memcpy(name, text, 16);
    *variant = variant_from_name(name);
    return *variant != VARIANT_COUNT;
}

/* Reads so many bytes from an offset on; false if they are not there. */
static bool read_bytes(const EgdbFile *file, uint64_t offset, uint8_t *bytes, size_t count) {
    while (count > 0) {
        ssize_t got = pread(file->fd, bytes, count, (off_t)offset);
        if (got <= 0 && !(got < 0 && errno == EINTR)) {
            return false;
        }
        if (got > 0) {
            bytes += got;
            offset += (uint64_t)got;
            count -= (size_t)got;
        }
    }
    return true;
}

/* Takes the header apart; the reason why it is none, NULL if it is. */
static const char *read_header(EgdbFile *file) {
    uint8_t head[HEADER_SIZE];

    if (file->size < HEADER_SIZE || !read_bytes(file, 0, head, sizeof head) ||
        memcmp(head, MAGIC, sizeof MAGIC) != 0) {
        return "not an endgame database of this version";
    }
    uint64_t model = get(head + 36, 4);
    file->blocks = get(head + 32, 4);
    if (get(head + 40, 8) != file->size) {
        return "is cut short, or its header is damaged";
    }
    if (model > CODEC_MODEL_BYTES_MAX || HEADER_SIZE + model + file->blocks * 2 > file->size) {
        return "its header is damaged";
    }
    size_t size = HEADER_SIZE + model + file->blocks * 2;
    file->head = malloc(size);
    if (file->head == NULL) {
        return "out of memory";
    }
    file->directory = file->head + HEADER_SIZE + model;
    uint32_t sum = checksum_32(0, head, 48);
    if (!read_bytes(file, 0, file->head, size) ||
        get(head + 48, 4) != checksum_32(sum, file->head + HEADER_SIZE, size - HEADER_SIZE)) {
        return "its header is damaged";
    }
    file->kind = (EgdbKind)head[8];
    file->slice = (Slice){{head[9], head[11]}, {head[10], head[12]}};
    file->width = head[13];
    if (head[8] >= EGDB_KINDS || slice_pieces(file->slice) > SLICE_PIECES_MAX || head[9] + head[10] == 0 ||
        head[11] + head[12] == 0 || !read_variant(head + 16, &file->variant) ||
        get(head + 14, 2) != BLOCK_SIZE / 256 || file->width > 2 ||
        (file->kind == EGDB_DTW) != (file->width > 0) ||
        file->blocks != (slice_size(file->slice) + BLOCK_SIZE - 1) / BLOCK_SIZE) {
        return "not an endgame database of this version";
    }
    return NULL;
}

/* Offsets of the blocks, and the model. */
static const char *read_model(EgdbFile *file) {
    uint64_t offset = (uint64_t)(file->directory - file->head) + file->blocks * 2;
    uint64_t model = get(file->head + 36, 4);
    bool sound = true;

    file->offsets = malloc((file->blocks / DIRECTORY_STEP + 1) * sizeof *file->offsets);
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
        if (!codec_model_read(file->model, file->head + HEADER_SIZE, model)) {
            return "its model is damaged";
        }
    }
    return NULL;
}

bool egdb_file_open(EgdbFile *file, const char *directory, const char *name, ParseError *error) {
    char path[4096];
    char right[EGDB_NAME_SIZE];
    struct stat status;

    *file = (EgdbFile){.fd = -1};
    if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, name) >= sizeof path) {
        return refuse(error, name, strerror(ENAMETOOLONG));
    }
    /* Nobody may ever write to a pipe of that name. */
    file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file->fd < 0 || fstat(file->fd, &status) != 0) {
        refuse(error, name, strerror(errno));
        egdb_file_close(file);
        return false;
    }
    file->size = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
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
        close(file->fd);
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
    return read_bytes(file, offset, bytes, stored_size(size)) &&
           get(bytes + size, CHECKSUM_SIZE) == checksum_16(bytes, size);
}

bool egdb_file_block_sound(const EgdbFile *file, uint64_t block) {
    uint8_t bytes[CODED_BYTES_MAX + CHECKSUM_SIZE];

    return entry_of(file, block) >= EGDB_CONSTANT || read_block(file, block, bytes);
}

static bool decode_distances(const EgdbFile *file, const uint8_t *bytes, size_t size, int count,
                             uint8_t *values, uint8_t *distances) {
    uint8_t codes[CODES_BYTES_MAX];
    size_t wanted = (size_t)count * (size_t)file->width;

    if (ZSTD_decompress(codes, sizeof codes, bytes, size) != wanted) {
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
