/*
 * Why MOVES_MAX and CAPTURES_MAX suffice. All of it is proof by exhaustion but the records at the end,
 * which are the best positions that random searches have found.
 *
 * Short kings. A jump leads two rows and two columns on, so a piece stays on one of four lattices of 8
 * squares, whose 9 jumps pass over 9 different squares. Each lattice is tried with every set of pieces on
 * its squares and of victims between them, as if the lattices did not share any piece; any of the pieces on
 * its squares may be the opponent's, which block in the same way.
 *
 * Flying kings, and men that capture in all directions, in every game where taken pieces leave at the end.
 * Only pieces on the 18 inner squares can be taken. For one set of them, count for each own piece the pairs
 * of a landing square and a set of taken pieces that a flying king could reach, free to land and to stop
 * where it likes:
 * - what men and short kings can do is part of that;
 * - pieces that stand elsewhere only take possibilities away;
 * - no pair stands for two moves: whether a man is crowned follows from its pair, because the pieces on the
 *   row before the crownhead can only be jumped onto the crownhead.
 * So the count bounds the list. It is then made smaller by what every piece of these games must do: a pair
 * counts only if no adjacent victim can be jumped onto a square that is certainly empty, and if no landing
 * square on the same leg would have to be chosen instead. Which squares hold own pieces is found out by
 * branching: an own piece blocks the others; an inner square without one is empty, one on the edge may hold
 * an opponent's. At each step the counts of the own pieces and the greatest of the undecided squares, up to
 * a whole side, bound all that may follow.
 */
#include "engine/movegen.h"
#include "tests/naive.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Here squares are numbers - 1 and sets have 32 bits. */
typedef uint32_t Set;

enum {
    INNER_SQUARES = 18,
    SHORT_LONGEST = 9,
    SHORT_LIST = 56,
    FLYING_LONGEST = 10,
    FLYING_LIST =
        200, /* what takes seconds; CROWNHEAD_TEST_BOUND = 150 is the lowest that can be proven this way */
    KING_QUIET = 13,
    STATES = 4096, /* slots for the pairs of one piece, a power of two, far above their number */
};

_Static_assert((int)FLYING_LIST <= (int)MOVES_MAX && (int)SHORT_LIST <= (int)MOVES_MAX,
               "capture lists must fit");
_Static_assert((int)SIDE_PIECES *(int)KING_QUIET <= (int)MOVES_MAX, "lists of quiet moves must fit");
_Static_assert((int)FLYING_LONGEST <= (int)CAPTURES_MAX && (int)SHORT_LONGEST <= (int)CAPTURES_MAX,
               "captures must fit");

static Set bit(int square) {
    return (Set)1 << square;
}

static int first(Set set) {
    return __builtin_ctz(set);
}

static int size(Set set) {
    return __builtin_popcount(set);
}

static int row_of(int square) {
    return 7 - square / 4;
}

static int column_of(int square) {
    return square % 4 * 2 + row_of(square) % 2;
}

/* -1 off the board. */
static int square_at(int row, int column) {
    return row < 0 || row > 7 || column < 0 || column > 7 ? -1 : (7 - row) * 4 + column / 2;
}

static bool inner(int square) {
    return row_of(square) % 7 != 0 && column_of(square) % 7 != 0;
}

static NaiveBoard board_of(char turn, Set white, Set black, char white_piece, char black_piece) {
    NaiveBoard board;
    memset(board.cell, '.', sizeof(board.cell));
    board.turn = turn;
    for (int square = 0; square < SQUARES; square++) {
        if (white & bit(square)) {
            board.cell[row_of(square)][column_of(square)] = white_piece;
        } else if (black & bit(square)) {
            board.cell[row_of(square)][column_of(square)] = black_piece;
        }
    }
    return board;
}

/* ---- Quiet moves --------------------------------------------------------------------------------------- */

START_TEST(test_quiet_moves_of_a_king) {
    static NaiveList list;
    int most = 0;
    for (int square = 0; square < SQUARES; square++) {
        NaiveBoard board = board_of('w', bit(square), 0, 'W', 'b');
        naive_routes(naive_rules_of("russian"), &board, &list);
        most = list.count > most ? list.count : most;
    }
    ck_assert_int_eq(most, KING_QUIET);
}
END_TEST

