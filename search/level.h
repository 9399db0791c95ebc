/*
 * Levels of strength: how an opponent plays who is weaker than the engine, as a person is. It looks at
 * fewer positions, misjudges them, and overlooks what people overlook; no part of it goes by time, so that
 * a level is as strong on any machine.
 */
#ifndef CROWNHEAD_SEARCH_LEVEL_H
#define CROWNHEAD_SEARCH_LEVEL_H

#include "engine/move.h"
#include "engine/position.h"
#include "engine/rules.h"

enum { LEVEL_ELO_MIN = 800, LEVEL_ELO_MAX = 2330, LEVEL_PIECES_ALL = 24 };

/* What a player of a level does. A zeroed struct is no level: full strength. */
typedef struct {
    uint64_t nodes; /* looked at for one move, but for the first ply that is always finished; 0 = no level */
    int misjudge;   /* centi-men by which a position is taken for better or worse than it is, at most */
    int overlook;   /* permille, 0..1000: chance not to see a move that is hard to see */
    int pieces;     /* databases are asked about positions with at most so many */
    uint64_t seed;  /* of chance, another one for each move; equal seeds make equal mistakes */
} Level;

/* The level of an Elo within the bounds above. docs/levels.md has the scale, and how it was measured. */
Level level_of(int elo, uint64_t seed);

/* Whether chance has a part in a level: then what one search found is nothing for another. */
static inline bool level_errs(const Level *level) {
    return level->misjudge > 0 || level->overlook > 0;
}

/* By how much a level misjudges a position, in centi-men: always the same with the same seed. */
int level_misjudgement(const Level *level, const Position *position);

/*
 * Takes out of the legal moves of a position those that a level overlooks there, maybe all. before is the
 * move that led to it, MOVE_NONE if there was none.
 */
void level_overlook(const Level *level, Variant variant, const Position *position, Move before,
                    MoveList *list);

#endif
