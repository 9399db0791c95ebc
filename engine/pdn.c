#include "engine/pdn.h"
