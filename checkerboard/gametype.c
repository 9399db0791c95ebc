#include "checkerboard/gametype.h"

#include "engine/view.h"

static const struct {
    int number;
    const char *name;
} GAMES[] = {
    {20, "international draughts"}, {21, "English checkers"},    {22, "Italian draughts"},
    {23, "pool checkers"},          {24, "Spanish draughts"},    {25, "Russian draughts"},
    {26, "Brazilian draughts"},     {28, "Portuguese draughts"}, {29, "Czech draughts"},
    {40, "Frisian draughts"},
};

int gametype_of(Variant variant) {
    uint64_t number = 0;

    (void)view_digits(view_leading_digits(view_of(rules_of(variant)->pdn_gametype)), &number);
    return (int)number;
}

Variant gametype_variant(int number) {
    Variant variant = 0;

    while (variant < VARIANT_COUNT && gametype_of(variant) != number) {
        variant++;
    }
    return variant;
}

const char *gametype_name(int number) {
    for (size_t i = 0; i < sizeof GAMES / sizeof GAMES[0]; i++) {
        if (GAMES[i].number == number) {
            return GAMES[i].name;
        }
    }
    return NULL;
}
