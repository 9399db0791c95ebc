/* The Hub protocol, version 2, on 8x8. (Scan, protocol.txt.) */
#ifndef CROWNHEAD_PROTOCOL_HUB_H
#define CROWNHEAD_PROTOCOL_HUB_H

#include "protocol/client.h"

extern const Protocol PROTOCOL_HUB;

#endif