/* ---- Short kings --------------------------------------------------------------------------------------- */

typedef struct {
    int square[8];
    int between[9];
} Lattice;

/* The lattice of a square. */
static Lattice lattice_of(int square) {
    Lattice lattice = {.square = {square}};
    int squares = 1;
    Set known = bit(square);
    Set between = 0;
    for (int i = 0; i < squares; i++) {
        for (int direction = 0; direction < 4; direction++) {
            int up = direction / 2 * 2 - 1;
            int right = direction % 2 * 2 - 1;
            int row = row_of(lattice.square[i]);
            int column = column_of(lattice.square[i]);
            int next = square_at(row + 2 * up, column + 2 * right);
            if (next >= 0) {
                between |= bit(square_at(row + up, column + right));
                if ((known & bit(next)) == 0) {
                    ck_assert_int_lt(squares, 8);
                    known |= bit(next);
                    lattice.square[squares++] = next;
                }
            }
        }
    }
    ck_assert_int_eq(squares, 8);
    ck_assert_int_eq(size(between), 9);
    for (int i = 0; i < 9; i++) {
        lattice.between[i] = first(between);
        between &= between - 1;
    }
    return lattice;
}

static int descending(const void *a, const void *b) {
    return *(const int *)b - *(const int *)a;
}

static Set subset(const int *squares, int count, unsigned choice) {
    Set set = 0;
    for (int i = 0; i < count; i++) {
        set |= choice >> i & 1 ? bit(squares[i]) : 0;
    }
    return set;
}

/* Captures by the square of the piece; returns the longest. */
static int count_captures(const NaiveBoard *board, int counts[static SQUARES]) {
    static NaiveList list;
    int longest = 0;
    memset(counts, 0, SQUARES * sizeof(counts[0]));
    naive_routes(naive_rules_of("english"), board, &list);
    naive_reduce_to_moves(&list);
    for (int i = 0; i < list.count && list.route[i].captures > 0; i++) {
        counts[list.route[i].square[0] - 1]++;
        longest = list.route[i].captures > longest ? list.route[i].captures : longest;
    }
    return longest;
}

/* Most captures of 0..8 own pieces, kings or men as is better, on one lattice. */
static int most_on_lattice(const Lattice *lattice, int most[static 9]) {
    int kings[SQUARES];
    int men[SQUARES];
    int longest = 0;
    memset(most, 0, 9 * sizeof(most[0]));
    for (unsigned choice = 0; choice < 1u << (8 + 9); choice++) {
        Set own = subset(lattice->square, 8, choice & 0xff);
        Set victims = subset(lattice->between, 9, choice >> 8);
        NaiveBoard board = board_of('w', own, victims, 'W', 'b');
        int length = count_captures(&board, kings);
        if (length == 0) {
            continue;
        }
        board = board_of('w', own, victims, 'w', 'b');
        count_captures(&board, men);
        int counts[8];
        int sum = 0;
        for (int i = 0; i < 8; i++) {
            int square = lattice->square[i];
            counts[i] = kings[square] > men[square] ? kings[square] : men[square];
        }
        qsort(counts, 8, sizeof(counts[0]), descending);
        for (int pieces = 1; pieces <= 8; pieces++) {
            sum += counts[pieces - 1];
            most[pieces] = sum > most[pieces] ? sum : most[pieces];
        }
        longest = length > longest ? length : longest;
    }
    return longest;
}

START_TEST(test_short_kings) {
    int best[SIDE_PIECES + 1] = {0};
    int longest = 0;
    for (int corner = 0; corner < 4; corner++) {
        static const int CORNERS[4] = {0, 1, 4, 5};
        Lattice lattice = lattice_of(CORNERS[corner]);
        int most[9];
        int length = most_on_lattice(&lattice, most);
        longest = length > longest ? length : longest;
        for (int pieces = SIDE_PIECES; pieces >= 0; pieces--) {
            for (int here = 0; here <= 8 && here <= pieces; here++) {
                int sum = best[pieces - here] + most[here];
                best[pieces] = sum > best[pieces] ? sum : best[pieces];
            }
        }
    }
    ck_assert_int_eq(longest, SHORT_LONGEST);
    ck_assert_msg(best[SIDE_PIECES] <= SHORT_LIST, "%d captures may be possible", best[SIDE_PIECES]);
}
END_TEST

