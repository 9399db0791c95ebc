/* Solving a slice, one pair of leading rows after the other. */
#include "endgame/solve.h"

#include "engine/movegen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * What is known of a position, a byte. While it is open the byte counts its moves inside the unit that are
 * not known to lose; a position whose value is known but not yet passed on to those before it has bit 7.
 */
enum {
    OPEN_MAX = 119,  /* 1..: open, can still turn out lost when all these moves lose */
    OPEN_SAFE = 120, /* open, has a move to a draw: won or drawn */
    DONE_WIN = 121,
    DONE_LOSS = 122,
    DONE_DRAW = 123,
    DONE_NONE = 124,
    NEW_WIN = 0x80,
    NEW_LOSS = 0x81,
    NEW_FIXED_WIN = 0x82 /* by a capture: no shorter win can be found */
};

#define NEW_BITS UINT64_C(0x8080808080808080)

/*
 * A unit is what has to be solved at once: all positions with the same leading men of both sides (no quiet
 * move inside leads on or back), with one side to move and with the other.
 */
typedef struct Half {
    Slice slice;
    Table *table;                  /* of the slice, to be filled */
    uint32_t own_first, own_count; /* ranks of the men of the side to move */
    uint32_t other_first, other_count;
    uint64_t kings; /* ways */
    uint64_t size;
    _Atomic uint8_t *states;
    _Atomic uint16_t *distances; /* plies; of an open position the least that a loss would take; or NULL */
    struct Half *counterpart;    /* the other side to move */
} Half;

typedef struct {
    Variant variant;
    const TableSet *set;
    bool flying;
    Workers *workers;
    Half halves[2];
    int halves_count;
    const Half *at;  /* the half that is worked on */
    int layer;       /* plies */
    atomic_int next; /* the least distance left to do */
    atomic_bool overflow;
    atomic_uint_fast64_t passed_on;
} Solver;

/* ---- First values -------------------------------------------------------------------------------------- */

static int row_of_leader(Bitboard men) {
    return men == 0 ? 0 : square_row((Square)(63 - __builtin_clzll(men)));
}

/* How a position stands before anything is known of its unit; *distance is as in Half. */
static uint8_t first_state(const Solver *solver, const Position *position, int *distance) {
    int leader = row_of_leader(position->pieces[WHITE] & ~position->kings);
    int inside = 0;
    MoveList list;

    movegen_generate(solver->variant, position, &list);
    bool capture = list.count > 0 && move_is_capture(list.moves[0]);
    if (!capture) {
        /* Moves inside the unit are counted, those that leave it looked up. */
        int outside = 0;
        for (int i = 0; i < list.count; i++) {
            Move move = list.moves[i];
            bool man = (position->kings & BITBOARD_BIT(move_from(move))) == 0;
            if (man && square_row(move_to(move)) > leader) {
                list.moves[outside++] = move;
            } else {
                inside++;
            }
        }
        list.count = outside;
    }
    if (list.count == 0) {
        *distance = 0;
        return inside == 0 ? NEW_LOSS : (uint8_t)inside;
    }
    Known known = table_best(solver->set, position, &list);
    *distance = known.plies;
    switch (known.value) {
    case VALUE_WIN:
        return capture ? NEW_FIXED_WIN : NEW_WIN;
    case VALUE_DRAW:
        return inside == 0 ? DONE_DRAW : OPEN_SAFE;
    default:
        return inside == 0 ? NEW_LOSS : (uint8_t)inside;
    }
}

/* The men of a pair of ranks, counted in the half; false if they share a square. */
static bool place_men(Placer *placer, const Half *half, uint64_t pair) {
    return placer_men(placer, half->own_first + (uint32_t)(pair / half->other_count),
                      half->other_first + (uint32_t)(pair % half->other_count));
}

static void begin_pairs(void *user, int thread, uint64_t first, uint64_t end) {
    Solver *solver = user;
    const Half *half = solver->at;

    Placer placer = placer_init(half->slice);

    (void)thread;
    for (uint64_t pair = first; pair < end; pair++) {
        bool placed = place_men(&placer, half, pair);
        for (uint64_t kings = 0; kings < half->kings; kings++) {
            uint64_t index = pair * half->kings + kings;
            uint8_t state = DONE_NONE;
            int distance = 0;
            if (placed) {
                Position position = placer_kings(&placer, kings);
                state = first_state(solver, &position, &distance);
            }
            atomic_store_explicit(&half->states[index], state, memory_order_relaxed);
            if (half->distances != NULL) {
                atomic_store_explicit(&half->distances[index], (uint16_t)distance, memory_order_relaxed);
            }
        }
    }
}

