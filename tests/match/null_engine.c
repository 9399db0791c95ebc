/*
 * An engine that plays its first legal move, at once or after a sleep of argv[1] microseconds: what a game
 * with it takes is the time of whoever drives it. Only well-formed UCI is understood.
 */
#include "engine/fen.h"
#include "engine/movegen.h"
#include "engine/notation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINE_SIZE = 1 << 16 };

/* "position startpos|fen FEN [moves MOVE...]" */
static Position position_read(Variant variant, char *line) {
    FenRecord record = {.position = position_start(rules_of(variant))};
    ParseError error = {""};
    char *state = NULL;
    const char *fen;

    strtok_r(line, " \n", &state);
    const char *kind = strtok_r(NULL, " \n", &state);
    if (kind != NULL && strcmp(kind, "fen") == 0 &&
        ((fen = strtok_r(NULL, " \n", &state)) == NULL || !fen_read(fen, strlen(fen), &record, &error))) {
        fprintf(stderr, "null_engine: no position: %s\n", error.text);
        return record.position;
    }
    strtok_r(NULL, " \n", &state);
    for (char *text; (text = strtok_r(NULL, " \n", &state)) != NULL;) {
        Move move;
        if (!move_read(variant, &record.position, text, strlen(text), &move, &error)) {
            fprintf(stderr, "null_engine: %s\n", error.text);
            break;
        }
        record.position = position_after(&record.position, move);
    }
    return record.position;
}

static void answer(Variant variant, const Position *position) {
    char text[MOVE_TEXT_SIZE];
    MoveList list;

    movegen_generate(variant, position, &list);
    if (list.count == 0) {
        printf("bestmove (none)\n");
        return;
    }
    move_write(variant, position, list.moves[0], text);
    printf("bestmove %s\n", text);
}

int main(int argc, char **argv) {
    char line[LINE_SIZE];
    Variant variant = VARIANT_DEFAULT;
    Position position = position_start(rules_of(variant));
    long sleep = argc > 1 ? strtol(argv[1], NULL, 10) : 0;

    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strcmp(line, "uci\n") == 0) {
            printf("id name Null\noption name UCI_Variant type combo default english");
            for (int game = 0; game < VARIANT_COUNT; game++) {
                printf(" var %s", RULES[game].name);
            }
            printf("\nuciok\n");
        } else if (strncmp(line, "setoption name UCI_Variant value ", 33) == 0) {
            line[strcspn(line, "\n")] = '\0';
            variant = variant_from_name(line + 33);
        } else if (strcmp(line, "isready\n") == 0) {
            printf("readyok\n");
        } else if (strncmp(line, "position", 8) == 0) {
            position = position_read(variant, line);
        } else if (strncmp(line, "go", 2) == 0) {
            nanosleep(&(struct timespec){sleep / 1000000, sleep % 1000000 * 1000}, NULL);
            answer(variant, &position);
        } else if (strcmp(line, "quit\n") == 0) {
            break;
        }
    }
    return 0;
}
