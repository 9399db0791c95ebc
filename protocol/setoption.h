/* What the words behind "setoption" say. */
#ifndef CROWNHEAD_PROTOCOL_SETOPTION_H
#define CROWNHEAD_PROTOCOL_SETOPTION_H

#include "engine/types.h"
#include "engine/view.h"

typedef struct {
    View name;  /* as it was written; may be empty */
    View value; /* without the blanks around it */
    bool given; /* whether there is a value, be it empty */
} SetOption;

/* Takes "name N [value V]" apart. False with one line in error if it does not begin so. */
bool setoption_read(View text, SetOption *option, ParseError *error);

/* Whether the words of the text are those of the name, whatever the blanks between them and the case. */
bool setoption_name_is(View text, const char *name);

#endif
