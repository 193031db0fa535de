/* SPDX-License-Identifier: MIT
 *
 * What a Lua function keeps of what it sees.
 */
#ifndef WAXWING_KEEPING_H
#define WAXWING_KEEPING_H

#include "waxwing_state.h"

/* What it can do with it, told by its code. */
typedef enum waxwing_keeping {
  WAXWING_KEEPS,          /* it may keep it */
  WAXWING_KEEPS_NOTHING,  /* it stores nothing and calls originals alone, but may read properties */
  WAXWING_CALLS_ORIGINALS /* it does nothing but to calculate, and to call originals of its first
                             argument: no Lua code but its own can see what it sees */
} waxwing_keeping;

/* [state entered]  Of a registry reference. */
waxwing_keeping waxwing_find_keeping(waxwing_state *state, int reference);

#endif
