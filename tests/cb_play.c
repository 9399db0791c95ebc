/*
 * Loads a CheckerBoard engine as CheckerBoard does and plays a game, without a test library, so that it also
 * runs under Windows. TAP on stdout.
 *
 * usage: cb_play LIBRARY GAMETYPE
 */
#include "checkerboard/board.h"
#include "checkerboard/gametype.h"
#include "checkerboard/library.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 5, GAME_PLIES = 120 };

typedef struct {
    CbLibrary library;
    Variant variant;
    int count;
    bool failed;
} Play;

static void check(Play *play, bool good, const char *what, const char *note) {
    printf("%s %d - %s\n# %s\n", good ? "ok" : "not ok", ++play->count, what, note);
    fflush(stdout);
    play->failed |= !good;
}

static double now(void) {
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void check_reply(Play *play, const char *command, const char *expected) {
    char reply[CB_REPLY_SIZE] = "";
    char note[CB_REPLY_SIZE + 40];
    int done = play->library.enginecommand(command, reply);

    snprintf(note, sizeof note, "%s: %d, %s", command, done, reply);
    check(play, done == 1 && strncmp(reply, expected, strlen(expected)) == 0, command, note);
}

/* Makes a move of the engine's. False if it is not a legal one. */
static bool make_move(Play *play, Position *position, double seconds, int *playnow, double *took) {
    char status[CB_STATUS_SIZE];
    int board[8][8];
    CbMove told;
    MoveList legal;

    movegen_generate(play->variant, position, &legal);
    board_write(position, board);
    double begin = now();
    play->library.getmove(board, board_color((Color)position->turn), seconds, status, playnow, CB_EXACT_TIME,
                          0, &told);
    *took = now() - begin;
    Move move = board_find(&legal, position, board);
    if (move == MOVE_NONE || board_find_move(&legal, &told) != move) {
        return false;
    }
    *position = position_after(position, move);
    return true;
}

static void play_game(Play *play) {
    Position position = position_start(rules_of(play->variant));
    int plies = 0;
    bool legal = true;
    char note[80];

    while (legal && plies < GAME_PLIES && movegen_has_move(play->variant, &position)) {
        int playnow = 0;
        double took;
        legal = make_move(play, &position, 0.01, &playnow, &took);
        plies += legal;
    }
    snprintf(note, sizeof note, "%d plies", plies);
    check(play, legal && plies > 20, "a game of legal moves", note);
}

/* The best of several tries, for a machine may have other things to do. */
static void check_second(Play *play) {
    double off = 1e9;
    char note[80];

    for (int i = 0; i < TRIES && off > 0.1; i++) {
        Position position = position_start(rules_of(play->variant));
        int playnow = 0;
        double took;
        bool legal = make_move(play, &position, 1, &playnow, &took);
        double error = took > 1 ? took - 1 : 1 - took;
        off = legal && error < off ? error : off;
    }
    snprintf(note, sizeof note, "off by %.3f s", off);
    check(play, off <= 0.1, "a second is a second", note);
}

typedef struct {
    int playnow;
    double pressed;
} Button;

static void *press(void *argument) {
    Button *button = argument;

    usleep(200 * 1000);
    button->pressed = now();
    *(volatile int *)&button->playnow = 1;
    return NULL;
}

static void check_play_now(Play *play) {
    double best = 1e9;
    char note[80];

    for (int i = 0; i < TRIES && best > 0.02; i++) {
        Position position = position_start(rules_of(play->variant));
        Button button = {0};
        pthread_t thread;
        double took;
        if (pthread_create(&thread, NULL, press, &button) != 0) {
            break;
        }
        bool legal = make_move(play, &position, 1e6, &button.playnow, &took);
        double end = now();
        pthread_join(thread, NULL);
        double late = end - button.pressed;
        best = legal && late < best ? late : best;
    }
    snprintf(note, sizeof note, "after %.3f s", best);
    check(play, best <= 0.05, "playnow is obeyed", note);
}

int main(int argc, char **argv) {
    Play play = {.variant = argc == 3 ? gametype_variant(atoi(argv[2])) : VARIANT_COUNT};
    ParseError error;

    if (play.variant == VARIANT_COUNT) {
        fprintf(stderr, "usage: cb_play LIBRARY GAMETYPE\n");
        return 2;
    }
    printf("1..9\n");
    bool loaded = cb_library_open(&play.library, argv[1], &error);
    check(&play, loaded, "the library is loaded", loaded ? argv[1] : error.text);
    if (!loaded) {
        return 1;
    }
    check(&play, play.library.islegal != NULL, "it has islegal", "");
    check_reply(&play, "name", "Crownhead ");
    check_reply(&play, "get protocolversion", "2");
    check_reply(&play, "get gametype", argv[2]);
    check_reply(&play, "get movelist B:W1:B", "movelist 0");
    play_game(&play);
    check_second(&play);
    check_play_now(&play);
    cb_library_close(&play.library);
    return play.failed ? 1 : 0;
}
