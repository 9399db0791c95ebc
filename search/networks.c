/* The networks that are built in: search/networks/, made into initializers by the build. */
#include "search/network.h"

#include "engine/rules.h"

static const Network NETWORKS[VARIANT_COUNT] = {
    [VARIANT_ENGLISH] =
        {
#include "english.inc"
        },
    [VARIANT_RUSSIAN] =
        {
#include "russian.inc"
        },
};

const Network *network_builtin(Variant variant) {
    return &NETWORKS[variant];
}
