/* From numbers back to positions. */
#include "endgame/slice.h"

/* White's squares in the order of SLICE_KING_ORDER. */
static const Square KING_SQUARES[SQUARES] = {0, 1, 2, 3, 12, 11, 10, 9,  18, 19, 20, 21, 30, 29, 28, 27,
                                             5, 6, 7, 8, 17, 16, 15, 14, 23, 24, 25, 26, 35, 34, 33, 32};

/* The largest square that may come i-th in a set of this rank. */
static int largest(int i, uint32_t rank, int from) {
    while (SLICE_BINOMIALS[i][from] > rank) {
        from--;
    }
    return from;
}

Bitboard slice_men(Color color, int count, uint32_t rank) {
    Bitboard men = 0;
    int seen = MEN_SQUARES - 1;

    for (int i = count; i > 0; i--) {
        seen = largest(i, rank, seen);
        rank -= SLICE_BINOMIALS[i][seen];
        men |= BITBOARD_BIT(slice_square_back(color, seen));
    }
    return men;
}

/* White's view: kings by their rank on squares that are not taken. */
static Bitboard place(int count, uint32_t rank, Bitboard taken) {
    Square free[SQUARES];
    int squares = 0;
    Bitboard kings = 0;

    for (int place = 0; place < SQUARES; place++) {
        free[squares] = KING_SQUARES[place];
        squares += (taken & BITBOARD_BIT(KING_SQUARES[place])) == 0;
    }
    int at = squares - 1;
    for (int i = count; i > 0; i--) {
        at = largest(i, rank, at);
        rank -= SLICE_BINOMIALS[i][at];
        kings |= BITBOARD_BIT(free[at]);
    }
    return kings;
}

void slice_place_kings(Slice slice, uint64_t rank, Position *position) {
    Bitboard men = position->pieces[WHITE] | position->pieces[BLACK];
    int left = SQUARES - slice.men[0] - slice.men[1] - slice.kings[0];
    uint32_t ways = SLICE_BINOMIALS[slice.kings[1]][left];
    Bitboard own = place(slice.kings[0], (uint32_t)(rank / ways), men);
    Bitboard opponent = place(slice.kings[1], (uint32_t)(rank % ways), men | own);

    position->pieces[WHITE] |= own;
    position->pieces[BLACK] |= opponent;
    position->kings = own | opponent;
}

bool slice_position(Slice slice, uint64_t index, Position *position) {
    uint64_t ways = slice_kings_ways(slice);
    uint64_t men = index / ways;
    uint32_t opponents = slice_men_ways(slice.men[1]);

    *position = (Position){
        .pieces = {slice_men(WHITE, slice.men[0], (uint32_t)(men / opponents)),
                   slice_men(BLACK, slice.men[1], (uint32_t)(men % opponents))},
        .turn = WHITE,
    };
    if ((position->pieces[WHITE] & position->pieces[BLACK]) != 0) {
        return false;
    }
    slice_place_kings(slice, index % ways, position);
    return true;
}
