/* What the words behind "go" ask for. */
#ifndef CROWNHEAD_PROTOCOL_GO_H
#define CROWNHEAD_PROTOCOL_GO_H

#include "engine/view.h"
#include "search/search.h"

typedef enum { GO_SEARCH, GO_PERFT, GO_REFUSED } GoKind;

typedef struct {
    GoKind kind;
    SearchLimits limits; /* of a search */
    int perft_depth;
} GoRequest;

/* Takes one line that says what was wrong. */
typedef void (*GoComplaint)(void *user, const char *line);

/*
 * Reads the words in the position to be searched. A limit that is given is a limit, whatever its number:
 * below the least that makes sense it counts as that, a malformed one as 0. Each fault is told to complain as
 * one line; a request with nothing understood but faults is refused, any other goes on with what was
 * understood.
 */
GoRequest go_read(View text, Variant variant, const Position *position, GoComplaint complain, void *user);

/* Reads the depth of a perft. False if it is none, and that was told to complain. */
bool go_read_perft(View text, int *depth, GoComplaint complain, void *user);

#endif
