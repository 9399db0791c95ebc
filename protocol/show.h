/* The engine's answers as lines of text, appended to lines. */
#ifndef CROWNHEAD_PROTOCOL_SHOW_H
#define CROWNHEAD_PROTOCOL_SHOW_H

#include "bench/perft.h"
#include "engine/game.h"
#include "protocol/output.h"
#include "search/search.h"

/* A report of the search, and its answer. */
void show_info(Lines *lines, const Game *game, const SearchInfo *info);
void show_best(Lines *lines, const Game *game, const SearchResult *result);

/* A move that the search begins with, number counted from 1. */
void show_current(Lines *lines, const Game *game, Move move, int number);

/* Board, FEN, key, legal moves and result. */
void show_game(Lines *lines, const Game *game);

/* The static evaluation by a network, and what each piece adds to it. */
void show_evaluation(Lines *lines, const Game *game, const Network *network);

/* The leaves below each move of the game's position, in lines of their own, and their sum; no times. */
void show_perft(Lines *lines, const Game *game, const PerftResult *result);

#endif
