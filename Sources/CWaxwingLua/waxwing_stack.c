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

_Thread_local waxwing_stack_bounds waxwing_stack;

void waxwing_find_stack(void) {
  pthread_attr_t attributes;
  void *base = NULL;
  size_t size = 0;
  waxwing_stack.floor = 1;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  if (pthread_attr_getstack(&attributes, &base, &size) == 0) {
    size_t reserve = size / 4 < MOST_RESERVE ? size / 4 : MOST_RESERVE;
    waxwing_stack.base = (uintptr_t)base;
    waxwing_stack.floor = waxwing_stack.base + reserve;
    waxwing_stack.entry = waxwing_stack.floor + (size / 4 < MOST_ROOM ? size / 4 : MOST_ROOM);
    if (waxwing_stack.entry < waxwing_stack.base + LEAST_ROOM)
      waxwing_stack.entry = waxwing_stack.base + LEAST_ROOM;
  }
  pthread_attr_destroy(&attributes);
}

bool waxwing_stack_has_room(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (waxwing_stack.floor == 0) waxwing_find_stack();
  return here < waxwing_stack.base || here >= waxwing_stack.entry;
}