/* ---- Flying kings -------------------------------------------------------------------------------------- */

typedef struct {
    int length[SQUARES][DIRECTIONS];
    int square[SQUARES][DIRECTIONS][8]; /* from the nearest to the edge */
} Lines;

/* Counts the pairs that one piece can reach. */
typedef struct {
    Lines lines;
    Set victims;
    Set occupied; /* victims and other own pieces */
    Set empty;    /* squares known to be empty */
    int ends;
    int longest;
    uint32_t stamp; /* marks the slots that are in use */
    uint32_t stamps[STATES];
    uint64_t keys[STATES];
} Walk;

static void lines_fill(Lines *lines) {
    memset(lines, 0, sizeof(*lines));
    for (int square = 0; square < SQUARES; square++) {
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            int up = direction / 2 * 2 - 1;
            int right = direction % 2 * 2 - 1;
            int *length = &lines->length[square][direction];
            int next = square_at(row_of(square) + up, column_of(square) + right);
            while (next >= 0) {
                lines->square[square][direction][(*length)++] = next;
                next = square_at(row_of(next) + up, column_of(next) + right);
            }
        }
    }
}

/* Notes a pair; false if it was known. */
static bool note(Walk *walk, int square, Set taken, bool end) {
    uint64_t key = (uint64_t)taken << 6 | (uint64_t)square << 1 | end;
    size_t slot = (size_t)(key * 0x9e3779b97f4a7c15u >> 52);
    while (walk->stamps[slot] == walk->stamp) {
        if (walk->keys[slot] == key) {
            return false;
        }
        slot = (slot + 1) % STATES;
    }
    walk->stamps[slot] = walk->stamp;
    walk->keys[slot] = key;
    return true;
}

/* Whether any piece, man or king, would have to go on from here. */
static bool must_go_on(const Walk *walk, int square, Set taken) {
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        const int *line = walk->lines.square[square][direction];
        if (walk->lines.length[square][direction] >= 2 && (walk->victims & ~taken & bit(line[0])) != 0 &&
            (walk->empty & bit(line[1])) != 0) {
            return true;
        }
    }
    return false;
}

static void walk_from(Walk *walk, int square, Set taken) {
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        const int *line = walk->lines.square[square][direction];
        int length = walk->lines.length[square][direction];
        int at = 0;
        while (at < length && (walk->occupied & bit(line[at])) == 0) {
            at++;
        }
        if (at == length || (walk->victims & ~taken & bit(line[at])) == 0) {
            continue;
        }
        Set now = taken | bit(line[at]);
        int start = at + 1;
        int end = start;
        bool certain = true;
        bool forced = false;
        while (end < length && (walk->occupied & bit(line[end])) == 0) {
            certain = certain && (walk->empty & bit(line[end])) != 0;
            forced = forced || (certain && must_go_on(walk, line[end], now));
            end++;
        }
        for (int i = start; i < end; i++) {
            walk->longest = size(now) > walk->longest ? size(now) : walk->longest;
            if (!forced && !must_go_on(walk, line[i], now) && note(walk, line[i], now, true)) {
                walk->ends++;
            }
            if (note(walk, line[i], now, false)) {
                walk_from(walk, line[i], now);
            }
        }
    }
}

/* Bound of the captures of a piece on a square, given own pieces and certainly empty squares. */
static int count_ends(Walk *walk, int square, Set own, Set empty) {
    walk->occupied = (walk->victims | own) & ~bit(square);
    walk->empty = empty | bit(square);
    walk->ends = 0;
    walk->stamp++;
    walk_from(walk, square, 0);
    return walk->ends;
}

