/* The numbers by which CheckerBoard and PDN call the games. */
#ifndef CROWNHEAD_CHECKERBOARD_GAMETYPE_H
#define CROWNHEAD_CHECKERBOARD_GAMETYPE_H

#include "engine/rules.h"

/* The number of one of our games. */
int gametype_of(Variant variant);

/* The game of a number, VARIANT_COUNT if it is none of ours. */
Variant gametype_variant(int number);

/* What the game of a number is called, also of one that is not ours; NULL if there is none. */
const char *gametype_name(int number);

#endif
