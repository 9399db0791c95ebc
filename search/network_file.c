#include "search/network_file.h"

#include "system/byte_order.h"
#include "system/checksum.h"
#include "system/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Little-endian: magic "CrownNet", version (4 bytes), hidden size (4), name of the game (16), buckets (4),
 * CRC-32 of all that follows the 64 bytes of the header (4), zeros; the weights in the order of Network.
 */
enum { VERSION = 1, HEADER_BYTES = 64 };

static const char MAGIC[8] = {'C', 'r', 'o', 'w', 'n', 'N', 'e', 't'};

static void put(uint8_t **at, int64_t number, int count) {
    little_endian_put(*at, (uint64_t)number, count);
    *at += count;
}

static uint32_t get(const uint8_t **at, int count) {
    *at += count;
    return (uint32_t)little_endian_get(*at - count, count);
}

static bool refuse(ParseError *error, const char *text) {
    snprintf(error->text, sizeof error->text, "%s", text);
    return false;
}

static bool check_header(Variant variant, const uint8_t *bytes, size_t size, ParseError *error) {
    const uint8_t *at = bytes + sizeof MAGIC;

    if (size < HEADER_BYTES || memcmp(bytes, MAGIC, sizeof MAGIC) != 0) {
        return refuse(error, "not a network");
    }
    if (get(&at, 4) != VERSION || get(&at, 4) != NETWORK_HIDDEN || size != NETWORK_FILE_BYTES) {
        return refuse(error, "a network of another version or size");
    }
    if (strncmp((const char *)at, rules_of(variant)->name, 16) != 0) {
        return refuse(error, "a network of another game");
    }
    at += 16;
    if (get(&at, 4) != NETWORK_BUCKETS ||
        get(&at, 4) != checksum_32(0, bytes + HEADER_BYTES, size - HEADER_BYTES)) {
        return refuse(error, "the network is damaged");
    }
    return true;
}

bool network_read(Network *network, Variant variant, const uint8_t *bytes, size_t size, ParseError *error) {
    const uint8_t *at = bytes + HEADER_BYTES;
    int16_t *outputs = &network->outputs[0][0][0];

    if (!check_header(variant, bytes, size, error)) {
        return false;
    }
    for (int i = 0; i < NETWORK_INPUTS * NETWORK_HIDDEN; i++) {
        network->inputs[i / NETWORK_HIDDEN][i % NETWORK_HIDDEN] = (int16_t)get(&at, 2);
    }
    for (int j = 0; j < NETWORK_HIDDEN; j++) {
        network->input_bias[j] = (int16_t)get(&at, 2);
    }
    for (int i = 0; i < NETWORK_BUCKETS * 2 * NETWORK_HIDDEN; i++) {
        outputs[i] = (int16_t)get(&at, 2);
    }
    for (int i = 0; i < NETWORK_BUCKETS; i++) {
        network->output_bias[i] = (int32_t)get(&at, 4);
    }
    network->scale = (int32_t)get(&at, 4);
    return true;
}

void network_free(Network *network) {
    memory_aligned_free(network);
}

Network *network_load(const char *path, Variant variant, ParseError *error) {
    uint8_t bytes[NETWORK_FILE_BYTES + 1];
    FILE *stream = fopen(path, "rbe");

    if (stream == NULL) {
        refuse(error, strerror(errno));
        return NULL;
    }
    size_t size = fread(bytes, 1, sizeof bytes, stream);
    fclose(stream);
    Network *network = memory_aligned(alignof(Network), sizeof *network);
    if (network == NULL) {
        refuse(error, strerror(ENOMEM));
    } else if (!network_read(network, variant, bytes, size, error)) {
        network_free(network);
        network = NULL;
    }
    return network;
}

void network_write(const Network *network, Variant variant, uint8_t bytes[static NETWORK_FILE_BYTES]) {
    uint8_t *at = bytes + HEADER_BYTES;
    const int16_t *inputs = &network->inputs[0][0];
    const int16_t *outputs = &network->outputs[0][0][0];

    for (int i = 0; i < NETWORK_INPUTS * NETWORK_HIDDEN; i++) {
        put(&at, inputs[i], 2);
    }
    for (int j = 0; j < NETWORK_HIDDEN; j++) {
        put(&at, network->input_bias[j], 2);
    }
    for (int i = 0; i < NETWORK_BUCKETS * 2 * NETWORK_HIDDEN; i++) {
        put(&at, outputs[i], 2);
    }
    for (int i = 0; i < NETWORK_BUCKETS; i++) {
        put(&at, network->output_bias[i], 4);
    }
    put(&at, network->scale, 4);

    memset(bytes, 0, HEADER_BYTES);
    memcpy(bytes, MAGIC, sizeof MAGIC);
    at = bytes + sizeof MAGIC;
    put(&at, VERSION, 4);
    put(&at, NETWORK_HIDDEN, 4);
    snprintf((char *)at, 16, "%s", rules_of(variant)->name);
    at += 16;
    put(&at, NETWORK_BUCKETS, 4);
    put(&at, checksum_32(0, bytes + HEADER_BYTES, NETWORK_FILE_BYTES - HEADER_BYTES), 4);
}
