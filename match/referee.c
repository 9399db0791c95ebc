#include "match/spec.h"
