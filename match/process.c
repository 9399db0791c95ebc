#include "match/process.h"
