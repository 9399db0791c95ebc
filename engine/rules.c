#include "engine/rules.h"

#include <strings.h>

Variant variant_from_name(const char *name) {
    for (int variant = 0; variant < VARIANT_COUNT; variant++) {
        if (strcasecmp(name, RULES[variant].name) == 0) {
            return (Variant)variant;
        }
    }
    return VARIANT_COUNT;
}
