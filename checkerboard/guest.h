/*
 * The engine in a CheckerBoard library as its host sees it: asked questions, given positions, and distrusted.
 * What it says is cut to lines of printable text, and a move of it is found among the legal ones.
 */
#ifndef CROWNHEAD_CHECKERBOARD_GUEST_H
#define CROWNHEAD_CHECKERBOARD_GUEST_H

#include "checkerboard/library.h"
#include "engine/game.h"
#include "engine/view.h"
#include "search/search.h"

enum {
    GUEST_TEXT_SIZE = 4 * CB_REPLY_SIZE, /* room for engines that say more than they may */
    GUEST_TAIL_MAX = 40                  /* moves back that an engine is told of */
};

/* The moves since the last one that cannot be taken back. */
typedef struct {
    Position start;
    int count;
    Move moves[GUEST_TAIL_MAX];
} GuestTail;

typedef struct {
    CbLibrary library;
    char name[64];
    Variant variant; /* that it plays now */
    bool plays[VARIANT_COUNT];

    Game game; /* read it any time */
    GuestTail tail;
    bool reset; /* the next position does not follow on the last one */

    /* Of the move that it is thinking about. */
    int playnow;
    char status[GUEST_TEXT_SIZE];
} Guest;

/* Loads an engine. False with one line in error if it is none, or plays none of our games. */
bool guest_init(Guest *guest, const char *path, ParseError *error);

/* Frees all but the library, of which no one knows what it still does. */
void guest_deinit(Guest *guest);

/*
 * Sends "set NAME VALUE" or "get NAME". False if the engine does not understand, or if the interface has no
 * room for a value that long; reply becomes what it says, one printable line.
 */
bool guest_set(Guest *guest, const char *name, View value, char reply[static GUEST_TEXT_SIZE]);
bool guest_get(Guest *guest, const char *name, char reply[static GUEST_TEXT_SIZE]);

/* Another game at its first position. False if the engine does not play it. */
bool guest_set_variant(Guest *guest, Variant variant);

/* Sets a position from the words behind "position". False with one line in error, and all as before. */
bool guest_set_position(Guest *guest, View text, ParseError *error);

/*
 * Sets a position of the Hub protocol, empty = the first one of the game, and plays moves up to the first
 * that cannot be played. False with one line in error if there was one, or if it is no position: then all is
 * as before.
 */
bool guest_set_hub_position(Guest *guest, View position, View moves, ParseError *error);

/* Lets it think; its move, or MOVE_NONE with one line in error. Another thread may call guest_play_now. */
Move guest_think(Guest *guest, const SearchLimits *limits, ParseError *error);
void guest_play_now(Guest *guest);

/* What it shows at this moment, as one printable line. */
void guest_status(const Guest *guest, char line[static GUEST_TEXT_SIZE]);

#endif
