/* SPDX-License-Identifier: MIT
 *
 * What the engine's own `coroutine` (lua/waxwing/coroutines.lua) is made of: Lua's library without
 * `wrap`, with what it costs and what ends.
 *
 * A coroutine has a hook of its own, which counts from its beginning: what a short one runs is seen
 * by nobody, so that making one costs as much. A coroutine that its hook has ended runs without
 * hooks when it is closed; it is never closed.
 */
#include "waxwing_library.h"
#include "waxwing_state_private.h"

#define CREATION_COST 200
#define START_COST 200
#define RESUME_COST 20

/* Calls of `close` in one another: Lua does not count what they use of the thread's stack. */
#define MOST_CLOSING 8

static _Thread_local int closing __attribute__((tls_model("initial-exec")));

static int create(lua_State *L) {
  waxwing_charge(L, CREATION_COST);
  return waxwing_own(L);
}

/* Whether it has not begun. */
static bool is_new(lua_State *co) {
  lua_Debug activation;
  return lua_status(co) == LUA_OK && !lua_getstack(co, 0, &activation);
}

static int resume(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  waxwing_check_stack(L);
  if (co) waxwing_charge(L, is_new(co) ? START_COST : RESUME_COST);
  lua_State *outer = waxwing_budget_move(co);
  int count = waxwing_own(L);
  waxwing_budget_move(outer);
  if (!lua_toboolean(L, -count)) waxwing_check_trip(L);
  return count;
}

static int close_counted(lua_State *L) {
  if (closing == MOST_CLOSING)
    return luaL_error(L, "coroutine.close is called within itself more than %d times",
                      MOST_CLOSING);
  closing++;
  lua_State *outer = waxwing_budget_move(lua_tothread(L, 1));
  int count = waxwing_own(L); /* what `__close` raises is its result */
  waxwing_budget_move(outer);
  closing--;
  if (!lua_toboolean(L, -count)) waxwing_check_trip(L);
  return count;
}

static int close(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  waxwing_check_trip(L);
  waxwing_check_stack(L);
  int status = co ? lua_status(co) : LUA_OK;
  if (status != LUA_OK && status != LUA_YIELD && waxwing_was_tripped(co)) {
    lua_pushboolean(L, 0);
    lua_pushliteral(L, "the coroutine ran out of its call's limits");
    return 2;
  }
  /* These raise rather than return. */
  if (!co || co == L || (status == LUA_OK && lua_getstack(co, 0, &(lua_Debug){0})))
    return waxwing_own(L);
  return close_counted(L);
}

void waxwing_open_coroutines(lua_State *L) {
  static const waxwing_replacement functions[] = {
      {"create", create}, {"resume", resume}, {"close", close}, {NULL, NULL}};
  static const char *const unsafe[] = {"wrap", NULL};
  waxwing_replace(L, functions);
  waxwing_remove_functions(L, unsafe);
}
