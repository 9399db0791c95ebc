#include "match/dialect.h"
