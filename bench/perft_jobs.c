#include "bench/perft_jobs.h"

#include "bench/perft.h"
#include "bench/perft_table.h"
#include "engine/fen.h"
#include "engine/movegen.h"
#include "engine/text.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Splitting ----------------------------------------------------------------------------------------- */

/* The positions of one ply, with a hash table that finds them. */
typedef struct {
    PerftPart *parts;
    size_t count;
    size_t capacity;
    uint32_t *slots; /* 1 + index of a part, 0 = free */
    size_t slots_count;
} Level;

static void level_deinit(Level *level) {
    free(level->parts);
    free(level->slots);
    *level = (Level){0};
}

/* The slot that holds the position, or the free one where it belongs. */
static uint32_t *level_slot(const Level *level, const Position *position) {
    Key key = perft_table_key(position->pieces[WHITE], position->pieces[BLACK], position->kings,
                              (Color)position->turn, 0);
    size_t at = key_index(key, level->slots_count);

    while (level->slots[at] != 0 && !position_equal(&level->parts[level->slots[at] - 1].position, position)) {
        at = at + 1 < level->slots_count ? at + 1 : 0;
    }
    return &level->slots[at];
}

static int level_grow(Level *level) {
    size_t capacity = level->capacity * 2 + 64;
    PerftPart *parts;

    if (capacity >= UINT32_MAX) {
        return -ENOMEM;
    }
    parts = realloc(level->parts, capacity * sizeof(*parts));
    if (parts == NULL) {
        return -ENOMEM;
    }
    level->parts = parts;
    level->capacity = capacity;
    free(level->slots);
    level->slots_count = capacity * 2;
    level->slots = calloc(level->slots_count, sizeof(*level->slots));
    if (level->slots == NULL) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < level->count; i++) {
        *level_slot(level, &parts[i].position) = (uint32_t)i + 1;
    }
    return 0;
}

static int level_add(Level *level, const Position *position, uint64_t weight) {
    if (level->count == level->capacity) {
        int status = level_grow(level);
        if (status != 0) {
            return status;
        }
    }
    uint32_t *slot = level_slot(level, position);
    if (*slot == 0) {
        level->parts[level->count++] = (PerftPart){.position = *position};
        *slot = (uint32_t)level->count;
    }
    uint64_t *sum = &level->parts[*slot - 1].weight;
    if (weight > INT64_MAX - *sum) {
        return -EOVERFLOW;
    }
    *sum += weight;
    return 0;
}

/* Fills the level one ply further down. */
static int level_expand(const PerftTask *task, const Level *level, Level *next) {
    for (size_t i = 0; i < level->count; i++) {
        const PerftPart *part = &level->parts[i];
        MoveList list;
        uint16_t ways[MOVES_MAX];

        movegen_generate_with_ways(task->variant, &part->position, &list, ways);
        for (int m = 0; m < list.count; m++) {
            const Position after = position_after(&part->position, list.moves[m]);
            uint64_t weight;
            int status;
            if (__builtin_mul_overflow(part->weight, task->unique ? 1 : ways[m], &weight) ||
                weight > INT64_MAX) {
                return -EOVERFLOW;
            }
            status = level_add(next, &after, weight);
            if (status != 0) {
                return status;
            }
        }
    }
    return 0;
}

int perft_split(const PerftTask *task, int plies, PerftSplit *split) {
    Level level = {0};
    int status = level_add(&level, &task->position, 1);

    for (int ply = 0; ply < plies && status == 0; ply++) {
        Level next = {0};
        status = level_expand(task, &level, &next);
        level_deinit(&level);
        level = next;
    }
    if (status == 0 && level.count == 0) {
        status = level_add(&level, &task->position, 0);
    }
    if (status != 0) {
        level_deinit(&level);
        return status;
    }
    *split = (PerftSplit){.task = *task, .plies = plies, .parts = level.parts, .count = level.count};
    free(level.slots);
    return 0;
}

void perft_split_deinit(PerftSplit *split) {
    free(split->parts);
    *split = (PerftSplit){0};
}

/* ---- Lines --------------------------------------------------------------------------------------------- */

PerftJob perft_job_of(const PerftSplit *split, size_t index) {
    return (PerftJob){
        .task = split->task,
        .number = index + 1,
        .total = split->count,
        .part = split->parts[index],
        .depth = split->task.depth - split->plies,
    };
}

static void position_write(Variant variant, const Position *position, char text[static FEN_SIZE]) {
    const FenRecord record = {.position = *position, .fullmove = 1};
    fen_write(&record, rules_of(variant), text);
}

