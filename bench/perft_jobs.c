#include "bench/perft_jobs.h"
