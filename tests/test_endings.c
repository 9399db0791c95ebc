/*
 * The search against endings whose result is known: data/positions.tsv, the rows that were solved backwards
 * from the end of the game. Wins are found, near ones at their distance, then won on the board against the
 * engine itself; draws are held.
 */
#include "tests/search_play.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    ROWS_MAX = 128,
    FIELDS = 7,
    WIN_PLIES_MAX = 25,  /* longest win that the search has to find */
    LOSS_PLIES_MAX = 36, /* longest loss */
    DRAW_PIECES_MAX = 5,
    PROOF_NODES = 60000000,
    MOVE_NODES = 200000,
    MOVE_NODES_FAR = 4000000, /* where the win is further off than FAR_PLIES */
    FAR_PLIES = 20,
    DRAW_NODES = 1000000,
    MEGABYTES = 64,
};

/* A row of the file. */
typedef struct {
    char name[80];
    Variant variant;
    char fen[120];
    char result; /* W L D, of the side to move */
    int plies;   /* to the end of the game, 0 if drawn */
} Ending;

typedef struct {
    int count;
    Ending endings[ROWS_MAX];
} Endings;

/* Read once before the tests fork and only looked at from then on. */
static Endings wins, losses, draws;

static bool ending_read(char *line, Ending *ending) {
    char *fields[FIELDS];
    char *rest = line;

    for (int i = 0; i < FIELDS; i++) {
        fields[i] = strsep(&rest, "\t");
        if (fields[i] == NULL) {
            return false;
        }
    }
    ending->variant = variant_from_name(fields[1]);
    ending->result = fields[3][0];
    ending->plies = (int)strtol(fields[4], NULL, 10);
    int name = snprintf(ending->name, sizeof ending->name, "%s", fields[0]);
    int fen = snprintf(ending->fen, sizeof ending->fen, "%s", fields[2]);
    return ending->variant < VARIANT_COUNT && name < (int)sizeof ending->name &&
           fen < (int)sizeof ending->fen &&
           (strcmp(fields[5], "verified") == 0 || strcmp(fields[5], "computed") == 0);
}

static int pieces_of(const char *fen) {
    FenRecord record;
    ParseError error;

    return fen_read(fen, strlen(fen), &record, &error) ? bitboard_count(position_occupied(&record.position))
                                                       : 0;
}

/* Check's assertions do not work outside a test, so the reason of a failure goes to stderr. */
static bool endings_load(void) {
    const char *folder = getenv("CROWNHEAD_TEST_DATA");
    char path[4096];
    char line[1024];
    Ending ending;

    snprintf(path, sizeof path, "%s/positions.tsv", folder != NULL ? folder : "");
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "cannot open %s; CROWNHEAD_TEST_DATA is its folder\n", path);
        return false;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || !ending_read(line, &ending)) {
            continue;
        }
        Endings *list = NULL;
        if (ending.result == 'W' && ending.plies <= WIN_PLIES_MAX) {
            list = &wins;
        } else if (ending.result == 'L' && ending.plies <= LOSS_PLIES_MAX) {
            list = &losses;
        } else if (ending.result == 'D' && pieces_of(ending.fen) <= DRAW_PIECES_MAX) {
            list = &draws;
        }
        if (list != NULL && list->count < ROWS_MAX) {
            list->endings[list->count++] = ending;
        }
    }
    fclose(file);
    if (wins.count == 0 || losses.count == 0 || draws.count == 0) {
        fprintf(stderr, "%s: rows are missing\n", path);
        return false;
    }
    return true;
}

/* A search of the side that loses, which no limit ends once it knows: it is told to stop. */
typedef struct {
    SearchControl control;
    int moves; /* the loss is to be told as one in so many moves or fewer */
} Loser;

static void watch(void *user, const SearchInfo *info) {
    Loser *loser = user;

    if (info->bound == BOUND_EXACT && score_is_loss(info->score) &&
        -score_mate_moves(info->score) <= loser->moves) {
        atomic_store(&loser->control.stop, true);
    }
}