char *perft_job_write(const PerftJob *job) {
    const PerftTask *task = &job->task;
    char fen[FEN_SIZE];
    char root[FEN_SIZE];
    char *line = NULL;
    int error = 0;

    position_write(task->variant, &job->part.position, fen);
    position_write(task->variant, &task->position, root);
    json_t *object =
        json_pack("{s:I, s:I, s:s, s:s, s:i, s:I, s:b, s:{s:s, s:i}}", "job", (json_int_t)job->number, "jobs",
                  (json_int_t)job->total, "variant", rules_of(task->variant)->name, "fen", fen, "depth",
                  job->depth, "weight", (json_int_t)job->part.weight, "unique", task->unique, "of", "fen",
                  root, "depth", task->depth);
    if (job->counted) {
        error |= json_object_set_new(object, "count", json_integer((json_int_t)job->count));
        error |= json_object_set_new(object, "seconds", json_real(job->seconds));
    }
    if (error == 0) {
        line = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9));
    }
    json_decref(object);
    return line;
}

/* A line that is being read, and where its fault goes. */
typedef struct {
    const json_t *object;
    ParseError *error;
} Fields;

static bool read_number(Fields fields, const char *name, uint64_t min, uint64_t max, uint64_t *number) {
    const json_t *value = json_object_get(fields.object, name);

    if (!json_is_integer(value) || json_integer_value(value) < (json_int_t)min ||
        json_integer_value(value) > (json_int_t)max) {
        snprintf(fields.error->text, sizeof(fields.error->text),
                 "no job: '%s' must be a number from %" PRIu64 " to %" PRIu64, name, min, max);
        return false;
    }
    *number = (uint64_t)json_integer_value(value);
    return true;
}

static bool read_depth(Fields fields, int *depth) {
    uint64_t number;

    if (!read_number(fields, "depth", 0, PERFT_DEPTH_MAX, &number)) {
        return false;
    }
    *depth = (int)number;
    return true;
}

static bool read_flag(Fields fields, const char *name, bool *flag) {
    const json_t *value = json_object_get(fields.object, name);

    if (!json_is_boolean(value)) {
        snprintf(fields.error->text, sizeof(fields.error->text), "no job: '%s' must be true or false", name);
        return false;
    }
    *flag = json_boolean_value(value);
    return true;
}

static bool read_text(Fields fields, const char *name, View *text) {
    const json_t *value = json_object_get(fields.object, name);

    if (!json_is_string(value)) {
        snprintf(fields.error->text, sizeof(fields.error->text), "no job: '%s' must be a text", name);
        return false;
    }
    *text = (View){json_string_value(value), json_string_length(value)};
    return true;
}

static bool read_position(Fields fields, Position *position) {
    FenRecord record;
    View text;

    if (!read_text(fields, "fen", &text) || !fen_read(text.start, text.length, &record, fields.error)) {
        return false;
    }
    *position = record.position;
    return true;
}

static bool read_variant(Fields fields, Variant *variant) {
    View name;

    if (!read_text(fields, "variant", &name)) {
        return false;
    }
    *variant = variant_from_name(name.start);
    if (*variant == VARIANT_COUNT) {
        Text out = text_init(fields.error->text, sizeof(fields.error->text));
        text_add(&out, "no job: unknown game ");
        text_add_quoted(&out, name);
        return false;
    }
    return true;
}

static bool read_count(Fields fields, PerftJob *job) {
    job->counted = json_object_get(fields.object, "count") != NULL;
    job->seconds = json_number_value(json_object_get(fields.object, "seconds"));
    return !job->counted || read_number(fields, "count", 0, INT64_MAX, &job->count);
}

static bool read_fields(Fields fields, PerftJob *job) {
    Fields of = {json_object_get(fields.object, "of"), fields.error};
    bool good = read_number(fields, "jobs", 1, INT64_MAX, &job->total) &&
                read_number(fields, "job", 1, job->total, &job->number) &&
                read_variant(fields, &job->task.variant) && read_position(fields, &job->part.position) &&
                read_depth(fields, &job->depth) &&
                read_number(fields, "weight", 0, INT64_MAX, &job->part.weight) &&
                read_flag(fields, "unique", &job->task.unique) && read_position(of, &job->task.position) &&
                read_depth(of, &job->task.depth) && read_count(fields, job);

    if (good && job->depth > job->task.depth) {
        snprintf(fields.error->text, sizeof(fields.error->text), "no job: depth %d of a perft of depth %d",
                 job->depth, job->task.depth);
        return false;
    }
    return good;
}

