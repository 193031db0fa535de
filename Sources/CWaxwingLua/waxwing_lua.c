#include "waxwing_lua.h"
