#include "engine/hub_notation.h"
