#include "engine/pdn_line.h"

#include "engine/notation.h"

#include <string.h>

void pdn_line_init(PdnLine *line, Variant variant, const Position *position) {
    line->variant = variant;
    line->settled = *position;
    line->plies_count = 0;
    line->branches_count = 1;
    line->branches[0] = *position;
}

/* The index in the first unsettled ply of the move from which a branch comes. */
static int root_of(const PdnLine *line, int branch) {
    for (int ply = line->plies_count - 1; ply > 0; ply--) {
        branch = line->plies[ply].parents[branch];
    }
    return branch;
}

/* Takes off the moves on which all branches agree. */
static int take_certain(PdnLine *line, Move moves[static PDN_UNSETTLED_MAX]) {
    int taken = 0;

    while (line->plies_count > 0) {
        int root = root_of(line, 0);
        for (int branch = 1; branch < line->branches_count; branch++) {
            if (root_of(line, branch) != root) {
                return taken;
            }
        }
        moves[taken] = line->plies[0].moves[root];
        line->settled = position_after(&line->settled, moves[taken++]);
        line->plies_count--;
        memmove(line->plies, line->plies + 1, (size_t)line->plies_count * sizeof line->plies[0]);
    }
    return taken;
}

int pdn_line_read(PdnLine *line, View text, View source, size_t number, Move moves[static PDN_UNSETTLED_MAX],
                  ParseError *error) {
    PdnPly *ply = &line->plies[line->plies_count];
    Position after[PDN_BRANCHES_MAX];
    int count = 0;

    for (int branch = 0; branch < line->branches_count; branch++) {
        const Position *before = &line->branches[branch];
        ParseError other;
        MoveList fits;

        if (!move_read_all(line->variant, before, text.start, text.length, &fits,
                           branch == 0 ? error : &other)) {
            continue;
        }
        for (int index = 0; index < fits.count && count < PDN_BRANCHES_MAX; index++) {
            ply->moves[count] = fits.moves[index];
            ply->parents[count] = (uint8_t)branch;
            after[count++] = position_after(before, fits.moves[index]);
        }
    }
    if (count == 0) {
        return -1;
    }
    ply->text = source;
    ply->line = number;
    memcpy(line->branches, after, (size_t)count * sizeof after[0]);
    line->branches_count = count;
    line->plies_count++;
    return take_certain(line, moves);
}

int pdn_line_settle(PdnLine *line, Move moves[static PDN_UNSETTLED_MAX]) {
    line->branches_count = 1;
    return take_certain(line, moves);
}
