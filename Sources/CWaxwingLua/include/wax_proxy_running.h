/* SPDX-License-Identifier: MIT
 *
 * Which Lua functions are running.
 */
#ifndef WAX_PROXY_RUNNING_H
#define WAX_PROXY_RUNNING_H

#include "wax_lua_state.h"

/* [state entered; -0, +0, -]  The innermost running function, from level `*level` on, whose first
   local variable is the proxy of this object: its address, as lua_topointer gives it. `*level` is
   then the level after it. NULL: there is none. */
const void *wax_proxy_function_on(lua_State *L, const void *object, int *level);

#endif