/* Fails if a side with these own pieces, and others on open squares, may have more than limit captures. */
static void prove(Walk *walk, Set own, Set empty, Set open, int limit) {
    int counts[SQUARES];
    int candidates = 0;
    int greatest = 0;
    int branch = -1;
    int sum = 0;
    /* Victims that fill a side leave no piece for the edge; else one may stand there unseen. */
    Set inside = 0;
    for (int square = 0; square < SQUARES; square++) {
        inside |= inner(square) || size(walk->victims) == SIDE_PIECES ? bit(square) : 0;
    }

    for (Set set = own; set != 0; set &= set - 1) {
        sum += count_ends(walk, first(set), own, empty & inside);
    }
    for (Set set = open; set != 0; set &= set - 1) {
        int count = count_ends(walk, first(set), own, empty & inside);
        if (count == 0) {
            /* It captures nothing now and less with more blockers; it stays unknown. */
            open &= ~bit(first(set));
            continue;
        }
        counts[candidates++] = count;
        if (count > greatest) {
            greatest = count;
            branch = first(set);
        }
    }
    qsort(counts, (size_t)candidates, sizeof(counts[0]), descending);
    int free_pieces = SIDE_PIECES - size(own);
    for (int i = 0; i < candidates && i < free_pieces; i++) {
        sum += counts[i];
    }
    if (sum <= limit) {
        return;
    }
    ck_assert_msg(branch >= 0 && free_pieces > 0, "up to %d captures with victims %08x, own pieces %08x", sum,
                  walk->victims, own);
    prove(walk, own | bit(branch), empty, open & ~bit(branch), limit);
    prove(walk, own, empty | bit(branch), open & ~bit(branch), limit);
}

static Set mirrored(Set set) {
    Set mirror = 0;
    for (; set != 0; set &= set - 1) {
        mirror |= bit(square_at(column_of(first(set)), row_of(first(set))));
    }
    return mirror;
}

static Set rotated(Set set) {
    Set rotation = 0;
    for (; set != 0; set &= set - 1) {
        rotation |= bit(SQUARES - 1 - first(set));
    }
    return rotation;
}

/* The relaxed captures know no forward, so one set of four alike is enough. */
static bool is_first_of_its_kind(Set set) {
    return set <= mirrored(set) && set <= rotated(set) && set <= mirrored(rotated(set));
}

START_TEST(test_flying_kings) {
    static Walk walk;
    const char *text = getenv("CROWNHEAD_TEST_BOUND");
    int limit = text != NULL ? atoi(text) : FLYING_LIST;
    int squares[INNER_SQUARES];
    int inner_squares = 0;

    lines_fill(&walk.lines);
    for (int square = 0; square < SQUARES; square++) {
        if (inner(square)) {
            squares[inner_squares++] = square;
        }
    }
    ck_assert_int_eq(inner_squares, INNER_SQUARES);
    for (unsigned choice = 1; choice < 1u << INNER_SQUARES; choice++) {
        walk.victims = subset(squares, INNER_SQUARES, choice);
        if (size(walk.victims) <= SIDE_PIECES && is_first_of_its_kind(walk.victims)) {
            prove(&walk, 0, 0, ~walk.victims, limit);
        }
    }
    ck_assert_int_eq(walk.longest, FLYING_LONGEST);
}
END_TEST

/* The count that the proof rests on must not be below what the rules allow, whoever stands where. */
START_TEST(test_relaxed_count_holds) {
    static const char *const GAMES[] = {"russian", "brazilian", "pool"};
    static Walk walk;
    static NaiveList list;
    const NaiveRules *rules = naive_rules_of(GAMES[_i]);
    uint64_t state = 1;
    int captures = 0;

    lines_fill(&walk.lines);
    for (int i = 0; i < 100000; i++) {
        NaiveBoard board = board_of("wb"[i % 2], 0, 0, 'W', 'B');
        Set own = 0;
        walk.victims = 0;
        for (int piece = 0; piece < 2 * SIDE_PIECES; piece++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            int square = (int)(state >> 59);
            bool is_own = piece % 2 == 0;
            bool white = is_own == (board.turn == 'w');
            bool king = (state >> 50 & 3) != 0 || row_of(square) == (white ? 7 : 0);
            bool wanted = (state >> 40 & 15) < (is_own ? 4 : 13);
            if (wanted && ((own | walk.victims) & bit(square)) == 0) {
                board.cell[row_of(square)][column_of(square)] = (king ? "BW" : "bw")[white];
                own |= is_own ? bit(square) : 0;
                walk.victims |= is_own ? 0 : bit(square);
            }
        }
        Set empty = ~(own | walk.victims);
        Set hidden = walk.victims;
        for (int square = 0; square < SQUARES; square++) {
            empty &= inner(square) ? ~(Set)0 : ~bit(square);
            hidden &= inner(square) ? ~bit(square) : ~(Set)0;
        }
        walk.victims &= ~hidden;

        naive_routes(rules, &board, &list);
        if (list.count == 0 || list.route[0].captures == 0) {
            continue;
        }
        naive_reduce_to_moves(&list);
        int counts[SQUARES] = {0};
        for (int k = 0; k < list.count; k++) {
            counts[list.route[k].square[0] - 1]++;
        }
        for (int square = 0; square < SQUARES; square++) {
            if (counts[square] > 0) {
                char text[NAIVE_TEXT_SIZE];
                int bound = count_ends(&walk, square, own, empty);
                ck_assert_msg(counts[square] <= bound, "%s %s: %d moves of %d, bound %d", rules->name,
                              naive_write(&board, text), counts[square], square + 1, bound);
                captures++;
            }
        }
    }
    ck_assert_int_gt(captures, 50000);
}
END_TEST

