/*
 * A slow move generator, the yardstick of the fast one. It is written from the text of the rules alone, on
 * a board of characters, and shares nothing with the engine but the numbering of the squares; test_naive.c
 * holds it against published counts.
 */
#ifndef CROWNHEAD_TESTS_NAIVE_H
#define CROWNHEAD_TESTS_NAIVE_H

#include "engine/move.h"
#include "engine/position.h"

/* What becomes of a man that reaches the last row while it captures. */
typedef enum {
    NAIVE_CROWNED_AND_STOPS,
    NAIVE_CROWNED_AND_GOES_ON,
    NAIVE_CROWNED_IF_IT_ENDS_THERE
} NaiveCrowning;

typedef struct {
    const char *name;
    char first; /* 'w' or 'b' */
    bool men_capture_backward;
    bool flying_kings;
    NaiveCrowning crowning;
    bool most_pieces; /* the longest capture is compulsory */
} NaiveRules;

/* English, Russian, Brazilian and pool checkers. */
enum { NAIVE_GAMES = 4 };
extern const NaiveRules NAIVE_RULES[NAIVE_GAMES];

/* The rules of a name, NULL if there are none. */
const NaiveRules *naive_rules_of(const char *name);

/* cell[row][column], row 0 is White's back row: 'w' 'b' men, 'W' 'B' kings, '.' empty. turn is 'w' or 'b'. */
typedef struct {
    char cell[8][8];
    char turn;
} NaiveBoard;

/* A capture as it is played, or a quiet move. Squares are numbers 1..32. */
typedef struct {
    int captures;
    uint8_t square[SIDE_PIECES + 2]; /* where it starts and where each jump lands */
    uint8_t taken[SIDE_PIECES + 1];  /* in order */
    uint32_t taken_set;              /* the same without order, bit number - 1 */
    bool crowned;
} NaiveRoute;

enum { NAIVE_ROUTES_MAX = 4096 };

typedef struct {
    int count;
    NaiveRoute route[NAIVE_ROUTES_MAX];
} NaiveList;

NaiveBoard naive_start(const NaiveRules *rules);

/* Every way to play every legal move: captures that land elsewhere on the way are listed apart. */
void naive_routes(const NaiveRules *rules, const NaiveBoard *board, NaiveList *list);

/* Leaves one of the routes that take the same pieces in the same order and end on the same square. */
void naive_reduce_to_paths(NaiveList *list);

/* Leaves one of the routes that have the same start, end and captured set. */
void naive_reduce_to_moves(NaiveList *list);

/* The last landing square. */
int naive_end(const NaiveRoute *route);

bool naive_can_capture(const NaiveRules *rules, const NaiveBoard *board, char side);

void naive_play(NaiveBoard *board, const NaiveRoute *route);

/* Leaves of the tree, a path or a move being one edge. */
uint64_t naive_perft(const NaiveRules *rules, const NaiveBoard *board, int depth, bool unique);

/* Reads a FEN of numbers without checks: "W:WK3,10:BK1". */
NaiveBoard naive_read(const char *fen);

enum { NAIVE_TEXT_SIZE = 160 };

/* Writes a FEN; returns text. */
const char *naive_write(const NaiveBoard *board, char text[static NAIVE_TEXT_SIZE]);

/* To and from the engine's types. */
NaiveBoard naive_from_position(const Position *position);
Position naive_to_position(const NaiveBoard *board);
Move naive_to_move(const NaiveRoute *route);

#endif
