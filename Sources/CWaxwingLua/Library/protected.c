/* SPDX-License-Identifier: MIT
 *
 * What scripts have of the base library that catches errors or gives tables a behaviour.
 *
 * `pcall` and `xpcall` are Lua's own but for one thing: a call that has spent its budget is over,
 * whoever catches that. They are ready for what they call to wait.
 */
#include <string.h>

#include "wax_lua_call_private.h"
#include "wax_library_private.h"
#include "wax_lua_state_private.h"

/* {==================================================================
** pcall and xpcall
** =================================================================== */

/* The results, or false and the error. `skipped`: what is below them. */
static int finish(lua_State *L, int status, lua_KContext skipped) {
  if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L) - (int)skipped;
  wax_lua_check_limit(L);
  lua_pushboolean(L, 0);
  lua_pushvalue(L, -2);
  return 2;
}

static int protected_call(lua_State *L) {
  luaL_checkany(L, 1);
  wax_lua_check_stack(L);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  return finish(L, lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish), 0);
}

/* (part, true, results or error) -> true and the results; false and the error; or nil and the limit
   that has stopped it */
static int finish_separately(lua_State *L, int status, lua_KContext skipped) {
  (void)skipped;
  const char *limit = wax_lua_budget_close_part(L, lua_touserdata(L, 1), status);
  if (limit) {
    lua_settop(L, 1); /* what the part held is garbage now */
    if (status != LUA_OK) lua_gc(L, LUA_GCCOLLECT);
    lua_pushnil(L);
    lua_pushstring(L, limit);
    return 2;
  }
  if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L) - 1;
  wax_lua_check_limit(L);
  lua_pushboolean(L, 0);
  lua_pushvalue(L, -2);
  return 2;
}

/* (function, arguments …): as `pcall`, with a budget of its own that is as large as a call's. Of
   the engine's own Lua code. */
static int call_separately(lua_State *L) {
  luaL_checkany(L, 1);
  wax_lua_check_stack(L);
  wax_lua_check_limit(L);
  wax_lua_budget_part *part = lua_newuserdatauv(L, sizeof *part, 0);
  lua_insert(L, 1);
  lua_pushboolean(L, 1);
  lua_insert(L, 2);
  wax_lua_budget_open_part(L, part);
  int count = lua_gettop(L) - 3;
  return finish_separately(L, lua_pcallk(L, count, LUA_MULTRET, 0, 0, finish_separately), 0);
}

/* Around a message handler that is written in Lua. Where the hook has ended the call there is no
   hook while handlers run: this one might never end. */
static int handle_message(lua_State *L) {
  lua_settop(L, 1);
  if (wax_lua_has_exceeded_limit(L) || wax_lua_stack_is_low()) return 1;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

/* Whether the function at `index` holds nothing but the globals: it may be kept. */
static bool holds_nothing(lua_State *L, int index) {
  const char *name = lua_getupvalue(L, index, 1);
  if (!name) return true;
  lua_pop(L, 1);
  if (strcmp(name, "_ENV") != 0) return false;
  if (!lua_getupvalue(L, index, 2)) return true;
  lua_pop(L, 1);
  return false;
}

/* Upvalues of ours besides Lua's function: the last handler that could be kept, and what is around
   it. */
#define KEPT_HANDLER lua_upvalueindex(2)
#define KEPT_WRAPPER lua_upvalueindex(3)

/* Puts what is to be called for errors in the place of the handler, which is written in Lua. */
static void wrap_handler(lua_State *L, int index) {
  if (lua_rawequal(L, index, KEPT_HANDLER)) {
    lua_copy(L, KEPT_WRAPPER, index);
    return;
  }
  lua_pushvalue(L, index);
  lua_pushcclosure(L, handle_message, 1);
  if (holds_nothing(L, index)) {
    lua_copy(L, index, KEPT_HANDLER);
    lua_copy(L, -1, KEPT_WRAPPER);
  }
  lua_replace(L, index);
}

static int protected_call_handled(lua_State *L) {
  int count = lua_gettop(L);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  wax_lua_check_stack(L);
  if (!lua_iscfunction(L, 2)) wrap_handler(L, 2);
  lua_pushboolean(L, 1);
  lua_pushvalue(L, 1);
  lua_rotate(L, 3, 2); /* below the function's arguments */
  return finish(L, lua_pcallk(L, count - 2, LUA_MULTRET, 2, 2, finish), 2);
}

/* }================================================================== */

/* {==================================================================
** setmetatable
** =================================================================== */

/* [-0, +0, v]  Refuses a metatable with a field that scripts cannot use. */
static void refuse(lua_State *L, const char *name, const char *remedy) {
  lua_pushstring(L, name);
  if (lua_rawget(L, 2) != LUA_TNIL)
    wax_lua_raise(L, "a script's metatable cannot have `%s`; %s", name, remedy);
  lua_pop(L, 1);
}

/* Lua looks for `__gc` here and nowhere else: set later, it does nothing. */
static int set_metatable(lua_State *L) {
  if (lua_type(L, 1) == LUA_TTABLE && lua_type(L, 2) == LUA_TTABLE) {
    refuse(L, "__gc", "a variable that is `<close>` ends with its block");
    if (!wax_lua_state_of(L)->allows_weak_tables)
      refuse(L, "__mode", "`weak(object)` does not keep its object, and fields live as long as it");
  }
  return wax_library_call_builtin(L);
}

/* [-0, +0, m]  For the prelude: what it gives to scripts in place of Lua's `setmetatable`, and what
   only the engine's own Lua code has. */
static void open_own_functions(lua_State *L) {
  lua_pushcfunction(L, call_separately);
  lua_setfield(L, -2, "waxwing.separately");
  lua_getfield(L, -1, "setmetatable");
  lua_pushcclosure(L, set_metatable, 1);
  lua_setfield(L, -2, "waxwing.setmetatable");
}

/* }================================================================== */

/* For numbers in strings, see strings.c. */
static int to_number(lua_State *L) {
  if (lua_type(L, 1) == LUA_TSTRING) wax_lua_budget_consume(L, (size_t)lua_rawlen(L, 1) / 2);
  return wax_library_call_builtin(L);
}

/* Its results may be as many as its arguments. */
static int select_values(lua_State *L) {
  wax_lua_budget_consume(L, (size_t)lua_gettop(L) / 16);
  return wax_library_call_builtin(L);
}

static void open_handled(lua_State *L) {
  lua_getfield(L, -1, "xpcall");
  lua_pushnil(L);
  lua_pushnil(L);
  lua_pushcclosure(L, protected_call_handled, 3);
  lua_setfield(L, -2, "xpcall");
  wax_lua_hide_function(wax_lua_state_of(L), handle_message);
}

void wax_library_open_base(lua_State *L) {
  static const wax_library_replacement functions[] = {
      {"pcall", protected_call}, {"tonumber", to_number}, {"select", select_values}, {NULL, NULL}};
  static const char *const unsafe[] = {"dofile", "loadfile",       "load", "print",
                                       "warn",   "collectgarbage", NULL};
  wax_library_replace(L, functions);
  wax_library_remove_functions(L, unsafe);
  open_handled(L);
  open_own_functions(L);
}
