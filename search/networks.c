/* The networks that are built in: search/networks/, made into initializers by the build. */
#include "search/network.h"

#include "engine/rules.h"

static const Network NETWORKS[VARIANT_COUNT] = {
    [VARIANT_ENGLISH] =
        {
#include "search/english.inc"
        },
    [VARIANT_RUSSIAN] =
        {
#include "search/russian.inc"
        },
};

const Network *network_builtin(Variant variant) {
    return &NETWORKS[variant];
}
