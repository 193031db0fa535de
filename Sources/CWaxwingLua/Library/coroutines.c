/* SPDX-License-Identifier: MIT
 *
 * What the engine's own `coroutine` (lua/waxwing/coroutines.lua) is made of: Lua's library without
 * `wrap`, with what it costs and what ends.
 *
 * A coroutine has a hook of its own, which counts from its beginning: what a short one runs is seen
 * by nobody, so that making one costs as much. A coroutine that its hook has ended runs without
 * hooks when it is closed; it is never closed.
 */
#include "wax_library_private.h"
#include "wax_lua_state_private.h"

#define CREATION_COST 200
#define START_COST 200
#define RESUME_COST 20

/* Calls of `close` in one another: Lua does not count what they use of the thread's stack. */
#define MAX_CLOSING 8

static _Thread_local int closing __attribute__((tls_model("initial-exec")));

static int create(lua_State *L) {
  wax_lua_budget_consume(L, CREATION_COST);
  return wax_library_call_builtin(L);
}

/* Whether it has not begun. */
static bool is_new(lua_State *co) {
  lua_Debug ar;
  return lua_status(co) == LUA_OK && !lua_getstack(co, 0, &ar);
}

static int resume(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  wax_lua_check_stack(L);
  if (co) wax_lua_budget_consume(L, is_new(co) ? START_COST : RESUME_COST);
  lua_State *outer = wax_lua_budget_move(co);
  int count = wax_library_call_builtin(L);
  wax_lua_budget_move(outer);
  if (!lua_toboolean(L, -count)) wax_lua_check_limit(L);
  return count;
}

static int close_counted(lua_State *L) {
  if (closing == MAX_CLOSING)
    return luaL_error(L, "coroutine.close is called within itself more than %d times", MAX_CLOSING);
  closing++;
  lua_State *outer = wax_lua_budget_move(lua_tothread(L, 1));
  int count = wax_library_call_builtin(L); /* what `__close` raises is its result */
  wax_lua_budget_move(outer);
  closing--;
  if (!lua_toboolean(L, -count)) wax_lua_check_limit(L);
  return count;
}

static int close(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  wax_lua_check_limit(L);
  wax_lua_check_stack(L);
  int status = co ? lua_status(co) : LUA_OK;
  if (status != LUA_OK && status != LUA_YIELD && wax_lua_was_stopped(co)) {
    lua_pushboolean(L, 0);
    lua_pushliteral(L, "the coroutine ran out of its call's limits");
    return 2;
  }
  /* These raise rather than return. */
  if (!co || co == L || (status == LUA_OK && lua_getstack(co, 0, &(lua_Debug){0})))
    return wax_library_call_builtin(L);
  return close_counted(L);
}

void wax_library_open_coroutines(lua_State *L) {
  static const wax_library_replacement functions[] = {
      {"create", create}, {"resume", resume}, {"close", close}, {NULL, NULL}};
  static const char *const unsafe[] = {"wrap", NULL};
  wax_library_replace(L, functions);
  wax_library_remove_functions(L, unsafe);
}
