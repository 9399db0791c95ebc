#include "match/fault.h"

#include <string.h>

static const char *const NAMES[FAULT_KINDS] = {
    [FAULT_NONE] = "none", [FAULT_START] = "start",     [FAULT_CRASH] = "crash", [FAULT_HANG] = "hang",
    [FAULT_TIME] = "time", [FAULT_ILLEGAL] = "illegal", [FAULT_FLOOD] = "flood", [FAULT_TWICE] = "twice",
    [FAULT_HOST] = "host", [FAULT_STOPPED] = "stopped",
};

const char *fault_name(FaultKind kind) {
    return NAMES[kind];
}

FaultKind fault_find(const char *name) {
    for (FaultKind kind = FAULT_NONE; kind < FAULT_KINDS; kind++) {
        if (strcmp(NAMES[kind], name) == 0) {
            return kind;
        }
    }
    return FAULT_NONE;
}
