/* SPDX-License-Identifier: MIT
 *
 * Swift closures as Lua functions, and Lua functions that Swift keeps.
 */
#include "waxwing_lua.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "waxwing_turn.h"

static const char fallbacks_key = 0; /* function -> value, weak keys */
static const char metatable_key = 0; /* of the proxies behind functions; [1] is their tally */

/* {==================================================================
** Swift closures
** =================================================================== */

/* The first upvalue is the proxy. The script cannot reach it, and it lives as long as the call. */
static int call_closure(lua_State *L) {
  const waxwing_proxy *proxy = lua_touserdata(L, lua_upvalueindex(1));
  return waxwing_run_closure_callback(L, proxy, lua_upvalueindex(1));
}

static waxwing_tally *tally_of(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &metatable_key);
  lua_rawgeti(L, -1, 1);
  waxwing_tally *tally = lua_touserdata(L, -1);
  lua_pop(L, 2);
  return tally;
}

static void give_up(waxwing_state *state, waxwing_tally *tally, waxwing_proxy *proxy) {
  uint32_t kind = proxy->kind;
  proxy->kind = 0;
  waxwing_tally_proxy(state, tally, -1);
  waxwing_defer_release(state, kind, proxy->pointer, NULL);
}

/* Its upvalue is the tally. */
static int collect_closure(lua_State *L) {
  waxwing_proxy *proxy = waxwing_to_proxy(L, 1);
  if (waxwing_postpone(L, proxy)) return 0;
  if (proxy) waxwing_proxy_collected(L, proxy);
  if (proxy && waxwing_is_closure(proxy->kind))
    give_up(waxwing_state_of(L), lua_touserdata(L, lua_upvalueindex(1)), proxy);
  return 0;
}

void waxwing_end_lent_closure(waxwing_state *state, waxwing_proxy *proxy) {
  if (proxy->kind == WAXWING_PROXY_LENT_CLOSURE) give_up(state, tally_of(state->main), proxy);
}

void waxwing_drop_closure(waxwing_state *state, waxwing_proxy *proxy) {
  give_up(state, tally_of(state->main), proxy);
}

/* [-0, +1, me]  From the moment that it is pushed the function owns what `pointer` owns. */
int waxwing_push_closure(lua_State *L, uint32_t kind, void *pointer, waxwing_callback *callback) {
  waxwing_proxy *proxy = waxwing_new_proxy(L, 0, waxwing_dies_with_call(waxwing_state_of(L)));
  proxy->pointer = pointer;
  proxy->type = callback;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &metatable_key);
  lua_setmetatable(L, -2);
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, call_closure, 1);
  lua_insert(L, -2);
  if (kind == WAXWING_PROXY_LENT_CLOSURE) waxwing_add_transient(L, proxy);
  lua_pop(L, 1);
  proxy->kind = kind; /* nothing raises from here on */
  waxwing_tally_proxy(waxwing_state_of(L), tally_of(L), 1);
  if (kind == WAXWING_PROXY_CLOSURE) waxwing_proxy_seen(waxwing_state_of(L), proxy);
  waxwing_pace(L);
  return 1;
}

/* }================================================================== */

/* {==================================================================
** Finding a function again
**
** A buffer tells a function by its address, and by its place on the stack unless it is inside a
** table. The tables are on the stack as well, and are searched.
** =================================================================== */

typedef struct search {
  const void *function;
  uint32_t budget; /* values that may still be looked at */
} search;

static bool push_from_table(lua_State *L, int table, search *wanted, int depth);

/* [-0, +(0|1), -]  The value at `index` if it is the function, or the function from inside it. */
static bool push_from_value(lua_State *L, int index, search *wanted, int depth) {
  if (wanted->budget == 0) return false;
  wanted->budget--;
  switch (lua_type(L, index)) {
    case LUA_TFUNCTION:
      if (lua_topointer(L, index) != wanted->function) return false;
      lua_pushvalue(L, index);
      return true;
    case LUA_TTABLE: return push_from_table(L, index, wanted, depth + 1);
    default: return false;
  }
}

static bool push_from_table(lua_State *L, int table, search *wanted, int depth) {
  if (depth > WAXWING_MAX_DEPTH || !lua_checkstack(L, 6)) return false;
  lua_pushnil(L);
  while (lua_next(L, table)) {
    int value = lua_gettop(L);
    if (push_from_value(L, value, wanted, depth) || push_from_value(L, value - 1, wanted, depth)) {
      lua_replace(L, value - 1);
      lua_settop(L, value - 1);
      return true;
    }
    lua_pop(L, 1);
  }
  return false;
}

/* [-0, +(0|1), -]  The function that `value` stands for. */
static bool push_function(const waxwing_buffer *buffer, const waxwing_value *value) {
  lua_State *L = buffer->L;
  if (!L || value->tag != WAXWING_FUNCTION || !lua_checkstack(L, 6)) return false;
  search wanted = {value->pointer, WAXWING_MAX_ENTRIES};
  if (value->count) return push_from_value(L, (int)value->count, &wanted, 0);
  for (int i = lua_gettop(L); i > 0; i--) /* the newest values are on top */
    if (push_from_value(L, i, &wanted, 0)) return true;
  return false;
}

