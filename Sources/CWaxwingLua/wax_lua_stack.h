/* SPDX-License-Identifier: MIT
 *
 * How much of the thread's stack is left: asked at every call of a library function.
 */
#ifndef WAX_LUA_STACK_H
#define WAX_LUA_STACK_H

#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct wax_lua_stack_bounds {
  uintptr_t base;  /* the lowest address */
  uintptr_t top;   /* behind the highest */
  uintptr_t floor; /* where the reserve begins; 0: not known yet */
  uintptr_t entry; /* below this Lua is not entered */
} wax_lua_stack_bounds;

extern _Thread_local wax_lua_stack_bounds wax_lua_stack __attribute__((tls_model("initial-exec")));

/* Of the calling thread. A host may run code on stacks of its own making, as fibres do, or as
   handlers of signals do: nothing tells how long they are, and Lua is not run there. */
void wax_lua_find_stack(void);

/* What is wrong if `wax_lua_stack_is_low`. */
const char *wax_lua_stack_problem(void);

/* Whether the thread's stack is nearly used up, or this is not the thread's stack. */
static inline bool wax_lua_stack_is_low(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (__builtin_expect(wax_lua_stack.floor == 0, 0)) wax_lua_find_stack();
  return here < wax_lua_stack.floor || here >= wax_lua_stack.top;
}

/* [-0, +0, v]  Raises if the thread's stack is nearly used up: before calling a script's function,
   which may come back here. */
void wax_lua_check_stack(lua_State *L);

#endif
