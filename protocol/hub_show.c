#include "protocol/hub_show.h"

#include <inttypes.h>

/* In centi-men. */
enum { SCORE_END = 10000, SCORE_TABLE = 9000, SCORE_HEURISTIC_MAX = 7999 };

enum { PV_SHOWN = 24 /* plies; clients show the line to people */ };

/* A score of ours, not negative, in the protocol's bands. */
static int centi_men(int size) {
    if (score_is_win(size)) {
        return SCORE_END - (SCORE_WIN - size);
    }
    if (size >= SCORE_EGDB_BOUND) {
        return SCORE_TABLE - (size < SCORE_EGDB_WIN ? SCORE_EGDB_WIN - size : 0);
    }
    return size < SCORE_HEURISTIC_MAX ? size : SCORE_HEURISTIC_MAX;
}

void hub_show_info(Lines *lines, HubNumbering numbering, const SearchInfo *info) {
    int score = centi_men(info->score < 0 ? -info->score : info->score);
    uint64_t milliseconds = info->time > 0 ? (uint64_t)info->time : 1;
    uint64_t speed = info->nodes / milliseconds; /* thousands a second */

    lines_add(lines, "info depth=%d mean-depth=%d.0 score=%s%d.%02d", info->depth, info->depth,
              info->score < 0 ? "-" : "", score / 100, score % 100);
    lines_add(lines, " nodes=%" PRIu64 " time=%" PRIu64 ".%03d nps=%" PRIu64 ".%03d pv=\"", info->nodes,
              (uint64_t)info->time / 1000, (int)((uint64_t)info->time % 1000), speed / 1000,
              (int)(speed % 1000));
    for (int index = 0; index < info->length && index < PV_SHOWN; index++) {
        char move[HUB_MOVE_SIZE];
        hub_move_write_as(info->pv[index], numbering, move);
        lines_add(lines, "%s%s", index == 0 ? "" : " ", move);
    }
    lines_add(lines, "\"\n");
}

void hub_show_done(Lines *lines, HubNumbering numbering, const SearchResult *result) {
    char move[HUB_MOVE_SIZE];

    lines_add(lines, "done");
    if (result->best != MOVE_NONE) {
        hub_move_write_as(result->best, numbering, move);
        lines_add(lines, " move=%s", move);
    }
    if (result->ponder != MOVE_NONE) {
        hub_move_write_as(result->ponder, numbering, move);
        lines_add(lines, " ponder=%s", move);
    }
    lines_add(lines, "\n");
}
