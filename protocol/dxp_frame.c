/* The messages of DXP as bytes. The layout is that of the DamExchange pages, layer 2 (mesander.nl). */
#include "protocol/dxp_frame.h"

#include "engine/text.h"

#include <stdio.h>
#include <string.h>

/* By DxpKind. */
static const char LETTERS[] = "RAMECBK";
static const char *const NAMES[DXP_KINDS] = {"GAMEREQ", "GAMEACC", "MOVE",   "GAMEEND",
                                             "CHAT",    "BACKREQ", "BACKACC"};
static const char COLORS[] = "WZ"; /* by Color: wit, zwart */

enum { SQUARES_10X10 = 50 };

/* ---- Reading ---- */

/* What is left of a message, and the first field that was not as it should be. */
typedef struct {
    View rest;
    const char *bad;
} Fields;

static View take(Fields *fields, size_t width) {
    size_t length = fields->rest.length < width ? fields->rest.length : width;
    View field = {fields->rest.start, length};

    fields->rest = view_skip(fields->rest, length);
    return field;
}

static void refuse(Fields *fields, const char *name) {
    if (fields->bad == NULL) {
        fields->bad = name;
    }
}

/* A number of a fixed width; some programs pad with blanks. */
static int take_number(Fields *fields, const char *name, size_t width) {
    View field = take(fields, width);
    View digits = view_trim(field);
    uint64_t number = 0;

    if (field.length < width || !view_digits(digits, &number)) {
        refuse(fields, name);
        return 0;
    }
    return (int)number;
}

/* Which of the letters comes next. */
static int take_letter(Fields *fields, const char *name, const char *letters) {
    View field = take(fields, 1);
    const char *found = field.length == 1 && field.start[0] != '\0' ? strchr(letters, field.start[0]) : NULL;

    if (found == NULL) {
        refuse(fields, name);
        return 0;
    }
    return (int)(found - letters);
}

/* A name padded with blanks. */
static void take_name(Fields *fields, char name[static DXP_NAME_MAX + 1]) {
    View field = take(fields, DXP_NAME_MAX);
    View trimmed = view_trim(field);

    if (field.length < DXP_NAME_MAX) {
        refuse(fields, "name");
    }
    memcpy(name, trimmed.start, trimmed.length);
    name[trimmed.length] = '\0';
}

static void take_board(Fields *fields, DxpRequest *request) {
    request->turn = (Color)take_letter(fields, "side to move", COLORS);
    View board = view_trim(take(fields, fields->rest.length));

    if (board.length != SQUARES && board.length != SQUARES_10X10) {
        refuse(fields, "board of 32 squares");
        return;
    }
    for (size_t i = 0; i < board.length; i++) {
        if (memchr("wzWZe", board.start[i], 5) == NULL) {
            refuse(fields, "board of w, z, W, Z and e");
        }
    }
    request->squares = (int)board.length;
    memcpy(request->board, board.start, board.length);
    request->board[board.length] = '\0';
}

static void take_request(Fields *fields, DxpRequest *request) {
    request->version = take_number(fields, "version", 2);
    take_name(fields, request->name);
    request->follower = (Color)take_letter(fields, "colour", COLORS);
    request->minutes = take_number(fields, "time", 3);
    request->moves = take_number(fields, "number of moves", 3);
    if (take_letter(fields, "kind of position", "AB") == 1) {
        take_board(fields, request);
    } else {
        take(fields, fields->rest.length); /* programs that always write a board write it here too */
    }
}

static void take_move(Fields *fields, DxpMove *move) {
    move->seconds = take_number(fields, "time", 4);
    move->from = take_number(fields, "from", 2);
    move->to = take_number(fields, "to", 2);
    move->count = take_number(fields, "number of captures", 2);
    if (move->count > CAPTURES_MAX) {
        refuse(fields, "number of captures");
        move->count = 0;
    }
    for (int i = 0; i < move->count; i++) {
        move->captured[i] = (uint8_t)take_number(fields, "captured square", 2);
    }
}

static void take_chat(Fields *fields, char chat[static DXP_CHAT_MAX + 1]) {
    View text = take(fields, DXP_CHAT_MAX);

    memcpy(chat, text.start, text.length);
    chat[text.length] = '\0';
}

static void take_fields(Fields *fields, DxpMessage *message) {
    switch (message->kind) {
    case DXP_GAMEREQ:
        take_request(fields, &message->request);
        break;
    case DXP_GAMEACC:
        take_name(fields, message->acceptance.name);
        message->acceptance.answer = (DxpAnswer)take_letter(fields, "code", "0123");
        break;
    case DXP_MOVE:
        take_move(fields, &message->move);
        break;
    case DXP_GAMEEND:
        message->end.reason = (DxpReason)take_letter(fields, "reason", "0123");
        message->end.stop = take_letter(fields, "stop code", "01") == 1;
        break;
    case DXP_CHAT:
        take_chat(fields, message->chat);
        break;
    case DXP_BACKREQ:
        message->back.number = take_number(fields, "number of the move", 3);
        message->back.turn = (Color)take_letter(fields, "side to move", COLORS);
        break;
    default:
        message->back_answer = (DxpBackAnswer)take_letter(fields, "code", "012");
        break;
    }
}

