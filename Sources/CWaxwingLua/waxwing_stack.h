/* SPDX-License-Identifier: MIT
 *
 * How much of the thread's stack is left: asked at every call of a library function.
 */
#ifndef WAXWING_STACK_H
#define WAXWING_STACK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct waxwing_stack_bounds {
  uintptr_t base;  /* the lowest address */
  uintptr_t floor; /* where the reserve begins; 0: not known yet */
  uintptr_t entry; /* below this Lua is not entered */
} waxwing_stack_bounds;

extern _Thread_local waxwing_stack_bounds waxwing_stack __attribute__((tls_model("initial-exec")));

/* Of the calling thread. A host may run on stacks of its own making, of which nothing is known. */
void waxwing_find_stack(void);

/* Whether the thread's stack is nearly used up. */
static inline bool waxwing_stack_is_low(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (__builtin_expect(waxwing_stack.floor == 0, 0)) waxwing_find_stack();
  return here < waxwing_stack.floor && here >= waxwing_stack.base;
}

#endif
