/* SPDX-License-Identifier: MIT
 *
 * The Lua functions of one script that Swift holds, and the calls that are in them: on any thread,
 * at any time, also after the script has ended.
 */
#ifndef WAXWING_HELD_H
#define WAXWING_HELD_H

#include "waxwing_lock.h"
#include "waxwing_override.h"

/* A call of a Lua function by Swift, on the stack of its thread. */
typedef struct waxwing_held_call {
  struct waxwing_held_call *older;
  struct waxwing_held_call *newer;
  uint64_t number; /* no two calls of a script have the same */
  uint64_t thread;
  uint64_t began;     /* by CLOCK_MONOTONIC_COARSE, in nanoseconds */
  const void *method; /* the name of what is called, a String; NULL: a closure */
  bool is_for_object;
} waxwing_held_call;

/* The code of a closure that is made of a Lua function, and what it keeps: a Swift object. C looks
   at no more of it than this. */
typedef struct waxwing_held_closure {
  const void *metadata;
  uintptr_t reference_counts;
  const void *handler; /* a waxwing_closure_handler, or an async one */
  size_t stack_bytes;
  const struct waxwing_held_plan *plan; /* NULL: its calls take Swift */
  struct waxwing_held *held;            /* NULL: it has no Lua function, and never had */
  struct waxwing_held_closure *older;
  struct waxwing_held_closure *newer;
  int reference; /* of the Lua function, in the registry */
} waxwing_held_closure;

/* The lists are read and written under the lock, under which nothing else is done. */
typedef struct waxwing_held {
  waxwing_lock lock;
  waxwing_state *state; /* open as long as there are calls or the script has not ended */
  uint64_t crumb;       /* how breadcrumbs name the patch */
  bool is_ended;
  bool is_over;       /* nothing goes on for objects of the script's classes either */
  uint64_t exception; /* the thread for which the functions go on after the end; 0: there is none */
  uint64_t calls_made;
  waxwing_held_call *newest;
  waxwing_held_closure *newest_closure; /* those that are alive; they are not retained */
  size_t closure_count;
} waxwing_held;

void waxwing_held_init(waxwing_held *held, waxwing_state *state, uint64_t crumb);

void waxwing_held_lock(waxwing_held *held);
void waxwing_held_unlock(waxwing_held *held);

/* Announces the call: the state stays open until waxwing_held_leave. False: the script has ended.
   `method` and `is_for_object` have been set. */
bool waxwing_held_enter(waxwing_held *held, waxwing_held_call *call);
void waxwing_held_leave(waxwing_held *held, waxwing_held_call *call);

void waxwing_held_add(waxwing_held *held, waxwing_held_closure *closure);

/* The closure dies; its function is dropped when the state is entered next. */
void waxwing_held_remove(waxwing_held *held, waxwing_held_closure *closure);

/* How closures of one type are called. */
typedef struct waxwing_held_plan {
  waxwing_arguments arguments;
  waxwing_result result;
  /* The long way: the whole call. */
  void (*run)(waxwing_held_closure *closure, waxwing_frame *frame);
  /* [state entered]  Its end, once the Lua function has returned or failed: what is on the lane's
     stack from `first` on are the results, or the error on top. Releases the lane, leaves the state
     and then the call. */
  void (*conclude)(waxwing_held_closure *closure, waxwing_frame *frame, waxwing_lane *lane,
                   waxwing_held_call *call, int status, int first);
} waxwing_held_plan;

/* A waxwing_closure_handler: the context is a waxwing_held_closure with a plan. */
void waxwing_run_held(void *context, waxwing_frame *frame);

#endif
