/*
 * Neighbours are chosen one by one, each time the one that makes the code of a sample shortest, its model
 * counted in. What stands where anything may stand depends on what is expected, and that on what stands
 * there: a few rounds make them agree.
 */
#include "endgame/learn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLE_BLOCKS = 24,
    FEW_BLOCKS = 128,
    CANDIDATES_MAX = 64,
    CONTEXT_BITS = 10, /* what a context in which values differ takes in a model, about */
    STEP = 4,          /* blocks in a piece of work */
    ROUNDS = 3
};

/* How often each value was seen in each context. */
typedef uint64_t Counts[CODEC_CONTEXTS_MAX][3];

/* ---- Costs --------------------------------------------------------------------------------------------- */

/* Logarithm to base 2 of a number that is not 0, in 1/65536: in integers, to be the same everywhere. */
static uint64_t logarithm(uint64_t number) {
    int whole = 63 - __builtin_clzll(number);
    uint64_t part = number << (63 - whole) >> 32; /* from 2^31 up */
    uint64_t bits = (uint64_t)whole;

    for (int i = 0; i < 16; i++) {
        part = part * part >> 31;
        bits = bits << 1 | part >> 32;
        part >>= part >> 32;
    }
    return bits;
}

/* Bits that the code of these counts takes, in 1/65536. */
static uint64_t information(const uint64_t counts[static 3]) {
    uint64_t total = counts[0] + counts[1] + counts[2];
    uint64_t bits;

    if (counts[0] == total || counts[1] == total || counts[2] == total) {
        return 0;
    }
    bits = total * logarithm(total);
    for (int value = 0; value < 3; value++) {
        bits -= counts[value] != 0 ? counts[value] * logarithm(counts[value]) : 0;
    }
    return bits;
}

/* ---- Counting ------------------------------------------------------------------------------------------ */

/* The value seen most often in each context; the number before where none was seen. */
static void set_expected(const CodecModel *model, Counts counts, uint8_t *expected) {
    for (int i = 0; i < codec_contexts(model->neighbours); i++) {
        uint8_t most = (uint8_t)(i % 3);
        for (uint8_t value = 0; value < 3; value++) {
            most = counts[i][value] > counts[i][most] ? value : most;
        }
        expected[i] = most;
    }
}

/* A block with the neighbours that stand before it. */
typedef struct {
    uint8_t window[2 * BLOCK_SIZE];
    int count; /* numbers in it that the slice has */
} Block;

/*
 * Fills a block and counts its values. What may be anything becomes what is expected in its context; while
 * nothing is (expected is NULL), it becomes like the number before and is not counted.
 */
static inline __attribute__((always_inline)) void count_block_with(int neighbours, const CodecModel *model,
                                                                   const uint8_t *expected, Block *block,
                                                                   Counts counts) {
    uint8_t *end = block->window + BLOCK_SIZE + block->count;
    uint16_t distances[CODEC_NEIGHBOURS_MAX]; /* where counts cannot reach */

    memcpy(distances, model->distances, sizeof distances);
    for (uint8_t *at = block->window + BLOCK_SIZE; at < end; at++) {
        if (*at == VALUE_NONE && expected == NULL) {
            *at = at[-1];
            continue;
        }
        unsigned context = codec_context(distances, neighbours, at);
        if (*at == VALUE_NONE) {
            *at = expected[context];
        }
        counts[context][*at]++;
    }
}

/* A number of neighbours that the compiler knows makes it twice as fast. */
static void count_block(const CodecModel *model, const uint8_t *expected, Block *block, Counts counts) {
    switch (model->neighbours) {
    case 1:
        count_block_with(1, model, expected, block, counts);
        break;
    case 2:
        count_block_with(2, model, expected, block, counts);
        break;
    case 3:
        count_block_with(3, model, expected, block, counts);
        break;
    case 4:
        count_block_with(4, model, expected, block, counts);
        break;
    case 5:
        count_block_with(5, model, expected, block, counts);
        break;
    case 6:
        count_block_with(6, model, expected, block, counts);
        break;
    default:
        count_block_with(CODEC_NEIGHBOURS_MAX, model, expected, block, counts);
    }
}

/* ---- Choosing neighbours ------------------------------------------------------------------------------- */

