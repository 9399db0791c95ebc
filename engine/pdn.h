/*
 * PDN, the text form of recorded games: reading the games of a file one by one, whatever faults some of them
 * have, and the pieces that a writer needs. Everything works on text in memory; files are the caller's.
 */
#ifndef CROWNHEAD_ENGINE_PDN_H
#define CROWNHEAD_ENGINE_PDN_H

#include "engine/fen.h"
#include "engine/game.h"
#include "engine/notation.h"
#include "engine/view.h"

/* A tag as it stands in the text, without its quotes; pdn_unescape takes its escapes out. */
typedef struct {
    View name, value;
    size_t line; /* of the text, from 1 */
} PdnTag;

enum { PDN_TAGS_MAX = 64 }; /* further tags of a game are read over, with a warning */

/* A fault: where, and what in one line. */
typedef struct {
    size_t line; /* of the text, from 1 */
    int ply;     /* of the game, from 1; 0 = not in the moves */
    ParseError error;
} PdnFault;

typedef struct {
    size_t line; /* where the game begins, from 1 */
    PdnTag tags[PDN_TAGS_MAX];
    int tags_count;
    Variant variant; /* VARIANT_COUNT for a game that is none of ours; it is not sound, and has no start */
    FenRecord start;
    bool from_start; /* no FEN tag: the game's first position */
    Move *moves;     /* the main line up to the first fault; owned by the reader, till the next game */
    size_t plies;
    Result result;  /* told by tag or else terminator, RESULT_OPEN if none or none that we know */
    bool both_lost; /* the result 0-0 */
    bool sound;     /* read without an error; warnings do not count */
} PdnGame;

typedef struct PdnReader PdnReader;

/*
 * The sink of faults; a warning leaves the game sound. The faults of a game are reported before it is
 * returned, and so are those of the text before it.
 */
typedef void (*PdnReport)(void *user, bool warning, const PdnFault *fault);

/*
 * A reader of a text that outlives it. variant is the game of those without a GameType tag; where it is
 * VARIANT_COUNT the squares tell: the first game of rules.def that names them so. NULL without memory.
 */
PdnReader *pdn_reader_new(View text, Variant variant, PdnReport report, void *user);
void pdn_reader_free(PdnReader *reader);

/* Reads the next game, sound or not. False at the end, or without memory (pdn_reader_failed). */
bool pdn_reader_next(PdnReader *reader, PdnGame *game);
bool pdn_reader_failed(const PdnReader *reader);

/* The value of the first tag of a name, letters of either case, or a view without a start. */
View pdn_tag(const PdnGame *game, const char *name);

/*
 * The text that a tag's value stands for: a backslash before quotes or another one is taken out. Writes at
 * most as many bytes as the value has, without an end; returns how many.
 */
size_t pdn_unescape(View value, char *text);

/*
 * The result as PDN writes it: "1-0" means that the side that moves first won, Black in English checkers
 * (CheckerBoard writes so; PDN 3.0 does not say). "*" for an open game.
 */
const char *pdn_result_text(Variant variant, Result result);

/*
 * Writes a move as PDN files have it: from and to where that is enough, else every landing square; with the
 * game's separator ('x', in Russian draughts ':').
 */
void pdn_move_write(Variant variant, const Position *position, Move move, char text[static MOVE_TEXT_SIZE]);

#endif
