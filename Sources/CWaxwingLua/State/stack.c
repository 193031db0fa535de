/* SPDX-License-Identifier: MIT
 *
 * How much of the thread's stack is left. Lua counts its own C calls, coroutine by coroutine; calls
 * of Lua and Swift in one another use a coroutine each time, and nobody counts those.
 */
#include "wax_lua_call_private.h"
#include "wax_lua_state_private.h"
#include "wax_lua_objects.h"

const char *wax_lua_stack_problem(void) {
  switch (wax_process_stack_room_here()) {
    case WAX_PROCESS_STACK_FOREIGN:
      return "this code runs on a stack that does not belong to its thread, as with fibres and "
             "handlers of signals do: "
             "Lua is not run there";
    case WAX_PROCESS_STACK_SHORT:
      if (wax_process_stack.lent || wax_process_stack.top < wax_process_stack.least)
        return "the thread's stack is too small for Lua code";
    /* FALLTHROUGH */
    default: return "stack overflow: too many nested calls of Lua and Swift";
  }
}

static int raise_problem(lua_State *L) { return wax_lua_raise(L, "%s", wax_lua_stack_problem()); }

int wax_lua_refuse_call(wax_lua_coroutine *coroutine) {
  coroutine->state->objects->discard(coroutine->state, &coroutine->buffer);
  lua_settop(coroutine->L, WAX_LUA_COROUTINE_BASE);
  lua_pushcfunction(coroutine->L, raise_problem);
  coroutine->outer_frames = 1; /* raise_problem */
  int status = lua_pcall(coroutine->L, 0, 0, WAX_LUA_COROUTINE_HANDLER);
  coroutine->outer_frames = 0;
  return status;
}

bool wax_lua_stack_refuses_call(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (__builtin_expect(wax_process_stack.floor == 0, 0)) wax_process_find_stack();
  return here < wax_process_stack.least || here >= wax_process_stack.top;
}

void wax_lua_check_stack(lua_State *L) {
  if (__builtin_expect(wax_lua_stack_is_low(), 0)) wax_lua_raise(L, "%s", wax_lua_stack_problem());
}
