/* Choosing the model of a slice, so that its file is small. */
#ifndef CROWNHEAD_ENDGAME_LEARN_H
#define CROWNHEAD_ENDGAME_LEARN_H

#include "endgame/codec.h"
#include "system/workers.h"

/*
 * Chooses neighbours and estimates contexts for whole blocks of two bits a number. VALUE_NONE, which stands
 * for whatever is cheapest, is replaced by it. The same for the same values whatever the threads. A slice of
 * constant blocks needs no model: it gets no neighbours. 0 or -ENOMEM.
 */
int learn_model(CodecModel *model, Slice slice, uint8_t *values, Workers *workers);

#endif
