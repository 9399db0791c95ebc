/* The parameters of the Hub protocol: one table, from which the lines for the client and the checks come. */
#ifndef CROWNHEAD_PROTOCOL_HUB_PARAMS_H
#define CROWNHEAD_PROTOCOL_HUB_PARAMS_H

#include "protocol/hub_frame.h"
#include "protocol/option_value.h"
#include "protocol/output.h"
#include "protocol/session.h"

typedef enum {
    HUB_PARAM_VARIANT,
    HUB_PARAM_FRAME,
    HUB_PARAM_THREADS,
    HUB_PARAM_HASH,
    HUB_PARAM_TT_SIZE,
    HUB_PARAM_PONDER,
    HUB_PARAM_DRAW_RULES,
    HUB_PARAM_LIMIT_STRENGTH,
    HUB_PARAM_ELO,
    HUB_PARAM_BB_SIZE,
    HUB_PARAM_BB_PATH,
    HUB_PARAM_BOOK,
    HUB_PARAM_BOOK_PLY,
    HUB_PARAM_BOOK_MARGIN,
    HUB_PARAMS
} HubParam;

/* What is set, whether there is a session yet or not. */
typedef struct {
    int64_t values[HUB_PARAMS]; /* but of a text */
    int64_t megabytes;          /* of the table: of the two parameters that set it the one changed last */
    char bb_path[OPTION_PATH_SIZE];
} HubParams;

void hub_params_init(HubParams *params);

/* Appends a line for each. */
void hub_params_write(Lines *lines);

/*
 * Sets one; an unknown one is ignored, as clients set parameters of all engines. False and an error if it is
 * a value that it cannot have, and nothing has changed.
 */
bool hub_params_set(HubParams *params, View name, View value, ParseError *error);

/*
 * Makes an idle session as the parameters say; what is so already stays. Each thing that could not be done
 * is told to complain as one line.
 */
void hub_params_apply(HubParams *params, Session *session, void (*complain)(void *user, const char *fault),
                      void *user);

#endif
