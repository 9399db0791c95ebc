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

/* Kings by their rank on a list of squares. */
static Bitboard place(int count, uint32_t rank, const Square *squares) {
    Bitboard kings = 0;
    int at = SQUARES;

    for (int i = count; i > 1; i--) {
        at = largest(i, rank, at);
        rank -= SLICE_BINOMIALS[i][at];
        kings |= BITBOARD_BIT(squares[at]);
    }
    return count > 0 ? kings | BITBOARD_BIT(squares[rank]) : kings;
}

/* The squares that are not taken, in the order of kings. */
static void list_free(Bitboard taken, Square squares[static SQUARES]) {
    int count = 0;

    for (int place = 0; place < SQUARES; place++) {
        squares[count] = KING_SQUARES[place];
        count += (taken & BITBOARD_BIT(KING_SQUARES[place])) == 0;
    }
}

#define NO_RANK UINT32_MAX

Placer placer_init(Slice slice) {
    int left = SQUARES - slice.men[0] - slice.men[1] - slice.kings[0];

    return (Placer){
        .slice = slice,
        .kings_ways = slice_kings_ways(slice),
        .men_rank = UINT64_MAX,
        .opponent_ways = SLICE_BINOMIALS[slice.kings[1]][left],
    };
}

bool placer_men(Placer *placer, uint32_t own, uint32_t opponent) {
    placer->men = (Position){
        .pieces = {slice_men(WHITE, placer->slice.men[0], own),
                   slice_men(BLACK, placer->slice.men[1], opponent)},
        .turn = WHITE,
    };
    placer->men_rank = (uint64_t)own * slice_men_ways(placer->slice.men[1]) + opponent;
    placer->placed = (placer->men.pieces[WHITE] & placer->men.pieces[BLACK]) == 0;
    placer->own_rank = NO_RANK;
    list_free(placer->men.pieces[WHITE] | placer->men.pieces[BLACK], placer->free);
    return placer->placed;
}

Position placer_kings(Placer *placer, uint64_t rank) {
    uint32_t own = (uint32_t)rank / placer->opponent_ways;
    Position position = placer->men;

    if (own != placer->own_rank) {
        placer->own_rank = own;
        placer->own = place(placer->slice.kings[0], own, placer->free);
        list_free(position.pieces[WHITE] | position.pieces[BLACK] | placer->own, placer->left);
    }
    Bitboard opponent = place(placer->slice.kings[1], (uint32_t)rank % placer->opponent_ways, placer->left);
    position.pieces[WHITE] |= placer->own;
    position.pieces[BLACK] |= opponent;
    position.kings = placer->own | opponent;
    return position;
}

bool placer_at(Placer *placer, uint64_t index, Position *position) {
    uint64_t men = index / placer->kings_ways;

    if (men != placer->men_rank) {
        uint32_t opponents = slice_men_ways(placer->slice.men[1]);
        placer_men(placer, (uint32_t)(men / opponents), (uint32_t)(men % opponents));
    }
    if (placer->placed) {
        *position = placer_kings(placer, index % placer->kings_ways);
    }
    return placer->placed;
}

bool slice_position(Slice slice, uint64_t index, Position *position) {
    Placer placer = placer_init(slice);

    return placer_at(&placer, index, position);
}
