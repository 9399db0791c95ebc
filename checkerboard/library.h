/* A library with a CheckerBoard engine, loaded. */
#ifndef CROWNHEAD_CHECKERBOARD_LIBRARY_H
#define CROWNHEAD_CHECKERBOARD_LIBRARY_H

#include "checkerboard/api.h"
#include "engine/types.h"

#include <stdbool.h>

typedef struct {
    void *handle;
    CbGetMove *getmove;
    CbEngineCommand *enginecommand;
    CbIsLegal *islegal; /* NULL if there is none, as in engines for English checkers */
} CbLibrary;

/* Loads a library. False with one line in error if it is not one with a CheckerBoard engine. */
bool cb_library_open(CbLibrary *library, const char *path, ParseError *error);
void cb_library_close(CbLibrary *library);

#endif
