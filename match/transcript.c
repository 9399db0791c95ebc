#include "match/transcript.h"

#include "bench/stopwatch.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

bool transcript_open(Transcript *transcript, const char *file, ParseError *error) {
    *transcript = (Transcript){.stream = fopen(file, "ae"), .begin = stopwatch_now()};
    if (transcript->stream == NULL) {
        snprintf(error->text, sizeof error->text, "%s: cannot be opened: %s", file, strerror(errno));
        return false;
    }
    /* A line is one call, and each call has the stream to itself. */
    setvbuf(transcript->stream, NULL, _IOLBF, BUFSIZ);
    return true;
}

void transcript_add(Transcript *transcript, char direction, const char *engine, int64_t game, View line) {
    int64_t milliseconds = (stopwatch_now() - transcript->begin) / 1000000;

    fprintf(transcript->stream, "%" PRId64 " %c%s(%" PRId64 "): %.*s\n", milliseconds, direction, engine,
            game, (int)line.length, line.start);
}

bool transcript_close(Transcript *transcript) {
    bool fine = !ferror(transcript->stream);

    fine = fclose(transcript->stream) == 0 && fine;
    transcript->stream = NULL;
    return fine;
}
