/* Samples as bytes and their files. */
#include "training/sample.h"

#include "engine/packed.h"
#include "system/byte_order.h"
#include "system/checksum.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { VERSION = 1, BLOCK_SAMPLES_MAX = 1 << 24 };

static const char MAGIC[8] = {'C', 'r', 'o', 'w', 'n', 'S', 'm', 'p'};

/* ---- Samples ------------------------------------------------------------------------------------------- */

void sample_pack(const Sample *sample, uint8_t bytes[static SAMPLE_BYTES]) {
    const Position *position = &sample->position;

    little_endian_put(bytes, packed_squares(position->pieces[WHITE]), 4);
    little_endian_put(bytes + 4, packed_squares(position->pieces[BLACK]), 4);
    little_endian_put(bytes + 8, packed_squares(position->kings), 4);
    little_endian_put(bytes + 12, (uint16_t)sample->score, 2);
    bytes[14] = (uint8_t)(position->turn | sample->result << 1 | sample->threatened << 3);
    bytes[15] = (uint8_t)sample->plies_left;
}

bool sample_unpack(const uint8_t bytes[static SAMPLE_BYTES], Sample *sample) {
    *sample = (Sample){
        .score = (int16_t)little_endian_get(bytes + 12, 2),
        .result = bytes[14] >> 1 & 3,
        .threatened = (bytes[14] >> 3 & 1) != 0,
        .plies_left = bytes[15],
    };
    return packed_read((uint32_t)little_endian_get(bytes, 4), (uint32_t)little_endian_get(bytes + 4, 4),
                       (uint32_t)little_endian_get(bytes + 8, 4), bytes[14] & 1, &sample->position) &&
           sample->result <= 2 && bytes[14] < 16;
}

/* ---- Files --------------------------------------------------------------------------------------------- */

static void write_header(const SampleOrigin *origin, uint8_t header[static SAMPLE_HEADER_BYTES]) {
    memset(header, 0, SAMPLE_HEADER_BYTES);
    memcpy(header, MAGIC, sizeof MAGIC);
    little_endian_put(header + 8, VERSION, 4);
    little_endian_put(header + 12, origin->batch, 4);
    snprintf((char *)header + 16, 16, "%s", rules_of(origin->variant)->name);
    little_endian_put(header + 32, origin->seed, 8);
    little_endian_put(header + 40, origin->nodes, 8);
    little_endian_put(header + 48, origin->egdb_pieces, 4);
    little_endian_put(header + 52, origin->shard, 4);
    little_endian_put(header + 56, origin->shards, 4);
    little_endian_put(header + 60, checksum_32(0, header, 60), 4);
}

static bool refuse(ParseError *error, const char *path, const char *text) {
    snprintf(error->text, sizeof error->text, "%s: %s", path, text);
    return false;
}

static bool read_header(SampleFile *file, ParseError *error) {
    uint8_t header[SAMPLE_HEADER_BYTES];

    if (fread(header, 1, sizeof header, file->stream) != sizeof header ||
        memcmp(header, MAGIC, sizeof MAGIC) != 0) {
        return refuse(error, file->path, "not a file of samples");
    }
    if (little_endian_get(header + 8, 4) != VERSION) {
        return refuse(error, file->path, "of another version");
    }
    if (little_endian_get(header + 60, 4) != checksum_32(0, header, 60) || header[31] != 0) {
        return refuse(error, file->path, "the header is damaged");
    }
    file->origin = (SampleOrigin){
        .variant = variant_from_name((const char *)header + 16),
        .seed = little_endian_get(header + 32, 8),
        .nodes = little_endian_get(header + 40, 8),
        .batch = (uint32_t)little_endian_get(header + 12, 4),
        .egdb_pieces = (uint32_t)little_endian_get(header + 48, 4),
        .shard = (uint32_t)little_endian_get(header + 52, 4),
        .shards = (uint32_t)little_endian_get(header + 56, 4),
    };
    file->whole_length = SAMPLE_HEADER_BYTES;
    return file->origin.variant != VARIANT_COUNT || refuse(error, file->path, "of a game that is not known");
}

/* Reads the next block if it is whole, into memory that the caller frees. */
static uint8_t *read_block(SampleFile *file, uint32_t *count) {
    uint8_t head[SAMPLE_BLOCK_BYTES];

    if (fread(head, 1, sizeof head, file->stream) != sizeof head) {
        return NULL;
    }
    *count = (uint32_t)little_endian_get(head + 8, 4);
    if (*count > BLOCK_SAMPLES_MAX) {
        return NULL;
    }
    size_t length = (size_t)*count * SAMPLE_BYTES;
    uint8_t *bytes = malloc(length + 1);
    if (bytes != NULL &&
        (fread(bytes, 1, length, file->stream) != length ||
         checksum_32(checksum_32(0, head, 12), bytes, length) != little_endian_get(head + 12, 4))) {
        free(bytes);
        return NULL;
    }
    file->whole_length += SAMPLE_BLOCK_BYTES + (int64_t)length;
    return bytes;
}

