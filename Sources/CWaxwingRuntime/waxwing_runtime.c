#include "waxwing_runtime.h"
