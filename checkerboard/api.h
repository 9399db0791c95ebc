/*
 * The interface of CheckerBoard engines: three functions of a shared library, and what they pass.
 * (CheckerBoard by M. Fierz and E. Gilbert, cb_interface.h and cb_api_reference.)
 */
#ifndef CROWNHEAD_CHECKERBOARD_API_H
#define CROWNHEAD_CHECKERBOARD_API_H

#ifdef _WIN32
#define CB_CALL __stdcall
#define CB_EXPORT __declspec(dllexport)
#else
#define CB_CALL
#define CB_EXPORT __attribute__((visibility("default")))
#endif

/* What stands on a square: CB_FREE, or a colour + a kind. A colour alone is a side to move. */
enum { CB_FREE = 0, CB_WHITE = 1, CB_BLACK = 2, CB_MAN = 4, CB_KING = 8 };

enum { CB_DRAW = 0, CB_WIN = 1, CB_LOSS = 2, CB_UNKNOWN = 3 };

/* The bits of info. */
enum {
    CB_RESET_MOVES = 1 << 0,   /* this position does not follow on the last one */
    CB_EXACT_TIME = 1 << 1,    /* use maxtime and no more; else it is an average */
    CB_INCREMENT_SHIFT = 2,    /* of the unit of moreinfo: two bits */
    CB_INCREMENT_OFF = 0,      /* moreinfo tells nothing */
    CB_INCREMENT_1_MS = 1,     /* else it is the time left << 16 | the increment, in this unit, */
    CB_INCREMENT_10_MS = 2,    /* in this, */
    CB_INCREMENT_100_MS = 3,   /* or in this */
    CB_TIME_UNITS_MAX = 0xFFFF /* of either */
};

enum {
    CB_STATUS_SIZE = 1024,
    CB_COMMAND_SIZE = 256,
    CB_REPLY_SIZE = 1024,
    CB_STEPS = 12 /* places in the lists of a CbMove */
};

/* A square: x = 0 is the file h, y = 0 the rank 8. */
typedef struct {
    int x, y;
} CbCoordinates;

typedef struct {
    int jumps;
    int newpiece, oldpiece;
    CbCoordinates from, to;
    CbCoordinates path[CB_STEPS]; /* where it lands, from path[1] on */
    CbCoordinates del[CB_STEPS];  /* what it takes, from del[0] on */
    int delpiece[CB_STEPS];
} CbMove;

/*
 * Thinks for about maxtime seconds and makes the move on the board. status is read by others meanwhile, and
 * *playnow set by them.
 */
typedef int CB_CALL CbGetMove(int board[8][8], int color, double maxtime, char status[CB_STATUS_SIZE],
                              int *playnow, int info, int moreinfo, CbMove *move);

/* 1 = carried out. */
typedef int CB_CALL CbEngineCommand(const char *command, char reply[CB_REPLY_SIZE]);

/* Whether a move from one square to another, by numbers, is legal; *move becomes one that is. */
typedef int CB_CALL CbIsLegal(int board[8][8], int color, int from, int to, CbMove *move);

#endif
