/* What engines do wrong. */
#ifndef CROWNHEAD_MATCH_FAULT_H
#define CROWNHEAD_MATCH_FAULT_H

typedef enum {
    FAULT_NONE,
    FAULT_START,   /* it could not be started or did not finish the handshake */
    FAULT_CRASH,   /* it ended or closed its output */
    FAULT_HANG,    /* it did not answer in time, clocks aside */
    FAULT_TIME,    /* its flag fell */
    FAULT_ILLEGAL, /* it played a move that is none, or gave an answer that is no text */
    FAULT_FLOOD,   /* more than PLAYER_FLOOD bytes for one move */
    FAULT_TWICE,   /* it answered without being asked */
    FAULT_HOST,    /* nobody's: the machine has not what it takes to start it, as memory or processes */
    FAULT_STOPPED, /* nobody's: the match is being stopped */
    FAULT_KINDS
} FaultKind;

/* "crash", "time", ..., a constant; the words of the JSON lines. */
const char *fault_name(FaultKind kind);

/* The kind of a name, FAULT_NONE if there is none. */
FaultKind fault_find(const char *name);

enum { FAULT_TEXT_SIZE = 256 };

typedef struct {
    FaultKind kind;
    char text[FAULT_TEXT_SIZE]; /* one printable line: what happened, with the offending line quoted */
} Fault;

#endif
