/* crownhead dxp: reads the arguments, finds peers and plays with one after the other. */
#include "protocol/dxp_command.h"

#include "bench/command.h"
#include "engine/fen.h"
#include "protocol/dxp_play.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    DxpOptions play;
    const char *listen, *connect;
    bool initiator, follower;
    int patience; /* s */
    int threads;
    int megabytes;
    bool book;
    const char *book_file; /* NULL = the one built in */
    int variety;           /* centi-men, of the book's moves */
    int elo;               /* of a level of strength, 0 = full strength */
    bool help;
} Arguments;

static const char HELP[] =
    "usage: crownhead dxp --listen [HOST:]PORT | --connect HOST:PORT [options]\n"
    "\n"
    "Plays over TCP by DXP, the DamExchange protocol. Who connects is the initiator: it asks for games.\n"
    "\n"
    "  --initiator, --follower   be the initiator, or not, whoever connects\n"
    "  --variant GAME            the game, which the protocol does not name (english)\n"
    "  --games N                 end after N games (an initiator 1, a follower without end)\n"
    "  --time MIN                as initiator: minutes of a side for a game (5), 0 = no clock\n"
    "  --moves N                 as initiator: how many moves of a side the time is meant for (0 = all)\n"
    "  --fen FEN                 as initiator: begin there, with both colours; may be given again\n"
    "  --movetime MS             think at most so long about a move (no bound; 1000 without a clock)\n"
    "  --patience S              how long the other side may be silent besides its clock's time (60)\n"
    "  --hash MIB, --threads N   as the options of UCI (64, 1)\n"
    "  --book                    play from the opening book built in\n"
    "  --book-file FILE          play from this one\n"
    "  --variety CM              play book moves too that are worth so many centi-men less than the best "
    "(0)\n"
    "  --elo N                   play at a level of strength, as with UCI_Elo (full strength)";

static bool add_position(const char *command, const CommandOption *option, char *text) {
    DxpOptions *play = option->to;
    FenRecord record;
    ParseError error;

    if (!fen_read(text, strlen(text), &record, &error)) {
        fprintf(stderr, "%s: --fen: %s\n", command, error.text);
        return false;
    }
    Position *grown = realloc(play->positions, (play->positions_count + 1) * sizeof *grown);
    if (grown == NULL) {
        return command_fail(command, -ENOMEM) == COMMAND_DONE;
    }
    grown[play->positions_count++] = record.position;
    play->positions = grown;
    return true;
}

/* What is wrong with the arguments as a whole, or NULL; settles who is the initiator and for how long. */
static const char *settle(Arguments *arguments) {
    DxpOptions *play = &arguments->play;

    if ((arguments->listen == NULL) == (arguments->connect == NULL)) {
        return "one of --listen [HOST:]PORT and --connect HOST:PORT is wanted";
    }
    if (arguments->initiator && arguments->follower) {
        return "--initiator and --follower exclude each other";
    }
    play->initiator = arguments->initiator || (arguments->connect != NULL && !arguments->follower);
    if (!play->initiator && (play->minutes >= 0 || play->moves >= 0 || play->positions_count > 0)) {
        return "--time, --moves and --fen are for the initiator";
    }
    play->minutes = play->minutes >= 0 ? play->minutes : 5;
    play->moves = play->moves >= 0 ? play->moves : 0;
    play->patience = (int64_t)arguments->patience * 1000;
    if (play->initiator && play->games == 0) {
        play->games = 1;
    }
    return NULL;
}