/* Longest defence, in moves of the winner, as the loser sees it. */
static void check_loss(const Ending *ending, const Game *game, TranspositionTable *tt, int plies) {
    Loser loser = {.moves = plies / 2};
    SearchReport report = {.user = &loser, .on_info = watch};
    SearchLimits limits = {.has_nodes = true, .nodes = PROOF_NODES};
    SearchResult result;

    ck_assert_int_eq(search_run(game, &limits, tt, &loser.control, &report, &result), 0);
    ck_assert_msg(score_is_loss(result.score), "%s: a loss in %d plies is scored %d", ending->name, plies,
                  result.score);
    ck_assert_msg(-score_mate_moves(result.score) >= plies / 2, "%s: lost in %d plies, scored %d",
                  ending->name, plies, result.score);
}

START_TEST(win_is_found) {
    const Ending *ending = &wins.endings[_i];
    Game game = game_from(ending->variant, ending->fen);
    TranspositionTable tt = table_of(MEGABYTES);
    int moves = (ending->plies + 1) / 2;
    SearchLimits limits = {.has_nodes = true, .nodes = PROOF_NODES, .has_mate = true, .mate = moves};
    SearchResult result = search_game(&game, &limits, &tt);

    ck_assert_msg(score_is_win(result.score), "%s: score %d", ending->name, result.score);
    int found = score_mate_moves(result.score);
    ck_assert_msg(found >= moves, "%s: won in %d moves, found %d", ending->name, moves, found);
    /* The far ones may be found by a longer way. */
    ck_assert_msg(found == moves || ending->plies > FAR_PLIES, "%s: won in %d moves, found %d", ending->name,
                  moves, found);

    ck_assert_int_eq(game_play(&game, result.best), 0);
    if (found == moves && game_result(&game, NULL) == RESULT_OPEN) {
        check_loss(ending, &game, &tt, ending->plies - 1);
    }
    tt_deinit(&tt);
    game_deinit(&game);
}
END_TEST

START_TEST(loss_is_found) {
    const Ending *ending = &losses.endings[_i];
    Game game = game_from(ending->variant, ending->fen);
    TranspositionTable tt = table_of(MEGABYTES);

    check_loss(ending, &game, &tt, ending->plies);
    tt_deinit(&tt);
    game_deinit(&game);
}
END_TEST

/* The engine plays both sides, each with a table of its own. */
static Result play_out(Game *game, uint64_t nodes, int *plies) {
    TranspositionTable tables[2] = {table_of(MEGABYTES), table_of(MEGABYTES)};
    SearchLimits limits = {.has_nodes = true, .nodes = nodes};

    *plies = 0;
    while (game_result(game, NULL) == RESULT_OPEN) {
        SearchResult result = search_game(game, &limits, &tables[game->position.turn]);
        ck_assert(is_legal(game->variant, &game->position, result.best));
        ck_assert_int_eq(game_play(game, result.best), 0);
        ++*plies;
    }
    tt_deinit(&tables[0]);
    tt_deinit(&tables[1]);
    return game_result(game, NULL);
}

START_TEST(win_is_won) {
    const Ending *ending = &wins.endings[_i];
    Game game = game_from(ending->variant, ending->fen);
    Result expected = game.position.turn == WHITE ? RESULT_WHITE_WINS : RESULT_BLACK_WINS;
    int plies;
    Result result = play_out(&game, ending->plies > FAR_PLIES ? MOVE_NODES_FAR : MOVE_NODES, &plies);

    ck_assert_msg(result == expected, "%s: not won, over after %d plies", ending->name, plies);
    game_deinit(&game);
}
END_TEST

START_TEST(draw_is_held) {
    const Ending *ending = &draws.endings[_i];
    Game game = game_from(ending->variant, ending->fen);
    int plies;
    Result result = play_out(&game, DRAW_NODES, &plies);

    ck_assert_msg(result == RESULT_DRAW, "%s: not drawn, over after %d plies", ending->name, plies);
    game_deinit(&game);
}
END_TEST

int main(void) {
    if (!endings_load()) {
        return EXIT_FAILURE;
    }
    Suite *suite = suite_create("endings");
    TCase *tcase = tcase_create("endings");
    tcase_set_timeout(tcase, 600);
    tcase_add_loop_test(tcase, win_is_found, 0, wins.count);
    tcase_add_loop_test(tcase, loss_is_found, 0, losses.count);
    tcase_add_loop_test(tcase, win_is_won, 0, wins.count);
    tcase_add_loop_test(tcase, draw_is_held, 0, draws.count);
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
