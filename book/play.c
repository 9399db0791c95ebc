#include "book/play.h"

#include "engine/random.h"

/* Which of so many entries is best for who has moved there; the first, of equal ones. */
static int find_best(const Book *book, const uint32_t *after, int count) {
    int best = 0;

    for (int i = 1; i < count; i++) {
        best = book_entry(book, after[i]).value < book_entry(book, after[best]).value ? i : best;
    }
    return best;
}

/* Adds the best moves from a position of the book on, up to the move that was found at the line's end. */
static void follow(const Book *book, Position position, BookAnswer *answer) {
    uint32_t index, after[MOVES_MAX];
    MoveList legal;

    if (!book_find(book, &position, &index)) {
        return;
    }
    while (answer->length < BOOK_LINE_MAX && book_is_inner(book, &position, &legal, after)) {
        int best = find_best(book, after, legal.count);
        answer->line[answer->length++] = legal.moves[best];
        position = position_after(&position, legal.moves[best]);
        index = after[best];
    }
    answer->depth = answer->length;
    if (answer->length < BOOK_LINE_MAX) {
        BookEntry entry = book_entry(book, index);
        Move move = book_leaf_move(book->variant, &entry);
        answer->depth += entry.depth;
        answer->line[answer->length] = move;
        answer->length += move != MOVE_NONE;
    }
}

bool book_answer(const Book *book, const Game *game, int margin, uint64_t *random, BookAnswer *answer) {
    BookMove moves[MOVES_MAX];
    int good = 0;

    if (book->variant != game->variant || game->draw.since[SINCE_PROGRESS] > 0 ||
        game_result(game, NULL) != RESULT_OPEN) {
        return false;
    }
    int count = book_moves(book, &game->position, moves);
    if (count == 0) {
        return false;
    }
    while (good < count && moves[good].value >= moves[0].value - margin) {
        good++;
    }
    BookMove chosen = margin > 0 ? moves[random_below(random, good)] : moves[0];
    *answer = (BookAnswer){.value = chosen.value};
    if (count == 1) {
        follow(book, game->position, answer); /* a leaf, or the only move */
    } else {
        answer->line[answer->length++] = chosen.move;
        follow(book, position_after(&game->position, chosen.move), answer);
    }
    return true;
}
