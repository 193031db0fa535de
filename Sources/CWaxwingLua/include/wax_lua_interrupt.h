/* SPDX-License-Identifier: MIT
 *
 * Ctrl-C in a shell. For a process whose Lua code is its own business, by one thread.
 */
#ifndef WAX_LUA_INTERRUPT_H
#define WAX_LUA_INTERRUPT_H

#include "wax_lua_values.h"

/* From here on SIGINT stops the Lua code that runs on this coroutine, by a Lua error; a second one
   ends the process, as what does not stop may be Swift's. NULL: SIGINT only interrupts system
   calls. */
void wax_lua_begin_interruptible(lua_State *L);
/* Puts back what SIGINT did before. Returns whether there was one. */
bool wax_lua_end_interruptible(void);

#endif
