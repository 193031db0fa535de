/* SPDX-License-Identifier: MIT
 *
 * How much of the thread's stack is left: asked at every call of a library function.
 */
#ifndef WAX_LUA_STACK_H
#define WAX_LUA_STACK_H

#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

#include "wax_process_stack.h"

/* The problem if `wax_lua_stack_is_low`. */
const char *wax_lua_stack_problem(void);

/* Whether the thread's stack is nearly used up, or this is not the thread's stack. */
static inline bool wax_lua_stack_is_low(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (__builtin_expect(wax_process_stack.floor == 0, 0)) wax_process_find_stack();
  return here < wax_process_stack.floor || here >= wax_process_stack.top;
}

/* Whether Swift may not call a Lua function here, which might go as deep as Lua lets it. */
bool wax_lua_stack_refuses_call(void);

/* [-0, +0, v]  Raises if the thread's stack is nearly used up: before calling a script's function,
   which may come back here. */
void wax_lua_check_stack(lua_State *L);

#endif
