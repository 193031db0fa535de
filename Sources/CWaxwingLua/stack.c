/* SPDX-License-Identifier: MIT
 *
 * How much of the thread's stack is left. Lua counts its own C calls, coroutine by coroutine; calls
 * of Lua and Swift in one another use a coroutine each time, and nobody counts those.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

#include "wax_lua_call_private.h"
#include "wax_lua_stack.h"

/* Left for what Swift does without calling Lua, and for raising the error. */
#define MAX_RESERVE (512 * 1024)

/* What Lua code needs that goes as deep as Lua lets it: 200 metamethods in one another, which
   nobody but Lua counts, are some 90 KB; and then Swift code. */
#define MIN_ROOM (192 * 1024)
/* Where nothing tells how long the first thread's is. */
#define MAX_MAIN_STACK (8 << 20)
#define MAX_ROOM (MAX_RESERVE / 2)

_Thread_local wax_lua_stack_bounds wax_lua_stack;

extern void *__libc_stack_end;

/* Without /proc the C library does not know the first thread's stack. */
static bool find_main_stack(uintptr_t *base, size_t *size) {
  struct rlimit limit;
  if (gettid() != getpid() || getrlimit(RLIMIT_STACK, &limit) != 0) return false;
  *size = limit.rlim_cur < MAX_MAIN_STACK ? limit.rlim_cur : MAX_MAIN_STACK;
  /* What lies behind it, arguments and environment, is not run on. */
  *base = (uintptr_t)__libc_stack_end - *size;
  return true;
}

static bool find_stack(uintptr_t *base, size_t *size) {
  pthread_attr_t attributes;
  void *lowest = NULL;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return find_main_stack(base, size);
  bool is_found = pthread_attr_getstack(&attributes, &lowest, size) == 0;
  pthread_attr_destroy(&attributes);
  *base = (uintptr_t)lowest;
  return is_found;
}

void wax_lua_find_stack(void) {
  uintptr_t base = 0;
  size_t size = 0;
  wax_lua_stack = (wax_lua_stack_bounds){.floor = 1, .top = UINTPTR_MAX};
  if (!find_stack(&base, &size)) return;
  size_t reserve = size / 4 < MAX_RESERVE ? size / 4 : MAX_RESERVE;
  wax_lua_stack.base = base;
  wax_lua_stack.top = base + size;
  wax_lua_stack.floor = base + reserve;
  wax_lua_stack.entry = wax_lua_stack.floor + (size / 4 < MAX_ROOM ? size / 4 : MAX_ROOM);
  if (wax_lua_stack.entry < base + MIN_ROOM) wax_lua_stack.entry = base + MIN_ROOM;
}

wax_lua_stack_room wax_lua_stack_room_here(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (wax_lua_stack.floor == 0) wax_lua_find_stack();
  if (here < wax_lua_stack.base || here >= wax_lua_stack.top) return WAX_LUA_STACK_FOREIGN;
  return here < wax_lua_stack.entry ? WAX_LUA_STACK_SHORT : WAX_LUA_STACK_HAS_ROOM;
}

const char *wax_lua_stack_problem(void) {
  return wax_lua_stack_room_here() == WAX_LUA_STACK_FOREIGN
             ? "this code runs on a stack that does not belong to its thread, as with fibres and "
               "handlers of "
               "signals do: "
               "Lua is not run there"
             : "stack overflow: too many nested calls of Lua and Swift";
}

void wax_lua_check_stack(lua_State *L) {
  if (__builtin_expect(wax_lua_stack_is_low(), 0)) wax_lua_raise(L, "%s", wax_lua_stack_problem());
}
