/* Which game a record is one of, and from which position it is played. */
#ifndef CROWNHEAD_ENGINE_PDN_START_H
#define CROWNHEAD_ENGINE_PDN_START_H

#include "engine/pdn_fault.h"
#include "engine/pdn_lexer.h"

/* The first tag of a name, NULL if there is none. */
const PdnTag *pdn_tag_find(const PdnGame *game, const char *name);

/*
 * Fills variant, start and from_start of a game of which the tags are there. asked is the game without a
 * GameType tag, VARIANT_COUNT for none; setup is the setup before the first move and move that move, NULL for
 * none. On failure returns false and fills error and the line that it is about.
 */
bool pdn_start_read(const PdnSink *sink, PdnGame *game, Variant asked, const PdnToken *setup,
                    const PdnToken *move, ParseError *error, size_t *line);

/* As fen_read, for a game that is known: doubts positions that it cannot have. */
bool pdn_position_read(const PdnSink *sink, Variant variant, View fen, size_t line, FenRecord *record,
                       ParseError *error);

#endif
