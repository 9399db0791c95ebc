#include "match/statistics.h"