/* ---- Passing values on --------------------------------------------------------------------------------- */

/* The position before can be won: its side to move goes to one that is lost. */
static void pass_loss(const Half *half, uint64_t index, int distance) {
    uint8_t state = atomic_load_explicit(&half->states[index], memory_order_relaxed);

    while (state <= OPEN_SAFE &&
           !atomic_compare_exchange_weak_explicit(&half->states[index], &state, NEW_WIN, memory_order_relaxed,
                                                  memory_order_relaxed)) {
    }
    if (half->distances != NULL &&
        (state <= OPEN_SAFE || (state == NEW_WIN && atomic_load_explicit(&half->distances[index],
                                                                         memory_order_relaxed) > distance))) {
        atomic_store_explicit(&half->distances[index], (uint16_t)distance, memory_order_relaxed);
    }
}

/* The position before has one way less to avoid a loss. */
static void pass_win(const Half *half, uint64_t index, int distance) {
    uint8_t state = atomic_load_explicit(&half->states[index], memory_order_relaxed);

    while (state <= OPEN_MAX &&
           !atomic_compare_exchange_weak_explicit(&half->states[index], &state,
                                                  state == 1 ? NEW_LOSS : (uint8_t)(state - 1),
                                                  memory_order_relaxed, memory_order_relaxed)) {
    }
    if (state == 1 && half->distances != NULL &&
        atomic_load_explicit(&half->distances[index], memory_order_relaxed) < distance) {
        atomic_store_explicit(&half->distances[index], (uint16_t)distance, memory_order_relaxed);
    }
}

/* What a position and all before it have in common. */
typedef struct {
    const Half *half; /* of the positions before */
    bool lost;        /* whether the position is */
    int distance;     /* of those before, by this one */
    Position before;  /* with Black to move; the mover is taken off in turn */
    uint64_t pair;    /* of men, in the half */
} Passing;

static void pass_to(const Passing *passing, uint64_t pair, const Position *before) {
    const Half *half = passing->half;
    uint64_t index = pair * half->kings + slice_both_kings_rank(half->slice, BLACK, before);

    if (passing->lost) {
        pass_loss(half, index, passing->distance);
    } else {
        pass_win(half, index, passing->distance);
    }
}

static void pass_from_king(const Passing *passing, const Solver *solver, Bitboard king) {
    Bitboard empty = position_empty(&passing->before);
    Bitboard origins = 0;

    for (int direction = 0; direction < DIRECTIONS; direction++) {
        origins |= solver->flying ? bitboard_slide(king, (Direction)direction, empty)
                                  : bitboard_step(king, (Direction)direction) & empty;
    }
    origins &= ~king;
    while (origins != 0) {
        Bitboard origin = BITBOARD_BIT(bitboard_pop(&origins));
        Position before = passing->before;
        before.pieces[BLACK] ^= king | origin;
        before.kings ^= king | origin;
        pass_to(passing, passing->pair, &before);
    }
}

static void pass_from_man(const Passing *passing, Bitboard man) {
    const Half *half = passing->half;
    Bitboard empty = position_empty(&passing->before);
    Bitboard origins = (bitboard_step(man, UP_LEFT) | bitboard_step(man, UP_RIGHT)) & empty;

    while (origins != 0) {
        Bitboard origin = BITBOARD_BIT(bitboard_pop(&origins));
        Position before = passing->before;
        before.pieces[BLACK] ^= man | origin;
        uint32_t own = slice_men_rank(BLACK, before.pieces[BLACK] & ~before.kings);
        if (own < half->own_first) {
            continue; /* the man was the leader: that unit looks for itself */
        }
        pass_to(passing,
                (own - half->own_first) * (uint64_t)half->other_count + passing->pair % half->other_count,
                &before);
    }
}

/* Passes a value on to all positions from which a quiet move leads here. */
static void pass_on(const Solver *solver, const Half *half, uint64_t pair, const Position *position,
                    bool lost, int distance) {
    const Half *before = half->counterpart;
    uint64_t own = pair / half->other_count;
    uint64_t other = pair % half->other_count;
    Passing passing = {
        .half = before,
        .lost = lost,
        .distance = distance + 1,
        .before = *position,
        .pair = other * before->other_count + own,
    };
    passing.before.turn = BLACK;
    for (Bitboard kings = position->pieces[BLACK] & position->kings; kings != 0;) {
        pass_from_king(&passing, solver, BITBOARD_BIT(bitboard_pop(&kings)));
    }
    for (Bitboard men = position->pieces[BLACK] & ~position->kings; men != 0;) {
        pass_from_man(&passing, BITBOARD_BIT(bitboard_pop(&men)));
    }
}

