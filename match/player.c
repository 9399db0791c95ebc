#include "match/player.h"
