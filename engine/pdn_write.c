/* What writers of PDN need. */
#include "engine/pdn.h"
#include "engine/text.h"

const char *pdn_result_text(Variant variant, Result result) {
    bool white_first = rules_of(variant)->first == WHITE;

    switch (result) {
    case RESULT_WHITE_WINS:
        return white_first ? "1-0" : "0-1";
    case RESULT_BLACK_WINS:
        return white_first ? "0-1" : "1-0";
    case RESULT_DRAW:
        return "1/2-1/2";
    default:
        return "*";
    }
}

void pdn_move_write(Variant variant, const Position *position, Move move, char text[static MOVE_TEXT_SIZE]) {
    const Rules *rules = rules_of(variant);
    char name[SQUARE_TEXT_SIZE];
    Move again;
    ParseError error;
    Text out = text_init(text, MOVE_TEXT_SIZE);

    square_write(move_from(move), rules->naming, name);
    text_add(&out, name);
    text_add_char(&out, move_is_capture(move) ? rules->capture_separator : '-');
    square_write(move_to(move), rules->naming, name);
    text_add(&out, name);
    if (!move_is_capture(move) ||
        (move_read(variant, position, text, out.length, &again, &error) && again == move)) {
        return;
    }
    move_write(variant, position, move, text);
    for (char *at = text; *at != '\0'; at++) {
        *at = *at == 'x' ? rules->capture_separator : *at;
    }
}
