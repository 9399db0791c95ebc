/*
 * A CheckerBoard engine with a fault, named by the environment variable CB_FAKE, for its host to deal with.
 * It plays English checkers, the last move of the list, and tells on stderr what it is asked.
 */

#include "checkerboard/board.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

CB_EXPORT CbGetMove getmove;
CB_EXPORT CbEngineCommand enginecommand;

static bool is_fault(const char *name) {
    const char *fault = getenv("CB_FAKE");

    return fault != NULL && strcmp(fault, name) == 0;
}

/* Commands go to stderr, for the tests to look at. */
int CB_CALL enginecommand(const char *command, char reply[CB_REPLY_SIZE]) {
    fprintf(stderr, "command %s\n", command);
    if (is_fault("silent")) {
        return 0;
    }
    if (strcmp(command, "name") == 0) {
        snprintf(reply, CB_REPLY_SIZE, is_fault("rubbish") ? "two\nlines \x01\xff and a tab\t" : "Fake");
        return 1;
    }
    if (strcmp(command, "get gametype") == 0) {
        snprintf(reply, CB_REPLY_SIZE, "%s", is_fault("italian") ? "22" : is_fault("odd") ? "77" : "21");
        return 1;
    }
    if (is_fault("long") && strncmp(command, "get ", 4) == 0) {
        memset(reply, 'x', CB_REPLY_SIZE);
        return 1;
    }
    if (strcmp(command, "get hashsize") == 0) {
        snprintf(reply, CB_REPLY_SIZE, "16");
        return 1;
    }
    if (strncmp(command, "set hashsize ", 13) == 0) {
        snprintf(reply, CB_REPLY_SIZE, "no such memory");
        return strcmp(command + 13, "32") == 0;
    }
    return strncmp(command, "set gamehist ", 13) == 0;
}

static void wait_for_play(int *playnow) {
    while (*(volatile int *)playnow == 0) {
        usleep(2000);
    }
}

int CB_CALL getmove(int board[8][8], int color, double maxtime, char status[CB_STATUS_SIZE], int *playnow,
                    int info, int moreinfo, CbMove *move) {
    Position position;
    MoveList legal;

    fprintf(stderr, "getmove %d %.3f %d %d %d\n", color, maxtime, info, moreinfo & 0xFFFF,
            (int)((unsigned)moreinfo >> 16));
    if (is_fault("crash")) {
        raise(SIGSEGV);
    }
    if (is_fault("hang")) {
        for (;;) {
            pause();
        }
    }
    if (is_fault("status")) {
        memset(status, '\xfe', CB_STATUS_SIZE);
    } else {
        snprintf(status, CB_STATUS_SIZE, "thinking\nhard");
    }
    if (maxtime > 1000) {
        wait_for_play(playnow);
    }
    if (!board_read(board, color, &position)) {
        return CB_UNKNOWN;
    }
    movegen_generate(VARIANT_ENGLISH, &position, &legal);
    if (is_fault("lazy") || legal.count == 0) {
        return CB_UNKNOWN;
    }
    if (is_fault("board")) {
        memset(board, 0x7f, 64 * sizeof(int));
        memset(move, 0x7f, sizeof *move);
        return 12345;
    }
    if (!is_fault("told")) {
        Position after = position_after(&position, legal.moves[legal.count - 1]);
        board_write(&after, board);
    } else {
        board_write_move(VARIANT_ENGLISH, &position, legal.moves[legal.count - 1], move);
    }
    return CB_UNKNOWN;
}