bool perft_job_read(View line, PerftJob *job, ParseError *error) {
    PerftJob result = {0};
    json_error_t fault;
    json_t *object = json_loadb(line.start, line.length, JSON_REJECT_DUPLICATES, &fault);

    if (object == NULL) {
        /* The library's own text may quote any bytes. */
        snprintf(error->text, sizeof(error->text), "torn or not JSON, from byte %d on", fault.position);
        return false;
    }
    if (!read_fields((Fields){object, error}, &result)) {
        json_decref(object);
        return false;
    }
    json_decref(object);
    *job = result;
    return true;
}

/* ---- Putting together ---------------------------------------------------------------------------------- */

static int refuse(ParseError *error, const PerftJob *job, const char *reason) {
    snprintf(error->text, sizeof(error->text), "job %" PRIu64 " %s", job->number, reason);
    return -EINVAL;
}

static bool same_task(const PerftTask *a, const PerftTask *b) {
    return a->variant == b->variant && position_equal(&a->position, &b->position) && a->depth == b->depth &&
           a->unique == b->unique;
}

/* Splits the task of the first job again. */
static int sum_begin(PerftSum *sum, const PerftJob *job) {
    int status = perft_split(&job->task, job->task.depth - job->depth, &sum->split);

    if (status != 0) {
        return status;
    }
    sum->counts = malloc(sum->split.count * sizeof(*sum->counts));
    if (sum->counts == NULL) {
        perft_split_deinit(&sum->split);
        return -ENOMEM;
    }
    for (size_t i = 0; i < sum->split.count; i++) {
        sum->counts[i] = UINT64_MAX;
    }
    return 0;
}

int perft_sum_add(PerftSum *sum, const PerftJob *job, ParseError *error) {
    int status = sum->counts == NULL ? sum_begin(sum, job) : 0;
    PerftJob own;

    if (status != 0) {
        return status;
    }
    if (!same_task(&job->task, &sum->split.task)) {
        return refuse(error, job, "is of another perft than the first");
    }
    if (job->total != sum->split.count || job->depth != sum->split.task.depth - sum->split.plies) {
        snprintf(error->text, sizeof(error->text),
                 "job %" PRIu64 " of %" PRIu64 ", depth %d: this perft is cut into %zu jobs of depth %d",
                 job->number, job->total, job->depth, sum->split.count,
                 sum->split.task.depth - sum->split.plies);
        return -EINVAL;
    }
    own = perft_job_of(&sum->split, (size_t)job->number - 1);
    if (!position_equal(&job->part.position, &own.part.position) || job->part.weight != own.part.weight) {
        return refuse(error, job, "has another position or weight than the split gives it");
    }
    if (!job->counted) {
        return sum->partial ? 0 : refuse(error, job, "has no count");
    }
    uint64_t *count = &sum->counts[job->number - 1];
    if (*count == UINT64_MAX) {
        *count = job->count;
        sum->seconds += job->seconds;
    } else if (*count != job->count) {
        snprintf(error->text, sizeof(error->text),
                 "job %" PRIu64 " has the count %" PRIu64 ", but before %" PRIu64, job->number, job->count,
                 *count);
        return -EINVAL;
    }
    return 0;
}

int perft_sum_total(const PerftSum *sum, uint64_t *count, ParseError *error) {
    size_t missing = 0;
    size_t first = 0;
    uint64_t total = 0;

    if (sum->counts == NULL) {
        snprintf(error->text, sizeof(error->text), "there are no jobs");
        return -EINVAL;
    }
    for (size_t i = 0; i < sum->split.count; i++) {
        if (sum->counts[i] == UINT64_MAX) {
            first = missing == 0 ? i : first;
            missing++;
        }
    }
    if (missing > 0) {
        snprintf(error->text, sizeof(error->text), "%zu of %zu jobs missing, the first is job %zu", missing,
                 sum->split.count, first + 1);
        return -EINVAL;
    }
    for (size_t i = 0; i < sum->split.count; i++) {
        uint64_t product;
        if (__builtin_mul_overflow(sum->counts[i], sum->split.parts[i].weight, &product) ||
            __builtin_add_overflow(total, product, &total) || total > INT64_MAX) {
            return -EOVERFLOW;
        }
    }
    *count = total;
    return 0;
}

void perft_sum_deinit(PerftSum *sum) {
    perft_split_deinit(&sum->split);
    free(sum->counts);
    *sum = (PerftSum){0};
}
