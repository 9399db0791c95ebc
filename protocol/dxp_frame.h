/*
 * The messages of DXP, the DamExchange protocol between draughts programs: ASCII in fields of fixed width, a
 * NUL byte behind each message. On 8x8 a board has 32 squares instead of 50, in the order of their numbers
 * (as pydraughts writes it). Nothing here knows a socket or the rules of a game.
 */
#ifndef CROWNHEAD_PROTOCOL_DXP_FRAME_H
#define CROWNHEAD_PROTOCOL_DXP_FRAME_H

#include "engine/types.h"
#include "engine/view.h"

enum {
    DXP_VERSION = 1,
    DXP_MESSAGE_MAX = 127, /* bytes without the NUL byte */
    DXP_NAME_MAX = 32,
    DXP_BOARD_MAX = 50,
    DXP_CHAT_MAX = 126,
    DXP_NUMBER_MAX = 999,   /* minutes, moves */
    DXP_SECONDS_MAX = 9999, /* told with a move */
};

typedef enum {
    DXP_GAMEREQ, /* the initiator wants a game */
    DXP_GAMEACC, /* the follower's answer */
    DXP_MOVE,
    DXP_GAMEEND, /* instead of a move, and the answer to it */
    DXP_CHAT,
    DXP_BACKREQ, /* back to an earlier position? */
    DXP_BACKACC,
    DXP_KINDS
} DxpKind;

typedef enum { DXP_ACCEPTED, DXP_WRONG_VERSION, DXP_WRONG_GAME, DXP_NO_GAMES } DxpAnswer;
typedef enum { DXP_NO_REASON, DXP_I_LOSE, DXP_DRAWN, DXP_I_WIN } DxpReason;
typedef enum { DXP_BACK, DXP_NOT_BACK, DXP_GO_ON } DxpBackAnswer;

typedef struct {
    int version;
    char name[DXP_NAME_MAX + 1];
    Color follower;     /* whom the follower plays */
    int minutes, moves; /* of a side for the game; moves 0 = no limit */
    int squares;        /* of the board: 32 or 50, or 0 = the first position of the game */
    Color turn;
    char board[DXP_BOARD_MAX + 1]; /* of w z W Z e: White's men, Black's men, kings, empty squares */
} DxpRequest;

typedef struct {
    char name[DXP_NAME_MAX + 1];
    DxpAnswer answer;
} DxpAcceptance;

typedef struct {
    int seconds; /* that it took */
    int from, to;
    int count;                      /* of captured */
    uint8_t captured[CAPTURES_MAX]; /* numbers of squares, in any order */
} DxpMove;

typedef struct {
    DxpReason reason;
    bool stop; /* no further game */
} DxpEnd;

typedef struct {
    int number; /* of the move, from 1 */
    Color turn;
} DxpBack;

typedef struct {
    DxpKind kind;
    union {
        DxpRequest request;
        DxpAcceptance acceptance;
        DxpMove move;
        DxpEnd end;
        char chat[DXP_CHAT_MAX + 1];
        DxpBack back;
        DxpBackAnswer back_answer;
    };
} DxpMessage;

/*
 * Reads one message, given without its NUL byte; blanks may follow its last field. On failure returns false
 * and fills error with one line that names the message and the field.
 */
bool dxp_read(View text, DxpMessage *message, ParseError *error);

/* Writes a message with its NUL byte and returns the number of bytes; numbers beyond their field are cut. */
size_t dxp_write(const DxpMessage *message, char bytes[static DXP_MESSAGE_MAX + 1]);

/* Bytes as they come from a stream, split into messages. A zeroed buffer is an empty one. */
typedef struct {
    char bytes[1024];
    size_t start, end;
} DxpBuffer;

typedef enum {
    DXP_WHOLE,
    DXP_PARTIAL, /* no whole message is here */
    DXP_TOO_LONG /* more than DXP_MESSAGE_MAX bytes without an end */
} DxpBufferStatus;

/* Where to put more bytes and how many there is room for, at least one after DXP_PARTIAL. */
char *dxp_buffer_room(DxpBuffer *buffer, size_t *room);

/* So many bytes were put there. */
void dxp_buffer_add(DxpBuffer *buffer, size_t count);

/* Takes the next message; the view is without the NUL byte and lives till the next dxp_buffer_room. */
DxpBufferStatus dxp_buffer_next(DxpBuffer *buffer, View *message);

#endif