static bool origins_equal(const SampleOrigin *a, const SampleOrigin *b) {
    return a->variant == b->variant && a->seed == b->seed && a->nodes == b->nodes && a->batch == b->batch &&
           a->egdb_pieces == b->egdb_pieces && a->shard == b->shard && a->shards == b->shards;
}

/* Finds the end of what is whole, and cuts off the rest. */
static bool go_on(SampleFile *file, const SampleOrigin *origin, ParseError *error) {
    uint32_t count;
    uint8_t *block;

    if (!read_header(file, error)) {
        return false;
    }
    if (!origins_equal(&file->origin, origin)) {
        return refuse(error, file->path, "made with other options, which must be equal to go on");
    }
    while ((block = read_block(file, &count)) != NULL) {
        free(block);
        file->batches++;
        file->samples += count;
    }
    if (ftruncate(fileno(file->stream), file->whole_length) != 0 ||
        fseeko(file->stream, file->whole_length, SEEK_SET) != 0) {
        return refuse(error, file->path, strerror(errno));
    }
    return true;
}

bool sample_file_append(SampleFile *file, const char *path, const SampleOrigin *origin, ParseError *error) {
    *file = (SampleFile){.stream = fopen(path, "a+be"), .path = path, .origin = *origin};

    if (file->stream == NULL) {
        return refuse(error, path, strerror(errno));
    }
    if (flock(fileno(file->stream), LOCK_EX | LOCK_NB) != 0) {
        sample_file_close(file);
        return refuse(error, path, "another run is writing there");
    }
    rewind(file->stream);
    bool fine;
    if (fgetc(file->stream) == EOF) {
        uint8_t header[SAMPLE_HEADER_BYTES];
        write_header(origin, header);
        fine = fwrite(header, 1, sizeof header, file->stream) == sizeof header && fflush(file->stream) == 0;
        fine = fine || refuse(error, path, strerror(errno));
    } else {
        rewind(file->stream);
        fine = go_on(file, origin, error);
    }
    if (!fine) {
        sample_file_close(file);
    }
    return fine;
}

int sample_file_write(SampleFile *file, uint64_t batch, const Sample *samples, uint32_t count) {
    size_t length = SAMPLE_BLOCK_BYTES + (size_t)count * SAMPLE_BYTES;
    uint8_t *bytes = malloc(length);

    if (bytes == NULL) {
        return -ENOMEM;
    }
    little_endian_put(bytes, batch, 8);
    little_endian_put(bytes + 8, count, 4);
    for (uint32_t i = 0; i < count; i++) {
        sample_pack(&samples[i], bytes + SAMPLE_BLOCK_BYTES + (size_t)i * SAMPLE_BYTES);
    }
    little_endian_put(
        bytes + 12,
        checksum_32(checksum_32(0, bytes, 12), bytes + SAMPLE_BLOCK_BYTES, length - SAMPLE_BLOCK_BYTES), 4);
    errno = 0;
    int error = fwrite(bytes, 1, length, file->stream) == length && fflush(file->stream) == 0
                    ? 0
                    : -(errno != 0 ? errno : EIO);
    free(bytes);
    file->batches += error == 0;
    file->samples += error == 0 ? count : 0;
    return error;
}

bool sample_file_read(SampleFile *file, const char *path, ParseError *error) {
    *file = (SampleFile){.stream = fopen(path, "rbe"), .path = path};

    if (file->stream == NULL) {
        return refuse(error, path, strerror(errno));
    }
    if (!read_header(file, error)) {
        sample_file_close(file);
        return false;
    }
    return true;
}

Sample *sample_file_next(SampleFile *file, uint32_t *count) {
    uint8_t *bytes = read_block(file, count);
    Sample *samples = bytes != NULL ? malloc(((size_t)*count + 1) * sizeof *samples) : NULL;
    uint32_t good = 0;

    for (uint32_t i = 0; samples != NULL && i < *count; i++) {
        good += sample_unpack(bytes + (size_t)i * SAMPLE_BYTES, &samples[good]);
    }
    free(bytes);
    *count = good;
    return samples;
}

void sample_file_close(SampleFile *file) {
    if (file->stream != NULL) {
        fclose(file->stream);
        file->stream = NULL;
    }
}
