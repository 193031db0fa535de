/* SPDX-License-Identifier: MIT
 *
 * How much of the thread's stack is left: asked at every call of a library function.
 */
#ifndef WAXWING_STACK_H
#define WAXWING_STACK_H

#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct waxwing_stack_bounds {
  uintptr_t base;  /* the lowest address */
  uintptr_t top;   /* behind the highest */
  uintptr_t floor; /* where the reserve begins; 0: not known yet */
  uintptr_t entry; /* below this Lua is not entered */
} waxwing_stack_bounds;

extern _Thread_local waxwing_stack_bounds waxwing_stack __attribute__((tls_model("initial-exec")));

/* Of the calling thread. A host may run code on stacks of its own making, as fibres do, or as
   handlers of signals do: nothing tells how long they are, and Lua is not run there. */
void waxwing_find_stack(void);

/* What is wrong if `waxwing_stack_is_low`. */
const char *waxwing_stack_problem(void);

/* Whether the thread's stack is nearly used up, or this is not the thread's stack. */
static inline bool waxwing_stack_is_low(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (__builtin_expect(waxwing_stack.floor == 0, 0)) waxwing_find_stack();
  return here < waxwing_stack.floor || here >= waxwing_stack.top;
}

/* [-0, +0, v]  Raises if the thread's stack is nearly used up: before calling a script's function,
   which may come back here. */
void waxwing_check_stack(lua_State *L);

#endif