static void note_next(Solver *solver, int distance) {
    int next = atomic_load_explicit(&solver->next, memory_order_relaxed);

    while (distance < next &&
           !atomic_compare_exchange_weak_explicit(&solver->next, &next, distance, memory_order_relaxed,
                                                  memory_order_relaxed)) {
    }
}

/* One new value, if its turn has come. */
static bool settle(Solver *solver, const Half *half, uint64_t index, uint8_t state) {
    int distance = 0;

    if (half->distances != NULL) {
        distance = atomic_load_explicit(&half->distances[index], memory_order_relaxed);
        if (distance > solver->layer) {
            note_next(solver, distance);
            return false;
        }
        note_next(solver, distance + 1);
        if (distance >= DISTANCE_MAX) {
            atomic_store(&solver->overflow, true);
        }
    }
    atomic_store_explicit(&half->states[index], state == NEW_LOSS ? DONE_LOSS : DONE_WIN,
                          memory_order_relaxed);
    return true;
}

static void pass_pairs(void *user, int thread, uint64_t first, uint64_t end) {
    Solver *solver = user;
    const Half *half = solver->at;
    const uint8_t *states = (const uint8_t *)(uintptr_t)half->states;
    Placer placer = placer_init(half->slice);
    uint64_t passed = 0;

    (void)thread;
    for (uint64_t pair = first; pair < end; pair++) {
        bool placed = false;
        for (uint64_t kings = 0; kings < half->kings;) {
            uint64_t index = pair * half->kings + kings;
            uint64_t eight;
            if (kings + 8 <= half->kings) {
                memcpy(&eight, states + index, sizeof eight);
                if ((eight & NEW_BITS) == 0) {
                    kings += 8;
                    continue;
                }
            }
            for (uint64_t last = kings + 8 < half->kings ? kings + 8 : half->kings; kings < last;
                 kings++, index++) {
                uint8_t state = atomic_load_explicit(&half->states[index], memory_order_relaxed);
                if ((state & 0x80) == 0 || !settle(solver, half, index, state)) {
                    continue;
                }
                if (!placed) {
                    placed = place_men(&placer, half, pair);
                }
                Position position = placer_kings(&placer, kings);
                pass_on(solver, half, pair, &position, state == NEW_LOSS, solver->layer);
                passed++;
            }
        }
    }
    atomic_fetch_add_explicit(&solver->passed_on, passed, memory_order_relaxed);
}

/* ---- Units --------------------------------------------------------------------------------------------- */

static void store_pairs(void *user, int thread, uint64_t first, uint64_t end) {
    Solver *solver = user;
    const Half *half = solver->at;

    (void)thread;
    for (uint64_t row = first; row < end; row++) {
        uint64_t index = row * half->other_count * half->kings;
        uint64_t target =
            ((half->own_first + row) * slice_men_ways(half->slice.men[1]) + half->other_first) * half->kings;
        for (uint64_t i = 0; i < half->other_count * half->kings; i++) {
            uint8_t state = atomic_load_explicit(&half->states[index + i], memory_order_relaxed);
            Value value = state == DONE_WIN    ? VALUE_WIN
                          : state == DONE_LOSS ? VALUE_LOSS
                          : state == DONE_NONE ? VALUE_NONE
                                               : VALUE_DRAW;
            table_set(half->table, target + i, value);
            if (half->distances != NULL && (value == VALUE_WIN || value == VALUE_LOSS)) {
                half->table->distances[target + i] = (uint8_t)(half->distances[index + i] / 2);
            }
        }
    }
}

enum { STEP = 1 << 13 }; /* positions in a piece of work */

static void run(Solver *solver, const Half *half, uint64_t count, uint64_t each,
                void (*work)(void *user, int thread, uint64_t first, uint64_t end)) {
    solver->at = half;
    workers_run(solver->workers, count, each < STEP ? STEP / each : 1, work, solver);
}

