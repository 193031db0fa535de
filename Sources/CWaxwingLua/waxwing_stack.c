/* SPDX-License-Identifier: MIT
 *
 * How much of the thread's stack is left. Lua counts its own C calls, coroutine by coroutine; calls
 * of Lua and Swift in one another use a coroutine each time, and nobody counts those.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "waxwing_state_private.h"

/* Left for what Swift does without calling Lua, and for raising the error. */
#define MOST_RESERVE (512 * 1024)

/* What Lua code needs that goes as deep as Lua lets it: 200 metamethods in one another, which
   nobody but Lua counts, are some 90 KB; and then Swift code. */
#define LEAST_ROOM (192 * 1024)
#define MOST_ROOM (MOST_RESERVE / 2)

typedef struct stack_bounds {
  uintptr_t base;  /* the lowest address */
  uintptr_t floor; /* where the reserve begins; 0: not known yet */
  uintptr_t entry; /* below this Lua is not entered */
} stack_bounds;

static _Thread_local stack_bounds bounds __attribute__((tls_model("initial-exec")));

static void find_bounds(void) {
  pthread_attr_t attributes;
  void *base = NULL;
  size_t size = 0;
  bounds.floor = 1;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  if (pthread_attr_getstack(&attributes, &base, &size) == 0) {
    size_t reserve = size / 4 < MOST_RESERVE ? size / 4 : MOST_RESERVE;
    bounds.base = (uintptr_t)base;
    bounds.floor = bounds.base + reserve;
    bounds.entry = bounds.floor + (size / 4 < MOST_ROOM ? size / 4 : MOST_ROOM);
    if (bounds.entry < bounds.base + LEAST_ROOM) bounds.entry = bounds.base + LEAST_ROOM;
  }
  pthread_attr_destroy(&attributes);
}

/* A host may run on stacks of its own making, of which nothing is known. */
bool waxwing_stack_is_low(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (bounds.floor == 0) find_bounds();
  return here >= bounds.base && here < bounds.floor;
}

bool waxwing_stack_has_room(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (bounds.floor == 0) find_bounds();
  return here < bounds.base || here >= bounds.entry;
}