waxwing_proxy *waxwing_function_closure(const waxwing_buffer *buffer, const waxwing_value *value) {
  if (!push_function(buffer, value)) return NULL;
  lua_State *L = buffer->L;
  waxwing_proxy *proxy = NULL;
  if (lua_tocfunction(L, -1) == call_closure) {
    lua_getupvalue(L, -1, 1);
    proxy = waxwing_to_proxy(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return proxy;
}

static int reference_protected(lua_State *L) {
  lua_pushinteger(L, luaL_ref(L, LUA_REGISTRYINDEX));
  return 1;
}

int waxwing_reference_function(const waxwing_buffer *buffer, const waxwing_value *value) {
  if (!push_function(buffer, value)) return 0;
  lua_State *L = buffer->L;
  lua_pushcfunction(L, reference_protected);
  lua_insert(L, -2);
  bool made = lua_pcall(L, 1, 1, 0) == LUA_OK;
  int reference = made ? (int)lua_tointeger(L, -1) : 0;
  lua_pop(L, 1);
  if (made) waxwing_note_edge(waxwing_state_of(L));
  return reference;
}

void waxwing_function_origin(waxwing_state *state, int reference, waxwing_traceback_frame *frame) {
  lua_State *L = state->main;
  lua_Debug activation;
  memset(frame, 0, sizeof *frame);
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  lua_getinfo(L, ">S", &activation);
  strncpy(frame->source, activation.short_src, sizeof frame->source - 1);
  frame->line = activation.linedefined;
  frame->what = *activation.what;
}

/* }================================================================== */

/* {==================================================================
** Fallbacks
** =================================================================== */

/* (function, value) -> function */
static int set_fallback(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  luaL_checkany(L, 2);
  lua_settop(L, 2);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &fallbacks_key);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  lua_rawset(L, -3);
  lua_settop(L, 1);
  waxwing_state_of(L)->has_fallbacks = true;
  return 1;
}

bool waxwing_define_fallback(waxwing_state *state, const char *name) {
  return waxwing_define_global(state, name, set_fallback);
}

bool waxwing_has_fallbacks(const waxwing_state *state) { return state->has_fallbacks; }

bool waxwing_read_fallback(waxwing_state *state, int reference, waxwing_buffer *buffer) {
  lua_State *L = state->main;
  if (!lua_checkstack(L, 6)) return false;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &fallbacks_key);
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  lua_rawget(L, -2);
  lua_replace(L, -2);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    return false;
  }
  buffer->L = L;
  waxwing_read(L, -1, buffer);
  return true;
}

/* Functions are found again on the stack: the value has to stay there meanwhile. */
void waxwing_end_fallback(waxwing_state *state) { lua_pop(state->main, 1); }

/* }================================================================== */

/* {==================================================================
** References that Swift gave back
** =================================================================== */

void waxwing_return_reference(waxwing_state *state, int reference) {
  pthread_mutex_lock(&state->returned_mutex);
  if (state->returned_count == state->returned_capacity) {
    size_t capacity = state->returned_capacity ? state->returned_capacity * 2 : 32;
    int *grown = realloc(state->returned, capacity * sizeof *grown);
    if (grown) {
      state->returned = grown;
      state->returned_capacity = capacity;
    }
  }
  /* Without memory the function stays until the state is closed. */
  if (state->returned_count < state->returned_capacity)
    state->returned[state->returned_count++] = reference;
  atomic_store_explicit(&state->has_returned, true, memory_order_relaxed);
  pthread_mutex_unlock(&state->returned_mutex);
}

static void drop_reference(waxwing_state *state, int reference) {
  if (state->spare_count == WAXWING_MOST_SPARE) {
    luaL_unref(state->main, LUA_REGISTRYINDEX, reference);
    return;
  }
  lua_pushboolean(state->main, 0);
  lua_rawseti(state->main, LUA_REGISTRYINDEX, reference);
  state->spare_references[state->spare_count++] = reference;
}

int waxwing_reference_at_once(lua_State *L, int index) {
  waxwing_state *state = waxwing_state_of(L);
  if (state->spare_count == 0) return 0;
  int reference = state->spare_references[--state->spare_count];
  lua_pushvalue(L, index);
  lua_rawseti(L, LUA_REGISTRYINDEX, reference);
  waxwing_note_edge(state);
  return reference;
}

/* Dropping allocates nothing: the slots of the registry are there. */
void waxwing_drop_returned(waxwing_state *state) {
  pthread_mutex_lock(&state->returned_mutex);
  for (size_t i = 0; i < state->returned_count; i++) {
    drop_reference(state, state->returned[i]);
    waxwing_forget_edge(state);
  }
  state->returned_count = 0;
  atomic_store_explicit(&state->has_returned, false, memory_order_relaxed);
  pthread_mutex_unlock(&state->returned_mutex);
}

/* }================================================================== */

static void make_metatable(lua_State *L) {
  waxwing_tally *tally = waxwing_add_tally(waxwing_state_of(L), NULL, WAXWING_PROXY_CLOSURE);
  if (!tally) luaL_error(L, "not enough memory");
  lua_createtable(L, 1, 2);
  lua_pushlightuserdata(L, tally);
  lua_pushcclosure(L, collect_closure, 1);
  lua_setfield(L, -2, "__gc");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushlightuserdata(L, tally);
  lua_rawseti(L, -2, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &metatable_key);
}

void waxwing_open_closures(lua_State *L) {
  make_metatable(L);
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &fallbacks_key);
}
