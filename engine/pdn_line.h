/*
 * The moves of a game as its texts are read one after the other. Records leave out landing squares even where
 * captures of different pieces are left: then every move that fits is followed side by side until the later
 * ones fit only one of them.
 */
#ifndef CROWNHEAD_ENGINE_PDN_LINE_H
#define CROWNHEAD_ENGINE_PDN_LINE_H

#include "engine/move.h"
#include "engine/position.h"
#include "engine/rules.h"
#include "engine/view.h"

enum {
    PDN_BRANCHES_MAX = 16, /* further ones are dropped */
    PDN_UNSETTLED_MAX = 24 /* plies that are looked ahead */
};

/* The moves that one text may mean. */
typedef struct {
    View text;
    size_t line;
    Move moves[PDN_BRANCHES_MAX];
    uint8_t parents[PDN_BRANCHES_MAX]; /* which of the ply before each follows */
} PdnPly;

typedef struct {
    Variant variant;
    Position settled; /* the position before plies[0] */
    int plies_count;  /* unsettled ones; in the first of them the branches differ */
    PdnPly plies[PDN_UNSETTLED_MAX];
    int branches_count; /* at least 1 */
    Position branches[PDN_BRANCHES_MAX];
} PdnLine;

void pdn_line_init(PdnLine *line, Variant variant, const Position *position);

/*
 * Reads the next move, a text as move_read takes it; source and number say where it stands. There must be
 * room: pdn_line_is_full. Fills moves with those that became certain and returns their count. -1 if the move
 * is illegal in every branch, with the error of the first one; the line is then as it was.
 */
int pdn_line_read(PdnLine *line, View text, View source, size_t number, Move moves[static PDN_UNSETTLED_MAX],
                  ParseError *error);

static inline bool pdn_line_is_full(const PdnLine *line) {
    return line->plies_count == PDN_UNSETTLED_MAX;
}

/* Keeps the first branch alone, which makes all of its moves certain. */
int pdn_line_settle(PdnLine *line, Move moves[static PDN_UNSETTLED_MAX]);

#endif
