#include "match/opening.h"