bool dxp_read(View text, DxpMessage *message, ParseError *error) {
    Text out = text_init(error->text, sizeof error->text);
    Fields fields = {.rest = view_skip(text, text.length > 0)};
    const char *letter = text.length > 0 ? memchr(LETTERS, text.start[0], DXP_KINDS) : NULL;

    if (letter == NULL || text.length > DXP_MESSAGE_MAX) {
        text_add(&out, "no message of DXP: ");
        text_add_quoted(&out, text);
        return false;
    }
    *message = (DxpMessage){.kind = (DxpKind)(letter - LETTERS)};
    take_fields(&fields, message);
    if (view_trim(fields.rest).length > 0) {
        refuse(&fields, "end");
    }
    if (fields.bad != NULL) {
        text_add(&out, NAMES[message->kind]);
        text_add(&out, " without a proper ");
        text_add(&out, fields.bad);
        text_add(&out, ": ");
        text_add_quoted(&out, text);
        return false;
    }
    return true;
}

/* ---- Writing ---- */

static void write_number(Text *out, int number, int width) {
    char digits[16];

    snprintf(digits, sizeof digits, "%0*d", width, number);
    text_add(out, digits);
}

static int at_most(int number, int most) {
    return number < 0 ? 0 : number > most ? most : number;
}

static void write_name(Text *out, const char *name) {
    char padded[DXP_NAME_MAX + 1];

    snprintf(padded, sizeof padded, "%-*s", DXP_NAME_MAX, name);
    text_add(out, padded);
}

static void write_request(Text *out, const DxpRequest *request) {
    write_number(out, at_most(request->version, 99), 2);
    write_name(out, request->name);
    text_add_char(out, COLORS[request->follower]);
    write_number(out, at_most(request->minutes, DXP_NUMBER_MAX), 3);
    write_number(out, at_most(request->moves, DXP_NUMBER_MAX), 3);
    text_add_char(out, request->squares == 0 ? 'A' : 'B');
    if (request->squares != 0) {
        text_add_char(out, COLORS[request->turn]);
        text_add(out, request->board);
    }
}

static void write_move(Text *out, const DxpMove *move) {
    write_number(out, at_most(move->seconds, DXP_SECONDS_MAX), 4);
    write_number(out, at_most(move->from, 99), 2);
    write_number(out, at_most(move->to, 99), 2);
    write_number(out, at_most(move->count, CAPTURES_MAX), 2);
    for (int i = 0; i < at_most(move->count, CAPTURES_MAX); i++) {
        write_number(out, at_most(move->captured[i], 99), 2);
    }
}

size_t dxp_write(const DxpMessage *message, char bytes[static DXP_MESSAGE_MAX + 1]) {
    Text out = text_init(bytes, DXP_MESSAGE_MAX + 1);

    text_add_char(&out, LETTERS[message->kind]);
    switch (message->kind) {
    case DXP_GAMEREQ:
        write_request(&out, &message->request);
        break;
    case DXP_GAMEACC:
        write_name(&out, message->acceptance.name);
        text_add_number(&out, message->acceptance.answer);
        break;
    case DXP_MOVE:
        write_move(&out, &message->move);
        break;
    case DXP_GAMEEND:
        text_add_number(&out, message->end.reason);
        text_add_number(&out, message->end.stop);
        break;
    case DXP_CHAT:
        text_add(&out, message->chat);
        break;
    case DXP_BACKREQ:
        write_number(&out, at_most(message->back.number, DXP_NUMBER_MAX), 3);
        text_add_char(&out, COLORS[message->back.turn]);
        break;
    default:
        text_add_number(&out, message->back_answer);
        break;
    }
    return out.length + 1;
}

/* ---- Splitting ---- */

char *dxp_buffer_room(DxpBuffer *buffer, size_t *room) {
    memmove(buffer->bytes, buffer->bytes + buffer->start, buffer->end - buffer->start);
    buffer->end -= buffer->start;
    buffer->start = 0;
    *room = sizeof buffer->bytes - buffer->end;
    return buffer->bytes + buffer->end;
}

void dxp_buffer_add(DxpBuffer *buffer, size_t count) {
    buffer->end += count;
}

DxpBufferStatus dxp_buffer_next(DxpBuffer *buffer, View *message) {
    const char *start = buffer->bytes + buffer->start;
    size_t held = buffer->end - buffer->start;
    const char *nul = memchr(start, '\0', held);
    size_t length = nul != NULL ? (size_t)(nul - start) : held;

    *message = (View){start, length};
    if (length > DXP_MESSAGE_MAX) {
        return DXP_TOO_LONG;
    }
    if (nul == NULL) {
        return DXP_PARTIAL;
    }
    buffer->start += length + 1;
    return DXP_WHOLE;
}
