/*
 * What distinguishes one game from another. A game is one row of rules.def; nothing else in the program asks
 * which game is played, only what its row says.
 */
#ifndef CROWNHEAD_ENGINE_RULES_H
#define CROWNHEAD_ENGINE_RULES_H

#include "engine/types.h"

/* What happens to a man that reaches the crownhead in the middle of a capture. */
typedef enum {
    PROMOTION_ENDS_MOVE,  /* it is crowned and stops */
    PROMOTION_CONTINUES,  /* it is crowned and goes on as a king */
    PROMOTION_ONLY_AT_END /* it goes on as a man, and is crowned only where it ends on the crownhead */
} Promotion;

/* How a game names its squares; readers accept both. */
typedef enum { NAMING_NUMERIC, NAMING_ALGEBRAIC } Naming;

/* Which material a draw rule speaks of. The lone side has one king and nothing else. */
typedef enum {
    MATERIAL_ANY,
    MATERIAL_LONE_KING_AGAINST_AT_MOST_2, /* of which a king */
    MATERIAL_LONE_KING_ON_ROAD_AGAINST_3, /* of which a king; the lone king stands on the main road a1-h8 */
    MATERIAL_LONE_KING_AGAINST_3_KINGS,   /* or more, and no men */
    MATERIAL_BOTH_KINGS_4_OR_5,           /* pieces in all, each side has a king */
    MATERIAL_BOTH_KINGS_6_OR_7,
    MATERIAL_BOTH_KINGS
} Material;

/* What a draw rule counts, in plies. */
typedef enum {
    SINCE_CAPTURE,
    SINCE_BALANCE,  /* since a capture or a promotion */
    SINCE_PROGRESS, /* since a capture or a move of a man */
    SINCE_MATERIAL  /* since the rule's material arose */
} DrawCounter;

typedef struct {
    Material material;
    DrawCounter counter;
    uint16_t limit;         /* plies; the game is drawn when the counter reaches it */
    uint16_t balance_limit; /* plies; likewise for SINCE_BALANCE, 0 = none */
    const char *reason;
} DrawRule;

enum { DRAW_RULES_MAX = 6, DRAW_REPETITIONS = 3 };

/*
 * The draw rules of a game besides threefold repetition, which all games have. The first rule whose material
 * is on the board is the one in force. A limit of 0 ends the list.
 */
typedef struct {
    DrawRule rules[DRAW_RULES_MAX];
} DrawRules;

typedef struct {
    const char *name;         /* as in UCI_Variant */
    const char *pdn_gametype; /* the PDN tag GameType; its digits are the number of the game */
    Color first;              /* who moves first */
    Naming naming;
    char capture_separator; /* between the squares of a capture in PDN; readers accept any */
    bool men_capture_backward;
    bool flying_kings;
    Promotion promotion;
    bool majority; /* a capture must take as many pieces as any can */
    DrawRules draws;
} Rules;

typedef enum {
#define GAME(id, ...) VARIANT_##id,
#include "engine/rules.def"
#undef GAME
    VARIANT_COUNT
} Variant;

/* The game played when none is asked for. */
#define VARIANT_DEFAULT ((Variant)0)

/*
 * The table, one row a Variant; in a header so that the generator is specialised for each row at compile
 * time.
 */
static const Rules RULES[VARIANT_COUNT] = {
#define GAME(id, ...) [VARIANT_##id] = {__VA_ARGS__},
#include "engine/rules.def"
#undef GAME
};

/*
 * The draw rule common on web sites, for every game: 50 moves of each side without a capture.
 */
static const DrawRules DRAW_RULES_WEB = {
    .rules = {{MATERIAL_ANY, SINCE_CAPTURE, 100, 0, "50 moves each without a capture"}},
};

static inline const Rules *rules_of(Variant variant) {
    return &RULES[variant];
}

/* The variant of a name, letters of either case; VARIANT_COUNT if there is none. */
Variant variant_from_name(const char *name);

#endif
