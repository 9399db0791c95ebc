/* The way to the other side of DXP: a TCP socket, and whole messages over it. */
#ifndef CROWNHEAD_PROTOCOL_DXP_LINK_H
#define CROWNHEAD_PROTOCOL_DXP_LINK_H

#include "protocol/dxp_frame.h"

enum { DXP_ADDRESS_SIZE = 96 /* a numeric address with its port */ };

typedef struct {
    int fd;
    char peer[DXP_ADDRESS_SIZE];
    DxpBuffer buffer;
    int64_t quiet_until; /* ms of clock_now; see dxp_link_send */
} DxpLink;

/*
 * Opens a listening socket at "[HOST:]PORT", without a host on the loopback interface; port 0 is any free.
 * Fills bound with the address. The descriptor, or -1 and one line in error.
 */
int dxp_listen(const char *address, char bound[static DXP_ADDRESS_SIZE], ParseError *error);

/* Waits for the next who connects. 0 or a negative errno. */
int dxp_link_accept(DxpLink *link, int listener);

/* Connects to "HOST:PORT", waiting at most so many ms. False and one line in error if it cannot. */
bool dxp_link_connect(DxpLink *link, const char *address, int64_t patience, ParseError *error);

/*
 * Sends a message. Some programs (pydraughts) lose the second of two messages that arrive together, so it
 * first waits till 0.1 s after the last one, unless dxp_link_heard was called since. 0 or a negative errno; a
 * peer that does not read is -EAGAIN.
 */
int dxp_link_send(DxpLink *link, const DxpMessage *message);

/* The peer has said what it can only say after having read all that was sent. */
void dxp_link_heard(DxpLink *link);

/* Reads once, without waiting. 0 for the end, below 0 a negative errno, -EAGAIN if nothing is there. */
int dxp_link_fill(DxpLink *link);

/* Says that nothing more will be sent. */
void dxp_link_shut(DxpLink *link);

/*
 * Closes the socket; first lets the peer do so, for at most so many ms, as closing with something unread
 * could take from the peer what it has still to read.
 */
void dxp_link_close(DxpLink *link, int64_t patience);

#endif
