/* SPDX-License-Identifier: MIT */

/* How much of the thread's stack is left, and another stack for where that is too little.
 *
 * A program may call a patched function with hardly any stack: on a thread of 16 KB, on a fibre, in
 * a handler of signals. The engine's own code, which counts the call and logs, then runs on a stack
 * that is lent to it. Lua does not, unless it goes on after a wait. */

#ifndef WAX_PROCESS_STACK_H
#define WAX_PROCESS_STACK_H

#include <stdbool.h>
#include <stdint.h>

/* Whether Lua can be entered here; it can where nothing is known of the stack. */
typedef enum wax_process_stack_room {
  WAX_PROCESS_STACK_HAS_ROOM,
  WAX_PROCESS_STACK_SHORT,  /* the thread's stack is, or what is left of it */
  WAX_PROCESS_STACK_FOREIGN /* the stack is not the thread's: nothing tells how long it is */
} wax_process_stack_room;

typedef struct wax_process_stack_bounds {
  uintptr_t base;   /* the lowest address */
  uintptr_t top;    /* behind the highest; 0: not known yet */
  uintptr_t engine; /* below this the engine's own code gets another stack */
  uintptr_t least;  /* below this no Lua function is called by Swift */
  uintptr_t entry;  /* below this no override enters Lua */
  uintptr_t floor;  /* where Lua's reserve begins; 0: not known yet */
  /* Why another stack had to be lent; WAX_PROCESS_STACK_HAS_ROOM: it is the thread's own, or as
   * good. */
  wax_process_stack_room lent;
} wax_process_stack_bounds;

extern _Thread_local wax_process_stack_bounds wax_process_stack
    __attribute__((tls_model("initial-exec")));

/* Finds the stack of the calling thread. A host may run code on stacks of its own making, as fibres
   do, or as handlers of signals do: nothing tells how long they are, and Lua is not run there. */
void wax_process_find_stack(void);

/* Whether an override may enter Lua here. */
wax_process_stack_room wax_process_stack_room_here(void);

/* Whether the engine's own code can run here. False also where the stack is not known yet. */
static inline bool wax_process_stack_is_enough(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  return here >= wax_process_stack.engine && here < wax_process_stack.top;
}

typedef void wax_process_body(void *context);

/* Calls `body`, on this stack if it has room for the engine's own code, else on one that is lent
 * for as long as that takes.
 *
 * runs_lua   whether it is to have room for Lua code, too */
void wax_process_with_stack(wax_process_body *body, void *context, bool runs_lua);

#endif
