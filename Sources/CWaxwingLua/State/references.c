/* SPDX-License-Identifier: MIT
 *
 * References to Lua values that Swift keeps: slots of the registry.
 */
#include "wax_lua_references.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "wax_lua_call_private.h"
#include "wax_lua_state_private.h"

static int reference_protected(lua_State *L) {
  lua_pushinteger(L, luaL_ref(L, LUA_REGISTRYINDEX));
  return 1;
}

int wax_lua_reference_argument(wax_lua_host_call *call, int index) {
  lua_State *L = call->L;
  if (!lua_checkstack(L, 3)) return 0;
  lua_pushcfunction(L, reference_protected);
  lua_pushvalue(L, index);
  bool made = lua_pcall(L, 1, 1, 0) == LUA_OK;
  int reference = made ? (int)lua_tointeger(L, -1) : 0;
  lua_pop(L, 1);
  return reference;
}

void wax_lua_unreference(wax_lua_state *state, int reference) {
  luaL_unref(state->main, LUA_REGISTRYINDEX, reference);
}

int wax_lua_parameter_count(lua_State *L, int index) {
  lua_Debug about;
  if (!lua_isfunction(L, index) || lua_iscfunction(L, index) || !lua_checkstack(L, 1)) return -1;
  lua_pushvalue(L, index);
  lua_getinfo(L, ">u", &about);
  return about.isvararg ? -1 : about.nparams;
}

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
  if (depth > WAX_LUA_MAX_DEPTH || !lua_checkstack(L, 6)) return false;
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

bool wax_lua_push_function(const wax_lua_buffer *buffer, const wax_lua_value *value) {
  lua_State *L = buffer->L;
  if (!L || value->tag != WAX_LUA_VALUE_FUNCTION || !lua_checkstack(L, 6)) return false;
  search wanted = {value->pointer, WAX_LUA_MAX_ENTRIES};
  if (value->count) return push_from_value(L, (int)value->count, &wanted, 0);
  for (int i = lua_gettop(L); i > 0; i--) /* the newest values are on top */
    if (push_from_value(L, i, &wanted, 0)) return true;
  return false;
}

int wax_lua_reference_function(const wax_lua_buffer *buffer, const wax_lua_value *value) {
  if (!wax_lua_push_function(buffer, value)) return 0;
  lua_State *L = buffer->L;
  lua_pushcfunction(L, reference_protected);
  lua_insert(L, -2);
  bool made = lua_pcall(L, 1, 1, 0) == LUA_OK;
  int reference = made ? (int)lua_tointeger(L, -1) : 0;
  lua_pop(L, 1);
  if (made) wax_lua_note_edge(wax_lua_state_of(L));
  return reference;
}

_Static_assert(sizeof((wax_lua_traceback_frame){0}.source) == LUA_IDSIZE, "copied as a whole");

void wax_lua_function_location(wax_lua_state *state, int reference,
                               wax_lua_traceback_frame *frame) {
  lua_State *L = state->main;
  lua_Debug ar;
  memset(frame, 0, sizeof *frame);
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  lua_getinfo(L, ">S", &ar);
  memcpy(frame->source, ar.short_src, sizeof frame->source);
  frame->line = ar.linedefined;
  frame->what = *ar.what;
}

/* }================================================================== */

/* {==================================================================
** References that Swift gave back
** =================================================================== */

void wax_lua_return_reference(wax_lua_state *state, int reference) {
  wax_lua_lock_take(&state->returned_lock);
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
  wax_lua_lock_give(&state->returned_lock);
}

static void drop_reference(wax_lua_state *state, int reference) {
  if (state->spare_count == WAX_LUA_MAX_SPARE) {
    luaL_unref(state->main, LUA_REGISTRYINDEX, reference);
    return;
  }
  lua_pushboolean(state->main, 0);
  lua_rawseti(state->main, LUA_REGISTRYINDEX, reference);
  state->spare_references[state->spare_count++] = reference;
}

int wax_lua_reference_at_once(lua_State *L, int index) {
  wax_lua_state *state = wax_lua_state_of(L);
  if (state->spare_count == 0) return 0;
  int reference = state->spare_references[--state->spare_count];
  lua_pushvalue(L, index);
  lua_rawseti(L, LUA_REGISTRYINDEX, reference);
  wax_lua_note_edge(state);
  return reference;
}

/* Dropping allocates nothing: the slots of the registry are there. */
void wax_lua_release_returned(wax_lua_state *state) {
  wax_lua_lock_take(&state->returned_lock);
  for (size_t i = 0; i < state->returned_count; i++) {
    drop_reference(state, state->returned[i]);
    wax_lua_forget_edge(state);
  }
  state->returned_count = 0;
  atomic_store_explicit(&state->has_returned, false, memory_order_relaxed);
  wax_lua_lock_give(&state->returned_lock);
}

/* }================================================================== */
