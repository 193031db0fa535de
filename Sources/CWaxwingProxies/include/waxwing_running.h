/* SPDX-License-Identifier: MIT
 *
 * Which Lua functions are running.
 */
#ifndef WAXWING_RUNNING_H
#define WAXWING_RUNNING_H

#include "waxwing_state.h"

/* [state entered; -0, +0, -]  The innermost running function, from level `*level` on, whose first
   local variable is the proxy of this object: its address, as lua_topointer gives it. `*level` is
   then the level after it. NULL: there is none. */
const void *waxwing_function_on(lua_State *L, const void *object, int *level);

#endif
