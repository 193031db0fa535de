/* SPDX-License-Identifier: MIT
 *
 * Which of its values a Lua function does nothing with but pass them on.
 */
#ifndef WAX_PROXY_PASSING_H
#define WAX_PROXY_PASSING_H

#include <stdbool.h>
#include <stdint.h>

#include "wax_lua_state.h"

/* The values are counted from 0, in the order in which the function gets them, by bits. */
typedef struct wax_proxy_passing {
  uint32_t only_passed; /* goes to originals and to the caller of the function, and nowhere else */
  uint32_t once;        /* the same, and at most once in a call */
  bool results;         /* of all that originals return only that is done */
  uint8_t globals; /* it calls `original`, of the globals that are this upvalue; 0: it does not */
} wax_proxy_passing;

/* [state entered]  Of a registry reference. */
wax_proxy_passing wax_proxy_find_passing(wax_lua_state *state, int reference);

/* [state entered; -0, +0, -]  Whether `original`, of the globals that are this upvalue of the
   function behind the reference, is still the engine's: the script may have given the name to
   something else. There is room for four values. */
bool wax_proxy_original_stands(lua_State *L, int reference, int globals);

#endif