static bool read_arguments(int argc, char **argv, Arguments *arguments) {
    DxpOptions *play = &arguments->play;
    const CommandOption options[] = {
        {"listen", .text = &arguments->listen},
        {"connect", .text = &arguments->connect},
        {"initiator", .flag = &arguments->initiator},
        {"follower", .flag = &arguments->follower},
        {"variant", .variant = &play->variant},
        {"games", .number = &play->games, .min = 1, .max = UINT64_C(1) << 40},
        {"time", .whole = &play->minutes, .min = 0, .max = DXP_NUMBER_MAX},
        {"moves", .whole = &play->moves, .min = 0, .max = DXP_NUMBER_MAX},
        {"fen", .read = add_position, .to = play},
        {"movetime", .whole = &play->movetime, .min = 1, .max = 86400000},
        {"patience", .whole = &arguments->patience, .min = 1, .max = 86400},
        {"hash", .whole = &arguments->megabytes, .min = 1, .max = TT_MEGABYTES_MAX},
        {"threads", .whole = &arguments->threads, .min = 1, .max = THREADS_MAX},
        {"book", .flag = &arguments->book},
        {"book-file", .text = &arguments->book_file},
        {"variety", .whole = &arguments->variety, .min = 0, .max = SESSION_BOOK_MARGIN_MAX},
        {"elo", .whole = &arguments->elo, .min = LEVEL_ELO_MIN, .max = LEVEL_ELO_MAX},
        {"help", .flag = &arguments->help},
    };

    *arguments = (Arguments){
        .play = {.variant = VARIANT_DEFAULT, .minutes = -1, .moves = -1},
        .patience = 60,
        .threads = 1,
        .megabytes = SESSION_MEGABYTES,
    };
    if (!command_options(argc, argv, options, sizeof options / sizeof options[0])) {
        return false;
    }
    if (arguments->help) {
        return true;
    }
    if (optind < argc) {
        fprintf(stderr, "%s: unexpected argument '%s'\n", argv[0], argv[optind]);
        return false;
    }
    const char *fault = settle(arguments);
    if (fault != NULL) {
        fprintf(stderr, "%s: %s\n", argv[0], fault);
    }
    return fault == NULL;
}

/* Plays with whoever connects. */
static int serve(const char *command, DxpPlayer *player, const char *address) {
    char bound[DXP_ADDRESS_SIZE];
    ParseError error;
    int listener = dxp_listen(address, bound, &error);
    int fault = 0;

    if (listener < 0) {
        fprintf(stderr, "%s: --listen %s\n", command, error.text);
        return COMMAND_FAILED;
    }
    output_line(&player->output, "listening on %s", bound);
    while (fault == 0 && !dxp_player_done(player)) {
        DxpLink link;
        fault = dxp_link_accept(&link, listener);
        if (fault == 0) {
            dxp_play(player, &link);
        }
    }
    close(listener);
    return fault == 0 ? COMMAND_DONE : command_fail(command, fault);
}

static int call(const char *command, DxpPlayer *player, const char *address) {
    DxpLink link;
    ParseError error;

    if (!dxp_link_connect(&link, address, player->options->patience, &error)) {
        fprintf(stderr, "%s: --connect %s\n", command, error.text);
        return COMMAND_FAILED;
    }
    output_line(&player->output, "connected to %s", link.peer);
    return dxp_play(player, &link) ? COMMAND_DONE : COMMAND_FAILED;
}

/* Sets the engine up. False if it cannot be as it was asked for, and that was told. */
static bool set_up(const char *command, const Arguments *arguments, Session *session) {
    SessionSettings *settings = &session->settings;
    ParseError error;

    settings->threads = arguments->threads;
    settings->own_book = arguments->book || arguments->book_file != NULL;
    settings->book_margin = arguments->variety;
    if (arguments->elo != 0) {
        settings->limited = true;
        settings->elo = arguments->elo;
    }
    if (arguments->book_file != NULL && !session_set_book(session, arguments->book_file, &error)) {
        fprintf(stderr, "%s: --book-file %s: %s\n", command, arguments->book_file, error.text);
        return false;
    }
    return true;
}

static int play(const char *command, const Arguments *arguments) {
    DxpPlayer player;
    int status = COMMAND_FAILED;
    int error = dxp_player_init(&player, &arguments->play, STDOUT_FILENO, (size_t)arguments->megabytes);

    if (error != 0) {
        return command_fail(command, error);
    }
    if (set_up(command, arguments, &player.session)) {
        status = arguments->listen != NULL ? serve(command, &player, arguments->listen)
                                           : call(command, &player, arguments->connect);
    }
    if (output_broken(&player.output)) {
        status = COMMAND_FAILED;
    }
    dxp_player_deinit(&player);
    return status;
}

int command_dxp(int argc, char **argv) {
    Arguments arguments;
    int status = COMMAND_USAGE;

    signal(SIGPIPE, SIG_IGN);
    if (read_arguments(argc, argv, &arguments)) {
        status = arguments.help ? command_print(argv[0], HELP) : play(argv[0], &arguments);
    }
    free(arguments.play.positions);
    return status;
}