/* ---- Records ------------------------------------------------------------------------------------------- */

static const struct {
    const char *game;
    const char *fen;
    int longest;
    int routes; /* landing squares matter */
    int paths;  /* they do not, the order of the captured pieces does */
    int moves;
} RECORDS[] = {
    /* the longest captures */
    {"english", "W:WK1:B6,7,8,14,15,16,22,23,24", 9, 9, 9, 4},
    {"russian", "W:WK26:B7,8,9,14,15,16,22,23,24,25", 10, 22, 22, 19},
    /* most moves */
    {"english", "W:WK4,K6,K16,K21,K31:B1,3,9,10,11,17,18,19,20,25,26,27", 4, 32, 32, 28},
    {"russian", "W:WK1,K20,K28,K29,K30,K32:B7,8,9,15,16,17,23,24,25", 8, 88, 78, 68},
    /* most orders */
    {"russian", "W:WK1,K3,K4,K5,K21,K30,K32:B6,7,8,14,15,16,22,23,24", 9, 88, 88, 61},
    /* most routes */
    {"russian", "W:WK5,K13,K28,K31,K32:B7,8,9,15,16,17,25,26,27", 8, 106, 72, 42},
};

static bool count_path(void *user, const Path *path) {
    int *count = user;
    (void)path;
    ++*count;
    return false;
}

START_TEST(test_records) {
    static NaiveList list;
    Variant variant = variant_from_name(RECORDS[_i].game);
    NaiveBoard board = naive_read(RECORDS[_i].fen);
    Position position = naive_to_position(&board);
    MoveList moves;
    int longest = 0;
    int visits = 0;

    naive_routes(naive_rules_of(RECORDS[_i].game), &board, &list);
    int routes = list.count;
    for (int i = 0; i < list.count; i++) {
        longest = list.route[i].captures > longest ? list.route[i].captures : longest;
    }
    naive_reduce_to_paths(&list);
    int paths = list.count;
    naive_reduce_to_moves(&list);
    ck_assert_msg(longest == RECORDS[_i].longest && paths == RECORDS[_i].paths &&
                      list.count == RECORDS[_i].moves,
                  "%s: longest %d, %d paths, %d moves", RECORDS[_i].fen, longest, paths, list.count);

    movegen_generate(variant, &position, &moves);
    ck_assert_int_eq(moves.count, list.count);
    for (int i = 0; i < moves.count; i++) {
        movegen_visit_paths(variant, &position, moves.moves[i], count_path, &visits);
    }
    ck_assert_int_eq(visits, routes);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("bounds");
    TCase *tcase = tcase_create("lists");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, test_quiet_moves_of_a_king);
    tcase_add_test(tcase, test_short_kings);
    tcase_add_test(tcase, test_flying_kings);
    tcase_add_loop_test(tcase, test_relaxed_count_holds, 0, 3);
    tcase_add_loop_test(tcase, test_records, 0, (int)(sizeof(RECORDS) / sizeof(RECORDS[0])));
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
