/* SPDX-License-Identifier: MIT
 *
 * Finalizers that Lua could not call.
 */
#ifndef WAX_LUA_FINALIZERS_H
#define WAX_LUA_FINALIZERS_H

#include <lua.h>

/* Lets finalizers of the state that Lua cannot call be called by a later collection. `main` is its
   first thread. */
void wax_lua_keep_finalizers(lua_State *main);

#endif
