/* The UCI dialect for checkers. */
#ifndef CROWNHEAD_PROTOCOL_UCI_H
#define CROWNHEAD_PROTOCOL_UCI_H

#include "protocol/client.h"

extern const Protocol PROTOCOL_UCI;

#endif
