/* SPDX-License-Identifier: MIT */

#include "c_structs.h"
