/* Lines to and from the engine of a player, each wait with an end, and the faults that come of them. */
#ifndef CROWNHEAD_MATCH_TALK_H
#define CROWNHEAD_MATCH_TALK_H

#include "engine/text.h"
#include "match/player.h"

/*
 * Microseconds of the player's clock, which all waits and moves are measured with. It only goes forward, and
 * it stands still while the match itself does not run, be it stopped by a signal, starved or frozen with its
 * machine: whoever waits looks at it several times a second, so where half a second passes between two looks
 * nobody was there to see an answer come, and no more of it counts than a wait takes from look to look.
 */
int64_t talk_now(Player *player);

/* Tells a fault and, unless it is FAULT_STOPPED, ends the engine for it. Always false. */
__attribute__((format(printf, 4, 5))) bool talk_fail(Player *player, Fault *fault, FaultKind kind,
                                                     const char *format, ...);

/* As talk_fail, with what the engine last said. */
__attribute__((format(printf, 4, 5))) bool talk_fail_after(Player *player, Fault *fault, FaultKind kind,
                                                           const char *format, ...);

/* A line with a word has not come within milliseconds. */
bool talk_fail_late(Player *player, Fault *fault, const char *word, int64_t milliseconds);

/* Ends the engine and forgets what it said. */
void talk_end(Player *player);

/* Sends a text of whole lines within the patience for pings. */
bool talk_say(Player *player, const Text *text, Fault *fault);

/* Tells the engine to quit, without waiting. */
void talk_quit(Player *player);

typedef enum {
    HEARD_LINE,
    HEARD_BROKEN, /* a line that begins as an answer, but is too long or has NUL bytes in it */
    HEARD_NOTHING,
    HEARD_FAULT
} Heard;

/*
 * Takes the next line, which lives till the next call; HEARD_NOTHING if none came till the deadline (us).
 * Other lines that are no text are passed over. player->arrival is when the line was seen: what waits in the
 * pipe has not arrived, but whoever looks too late does look, once, before HEARD_NOTHING.
 */
Heard talk_hear(Player *player, int64_t deadline, View *line, Fault *fault);

/* Whether a line begins with a word. */
bool talk_line_is(View line, const char *word);

/*
 * Waits for the line that begins with a word, within milliseconds from begin (us). A move that comes first is
 * one too many.
 */
bool talk_await(Player *player, const char *word, int64_t begin, int64_t milliseconds, Fault *fault);

#endif