typedef struct {
    uint8_t *values;
    uint64_t size;
    uint64_t *varied; /* the blocks that are not constant */
    uint64_t varied_count, sample_count;
    CodecModel model; /* as far as it is chosen */
    uint16_t candidates[CANDIDATES_MAX];
    uint64_t costs[CANDIDATES_MAX];
    int candidates_count;
    uint8_t expected[CODEC_CONTEXTS_MAX];
    int round;
    Counts *counts; /* of each thread */
} Learning;

static void load_block(const Learning *learning, uint64_t number, Block *block) {
    uint64_t left = learning->size - number * BLOCK_SIZE;

    block->count = left < BLOCK_SIZE ? (int)left : BLOCK_SIZE;
    memset(block->window, VALUE_DRAW, BLOCK_SIZE);
    codec_unpack(learning->values + number * BLOCK_BYTES, block->window + BLOCK_SIZE);
}

static void count_sample(const Learning *learning, const CodecModel *model, const uint8_t *expected,
                         Counts counts) {
    Block block;

    memset(counts, 0, (size_t)codec_contexts(model->neighbours) * sizeof counts[0]);
    for (uint64_t i = 0; i < learning->sample_count; i++) {
        load_block(learning, learning->varied[i * learning->varied_count / learning->sample_count], &block);
        count_block(model, expected, &block, counts);
    }
}

/* Bits that all blocks would take with one more neighbour, about. */
static uint64_t cost_with(const Learning *learning, uint16_t distance) {
    CodecModel model = {.neighbours = learning->model.neighbours + 1};
    uint8_t expected[CODEC_CONTEXTS_MAX];
    Counts counts;
    uint64_t bits = 0, varied = 0;

    memcpy(model.distances, learning->model.distances, sizeof model.distances);
    model.distances[model.neighbours - 1] = distance;
    count_sample(learning, &model, NULL, counts);
    set_expected(&model, counts, expected);
    count_sample(learning, &model, expected, counts);
    for (int i = 0; i < codec_contexts(model.neighbours); i++) {
        uint64_t more = information(counts[i]);
        bits += more;
        varied += more != 0;
    }
    return (bits >> 16) * learning->varied_count / learning->sample_count + varied * CONTEXT_BITS;
}

static void try_candidates(void *user, int thread, uint64_t first, uint64_t end) {
    Learning *learning = user;

    (void)thread;
    for (uint64_t i = first; i < end; i++) {
        learning->costs[i] = cost_with(learning, learning->candidates[i]);
    }
}

static void add_candidates(Learning *learning, uint64_t distance, int around) {
    for (int64_t at = (int64_t)distance - around; at <= (int64_t)distance + around; at++) {
        bool known = at < 2 || at >= BLOCK_SIZE;
        for (int i = 0; i < learning->candidates_count && !known; i++) {
            known = learning->candidates[i] == at;
        }
        if (!known && learning->candidates_count < CANDIDATES_MAX) {
            learning->candidates[learning->candidates_count++] = (uint16_t)at;
        }
    }
}

/* Steps of kings and men, as far as blocks reach, and what lies around them. */
static void list_candidates(Learning *learning, Slice slice) {
    int left = SQUARES - slice.men[0] - slice.men[1] - slice.kings[0];
    uint64_t opponents = SLICE_BINOMIALS[slice.kings[1]][left];
    uint64_t kings = slice_kings_ways(slice);
    uint64_t men = kings * slice_men_ways(slice.men[1]);

    add_candidates(learning, 1, CODEC_GROUP - 2);
    if (opponents > 1) {
        add_candidates(learning, opponents, 4);
        add_candidates(learning, 2 * opponents, 4);
        add_candidates(learning, 3 * opponents, 4);
    }
    if (kings > 1) {
        add_candidates(learning, kings, 1);
        add_candidates(learning, 2 * kings, 1);
        add_candidates(learning, kings + opponents, 1);
    }
    add_candidates(learning, men, 1);
}

/*
 * Leaves the better half. What gained little beside fewer neighbours seldom gains much beside more; where
 * there is little to code, the time counts for more than that.
 */
static void drop_candidates(Learning *learning) {
    int left = learning->candidates_count / 2;

    for (int i = 0; i < left; i++) {
        int best = i;
        for (int j = i + 1; j < learning->candidates_count; j++) {
            best = learning->costs[j] < learning->costs[best] ? j : best;
        }
        uint16_t candidate = learning->candidates[best];
        learning->candidates[best] = learning->candidates[i];
        learning->costs[best] = learning->costs[i];
        learning->candidates[i] = candidate;
    }
    learning->candidates_count = left;
}

