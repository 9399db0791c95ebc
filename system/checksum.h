/* Checksums of files: any one changed byte is found by either. */
#ifndef CROWNHEAD_SYSTEM_CHECKSUM_H
#define CROWNHEAD_SYSTEM_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* CRC-16/CCITT-FALSE, four bits at a time. */
static inline uint16_t checksum_16(const uint8_t *bytes, size_t count) {
    static const uint16_t table[16] = {0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50A5, 0x60C6, 0x70E7,
                                       0x8108, 0x9129, 0xA14A, 0xB16B, 0xC18C, 0xD1AD, 0xE1CE, 0xF1EF};
    uint16_t sum = 0xFFFF;

    for (size_t i = 0; i < count; i++) {
        sum = (uint16_t)(sum << 4 ^ table[(sum >> 12 ^ bytes[i] >> 4) & 15]);
        sum = (uint16_t)(sum << 4 ^ table[(sum >> 12 ^ bytes[i]) & 15]);
    }
    return sum;
}

/* CRC-32 as zlib has it, going on from sum; begin with 0. */
static inline uint32_t checksum_32(uint32_t sum, const uint8_t *bytes, size_t count) {
    static const uint32_t table[16] = {0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4,
                                       0x4DB26158, 0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
                                       0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};

    sum = ~sum;
    for (size_t i = 0; i < count; i++) {
        sum = sum >> 4 ^ table[(sum ^ bytes[i]) & 15];
        sum = sum >> 4 ^ table[(sum ^ bytes[i] >> 4) & 15];
    }
    return ~sum;
}

#endif