/* All passes of a unit, layer by layer if distances are wanted. */
static void propagate(Solver *solver) {
    for (solver->layer = 0;;) {
        atomic_store(&solver->passed_on, 0);
        atomic_store(&solver->next, INT32_MAX);
        for (int i = 0; i < solver->halves_count; i++) {
            const Half *half = &solver->halves[i];
            run(solver, half, half->size / half->kings, half->kings, pass_pairs);
        }
        if (atomic_load(&solver->overflow)) {
            return;
        }
        if (solver->halves[0].distances != NULL) {
            solver->layer = atomic_load(&solver->next);
            if (solver->layer == INT32_MAX) {
                return;
            }
        } else if (atomic_load(&solver->passed_on) == 0) {
            return;
        }
    }
}

/* The ranks of men whose leader stands on a row, 0..6; all if there are no men. */
static void ranks_of_lead(int men, int row, uint32_t *first, uint32_t *count) {
    if (men == 0) {
        *first = 0;
        *count = row == 0;
        return;
    }
    *first = SLICE_BINOMIALS[men][4 * row];
    *count = SLICE_BINOMIALS[men][4 * (row + 1)] - *first;
}

static int half_init(Half *half, const Solver *solver, Slice slice, int own, int other, bool distances) {
    *half =
        (Half){.slice = slice, .table = tableset_find(solver->set, slice), .kings = slice_kings_ways(slice)};
    ranks_of_lead(slice.men[0], own, &half->own_first, &half->own_count);
    ranks_of_lead(slice.men[1], other, &half->other_first, &half->other_count);
    half->size = (uint64_t)half->own_count * half->other_count * half->kings;
    half->states = malloc(half->size + 1);
    half->distances = distances ? malloc(half->size * sizeof *half->distances + 1) : NULL;
    return half->states == NULL || (distances && half->distances == NULL) ? -ENOMEM : 0;
}

static void half_deinit(Half *half) {
    free((uint8_t *)(uintptr_t)half->states);
    free((uint16_t *)(uintptr_t)half->distances);
}

static int solve_unit(Solver *solver, Slice slice, int own, int other, bool distances) {
    Slice turned = slice_turned(slice);
    int error;

    solver->halves_count = slice_equal(slice, turned) && own == other ? 1 : 2;
    error = half_init(&solver->halves[0], solver, slice, own, other, distances);
    if (error == 0 && solver->halves_count == 2) {
        error = half_init(&solver->halves[1], solver, turned, other, own, distances);
    }
    for (int i = 0; i < solver->halves_count; i++) {
        solver->halves[i].counterpart = &solver->halves[solver->halves_count - 1 - i];
    }
    for (int i = 0; i < solver->halves_count && error == 0; i++) {
        const Half *half = &solver->halves[i];
        run(solver, half, half->size / half->kings, half->kings, begin_pairs);
    }
    if (error == 0) {
        propagate(solver);
        error = atomic_load(&solver->overflow) ? -EOVERFLOW : 0;
    }
    for (int i = 0; i < solver->halves_count && error == 0; i++) {
        /* Rows of ranks may share a byte of the table where they meet: one thread. */
        solver->at = &solver->halves[i];
        store_pairs(solver, 0, 0, solver->at->own_count);
    }
    for (int i = 0; i < solver->halves_count; i++) {
        half_deinit(&solver->halves[i]);
        solver->halves[i] = (Half){0};
    }
    return error;
}

uint64_t solve_unit_size(Slice slice) {
    uint64_t largest = 0;

    for (int own = 0; own < LEADS; own++) {
        for (int other = 0; other < LEADS; other++) {
            uint32_t first, own_count, other_count;
            ranks_of_lead(slice.men[0], own, &first, &own_count);
            ranks_of_lead(slice.men[1], other, &first, &other_count);
            uint64_t size = (uint64_t)own_count * other_count * slice_kings_ways(slice);
            largest = size > largest ? size : largest;
        }
    }
    return largest * 2; /* either side to move */
}

int solve_slice(Variant variant, const TableSet *set, Slice slice, bool distances, Workers *workers) {
    Solver solver = {
        .variant = variant, .set = set, .flying = rules_of(variant)->flying_kings, .workers = workers};
    bool symmetric = slice_equal(slice, slice_turned(slice));
    int error = 0;

    /* A leader only goes on: units with farther ones come first. */
    for (int own = slice.men[0] > 0 ? LEADS - 1 : 0; own >= 0 && error == 0; own--) {
        for (int other = slice.men[1] > 0 ? LEADS - 1 : 0; other >= 0 && error == 0; other--) {
            if (!symmetric || own >= other) {
                error = solve_unit(&solver, slice, own, other, distances);
            }
        }
    }
    return error;
}