static void choose_neighbours(Learning *learning, Workers *workers) {
    uint64_t least = cost_with(learning, 1);

    learning->model.distances[0] = 1;
    learning->model.neighbours = 1;
    while (learning->model.neighbours < CODEC_NEIGHBOURS_MAX) {
        int best = 0;
        workers_run(workers, (uint64_t)learning->candidates_count, 1, try_candidates, learning);
        for (int i = 1; i < learning->candidates_count; i++) {
            best = learning->costs[i] < learning->costs[best] ? i : best;
        }
        if (learning->candidates_count == 0 || learning->costs[best] >= least) {
            return;
        }
        least = learning->costs[best];
        learning->model.distances[learning->model.neighbours++] = learning->candidates[best];
        learning->candidates[best] = learning->candidates[--learning->candidates_count];
        learning->costs[best] = learning->costs[learning->candidates_count];
        if (learning->varied_count < FEW_BLOCKS) {
            drop_candidates(learning);
        }
    }
}

/* ---- Estimating contexts ------------------------------------------------------------------------------- */

static void count_blocks(void *user, int thread, uint64_t first, uint64_t end) {
    Learning *learning = user;
    Block block;

    for (uint64_t i = first; i < end; i++) {
        load_block(learning, learning->varied[i], &block);
        count_block(&learning->model, learning->round > 0 ? learning->expected : NULL, &block,
                    learning->counts[thread]);
        if (learning->round == ROUNDS - 1) {
            /* The last block may have more room than the slice has numbers. */
            memset(block.window + BLOCK_SIZE + block.count, VALUE_DRAW, (size_t)(BLOCK_SIZE - block.count));
            codec_pack(block.window + BLOCK_SIZE, learning->values + learning->varied[i] * BLOCK_BYTES);
        }
    }
}

/* Counts and fills all blocks; the counts of all threads together become those of the first. */
static void count_all(Learning *learning, Workers *workers) {
    memset(learning->counts, 0, (size_t)workers_count(workers) * sizeof *learning->counts);
    workers_run(workers, learning->varied_count, STEP, count_blocks, learning);
    for (int thread = 1; thread < workers_count(workers); thread++) {
        for (int i = 0; i < CODEC_CONTEXTS_MAX * 3; i++) {
            learning->counts[0][i / 3][i % 3] += learning->counts[thread][i / 3][i % 3];
        }
    }
}

static void estimate(Learning *learning, Workers *workers) {
    CodecModel *model = &learning->model;

    for (learning->round = 0; learning->round < ROUNDS; learning->round++) {
        count_all(learning, workers);
        set_expected(model, learning->counts[0], learning->expected);
    }
    for (int i = 0; i < codec_contexts(model->neighbours); i++) {
        codec_set_context(model, (unsigned)i, learning->counts[0][i], learning->expected[i]);
    }
}

static int compare_distances(const void *a, const void *b) {
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

int learn_model(CodecModel *model, Slice slice, uint8_t *values, Workers *workers) {
    uint64_t size = slice_size(slice);
    uint64_t blocks = (size + BLOCK_SIZE - 1) / BLOCK_SIZE;
    Learning learning = {
        .values = values,
        .size = size,
        .varied = malloc(blocks * sizeof *learning.varied),
        .counts = malloc((size_t)workers_count(workers) * sizeof *learning.counts),
    };
    int error = learning.varied == NULL || learning.counts == NULL ? -ENOMEM : 0;

    for (uint64_t block = 0; block < blocks && error == 0; block++) {
        Value value;
        if (codec_is_constant(values + block * BLOCK_BYTES, &value)) {
            memset(values + block * BLOCK_BYTES, (int)value * 0x55, BLOCK_BYTES);
        } else {
            learning.varied[learning.varied_count++] = block;
        }
    }
    model->neighbours = 0;
    if (error == 0 && learning.varied_count > 0) {
        learning.sample_count = learning.varied_count < SAMPLE_BLOCKS ? learning.varied_count : SAMPLE_BLOCKS;
        list_candidates(&learning, slice);
        choose_neighbours(&learning, workers);
        qsort(learning.model.distances, (size_t)learning.model.neighbours, sizeof learning.model.distances[0],
              compare_distances);
        estimate(&learning, workers);
        *model = learning.model;
    }
    free(learning.varied);
    free(learning.counts);
    return error;
}
