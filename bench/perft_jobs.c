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

static const double SECONDS_MAX = 1e12;

/* ---- Splitting ----------------------------------------------------------------------------------------- */

/* The positions of one ply, with a hash table that finds them. */
typedef struct {
    PerftPart *parts;
    size_t count;
    size_t capacity;
    size_t most;
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
        if (level->count >= level->most) {
            return -E2BIG;
        }
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

int perft_split(const PerftTask *task, int plies, size_t most, PerftSplit *split) {
    Level level = {.most = most};
    int status = level_add(&level, &task->position, 1);

    for (int ply = 0; ply < plies && status == 0; ply++) {
        Level next = {.most = most};
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
    const json_t *seconds = json_object_get(fields.object, "seconds");

    job->counted = json_object_get(fields.object, "count") != NULL;
    job->seconds = json_number_value(seconds);
    if (seconds != NULL && !(json_is_number(seconds) && job->seconds >= 0 && job->seconds < SECONDS_MAX)) {
        snprintf(fields.error->text, sizeof(fields.error->text),
                 "no job: 'seconds' must be a number from 0 to below %g", SECONDS_MAX);
        return false;
    }
    return !job->counted || read_number(fields, "count", 0, INT64_MAX, &job->count);
}

static bool read_task(Fields fields, PerftTask *task) {
    Fields of = {json_object_get(fields.object, "of"), fields.error};

    if (of.object == NULL) {
        snprintf(fields.error->text, sizeof(fields.error->text), "no job: 'of' is missing");
        return false;
    }
    return read_position(of, &task->position) && read_depth(of, &task->depth);
}

static bool read_fields(Fields fields, PerftJob *job) {
    bool good = read_number(fields, "jobs", 1, PERFT_JOBS_MAX, &job->total) &&
                read_number(fields, "job", 1, job->total, &job->number) &&
                read_variant(fields, &job->task.variant) && read_position(fields, &job->part.position) &&
                read_depth(fields, &job->depth) &&
                read_number(fields, "weight", 0, INT64_MAX, &job->part.weight) &&
                read_flag(fields, "unique", &job->task.unique) && read_task(fields, &job->task) &&
                read_count(fields, job);

    if (good && job->depth > job->task.depth) {
        snprintf(fields.error->text, sizeof(fields.error->text), "no job: depth %d of a perft of depth %d",
                 job->depth, job->task.depth);
        return false;
    }
    if (good && job->task.depth - job->depth > PERFT_SPLIT_MAX) {
        snprintf(fields.error->text, sizeof(fields.error->text),
                 "no job: depth %d of a perft of depth %d, which is cut more than %d plies down", job->depth,
                 job->task.depth, PERFT_SPLIT_MAX);
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

static bool same_part(const PerftPart *a, const PerftPart *b) {
    return position_equal(&a->position, &b->position) && a->weight == b->weight;
}

/* The slot that holds the job of a number, or the free one where it belongs. */
static size_t *sum_slot(const PerftSum *sum, uint64_t number) {
    size_t at = key_index((Key)(number * 0x9e3779b97f4a7c15), sum->slots_count);

    while (sum->slots[at] != 0 && sum->jobs[sum->slots[at] - 1].number != number) {
        at = at + 1 < sum->slots_count ? at + 1 : 0;
    }
    return &sum->slots[at];
}

static int sum_grow(PerftSum *sum) {
    size_t capacity = sum->capacity * 2 + 64;
    PerftJob *jobs = realloc(sum->jobs, capacity * sizeof(*jobs));

    if (jobs == NULL) {
        return -ENOMEM;
    }
    sum->jobs = jobs;
    size_t *slots = calloc(capacity * 2, sizeof(*slots));
    if (slots == NULL) {
        return -ENOMEM;
    }
    free(sum->slots);
    sum->slots = slots;
    sum->slots_count = capacity * 2;
    sum->capacity = capacity;
    for (size_t i = 0; i < sum->count; i++) {
        *sum_slot(sum, jobs[i].number) = i + 1;
    }
    return 0;
}

/* Puts a job to the one that has come before with its number. */
static int sum_repeat(PerftJob *before, const PerftJob *job, ParseError *error) {
    if (!same_part(&before->part, &job->part)) {
        return refuse(error, job, "has another position or weight than before");
    }
    if (before->counted && job->counted && before->count != job->count) {
        snprintf(error->text, sizeof(error->text),
                 "job %" PRIu64 " has the count %" PRIu64 ", but before %" PRIu64, job->number, job->count,
                 before->count);
        return -EINVAL;
    }
    if (!before->counted) {
        *before = *job;
    }
    return 0;
}

int perft_sum_add(PerftSum *sum, const PerftJob *job, ParseError *error) {
    int status = sum->count == sum->capacity ? sum_grow(sum) : 0;
    const PerftJob *first = sum->jobs;

    if (status != 0) {
        return status;
    }
    if (sum->count > 0 && !same_task(&job->task, &first->task)) {
        return refuse(error, job, "is of another perft than the first");
    }
    if (sum->count > 0 && (job->total != first->total || job->depth != first->depth)) {
        snprintf(error->text, sizeof(error->text),
                 "job %" PRIu64 " is one of %" PRIu64 " of depth %d, but the first one of %" PRIu64
                 " of depth %d",
                 job->number, job->total, job->depth, first->total, first->depth);
        return -EINVAL;
    }
    if (!job->counted && !sum->partial) {
        return refuse(error, job, "has no count");
    }
    size_t *slot = sum_slot(sum, job->number);
    if (*slot != 0) {
        return sum_repeat(&sum->jobs[*slot - 1], job, error);
    }
    sum->jobs[sum->count++] = *job;
    *slot = sum->count;
    return 0;
}

static int refuse_incomplete(const PerftSum *sum, uint64_t total, ParseError *error) {
    uint64_t first = 1;

    while (*sum_slot(sum, first) != 0) {
        first++;
    }
    snprintf(error->text, sizeof(error->text),
             "%" PRIu64 " of %" PRIu64 " jobs missing, the first is job %" PRIu64, total - sum->count, total,
             first);
    return -EINVAL;
}

/* Splits the task of the jobs again. */
static int sum_split(PerftSum *sum, ParseError *error) {
    const PerftJob *first = &sum->jobs[0];
    /* Captures can make positions fewer from ply to ply, but not by so many. */
    size_t most = (size_t)first->total + (1 << 20);
    int status = perft_split(&first->task, first->task.depth - first->depth, most, &sum->split);

    if (status == -E2BIG || (status == 0 && sum->split.count != first->total)) {
        snprintf(error->text, sizeof(error->text),
                 "job %" PRIu64 ": this perft is not cut into %" PRIu64 " jobs of depth %d", first->number,
                 first->total, first->depth);
        sum->culprit = first;
        return -EINVAL;
    }
    if (status == -EOVERFLOW) {
        sum->culprit = first;
        return refuse(error, first, "is of a perft with a weight beyond counting");
    }
    return status;
}

int perft_sum_check(PerftSum *sum, ParseError *error) {
    sum->culprit = NULL;
    if (sum->count == 0) {
        snprintf(error->text, sizeof(error->text), "there are no jobs");
        return -EINVAL;
    }
    if (!sum->partial && sum->count < sum->jobs[0].total) {
        return refuse_incomplete(sum, sum->jobs[0].total, error);
    }
    int status = sum_split(sum, error);
    if (status != 0) {
        return status;
    }
    sum->counts = malloc(sum->split.count * sizeof(*sum->counts));
    if (sum->counts == NULL) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < sum->split.count; i++) {
        sum->counts[i] = UINT64_MAX;
    }
    for (size_t i = 0; i < sum->count; i++) {
        const PerftJob *job = &sum->jobs[i];
        if (!same_part(&job->part, &sum->split.parts[job->number - 1])) {
            sum->culprit = job;
            return refuse(error, job, "has another position or weight than the split gives it");
        }
        if (job->counted) {
            sum->counts[job->number - 1] = job->count;
            sum->seconds += job->seconds;
        }
    }
    return 0;
}

int perft_sum_total(PerftSum *sum, uint64_t *count, ParseError *error) {
    uint64_t total = 0;

    for (size_t i = 0; i < sum->count; i++) {
        const PerftJob *job = &sum->jobs[i];
        uint64_t product;
        if (__builtin_mul_overflow(job->count, job->part.weight, &product) ||
            __builtin_add_overflow(total, product, &total) || total > INT64_MAX) {
            sum->culprit = job;
            return refuse(error, job, "brings the sum beyond counting");
        }
    }
    *count = total;
    return 0;
}

void perft_sum_deinit(PerftSum *sum) {
    perft_split_deinit(&sum->split);
    free(sum->jobs);
    free(sum->slots);
    free(sum->counts);
    *sum = (PerftSum){0};
}
