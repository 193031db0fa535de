/* SPDX-License-Identifier: MIT
 *
 * How Lua 5.4 lays out tables: lobject.h, ltable.c.
 *
 * No function of Lua's tells whether a table has other keys than 1 to n, but going over all of
 * them: that takes half of the time of an array's way to Swift. The layout has been the same in all
 * versions of 5.4. It is compared with what the functions say, once in a process: where it is
 * another one, all tables are gone over. */
#include "wax_lua_sequence.h"

#include <lauxlib.h>
#include <pthread.h>
#include <string.h>

#include "wax_lua_state_private.h"

typedef struct table {
  void *next;
  uint8_t type, mark;
  uint8_t flags;
  uint8_t node_count_log;
  unsigned limit; /* of the array, or a hint below that */
  const wax_lua_raw_value *array;
  const void *nodes;
  const void *last_free; /* NULL: there are none */
  const void *metatable;
  const void *gray_list;
} table;

/* In `flags`: the limit is the hint. */
#define IS_HINT 0x80

/* The empty values of Lua's: all of type nil. */
static bool is_empty(const wax_lua_raw_value *value) { return (value->tag & 0x0f) == 0; }

/* As luaH_realasize: the next power of two, where the limit is a hint. */
static size_t array_size(const table *table) {
  size_t limit = table->limit, size = 1;
  if (!(table->flags & IS_HINT)) return limit;
  while (size < limit) size *= 2;
  return size;
}

static const wax_lua_raw_value *find(lua_State *L, int index, size_t *count) {
  const table *table = lua_topointer(L, index);
  size_t size = array_size(table), used = 0;
  if (table->last_free || !table->array) return NULL;
  while (used < size && !is_empty(&table->array[used])) used++;
  for (size_t i = used; i < size; i++)
    if (!is_empty(&table->array[i])) return NULL;
  *count = used;
  return table->array;
}

/* {==================================================================
** Whether the layout is this one
** =================================================================== */

/* (…) -> table: a sequence of three kinds of values, made at its size. */
static void push_sample(lua_State *L) {
  lua_createtable(L, 4, 0);
  lua_pushinteger(L, INT64_C(0x1122334455667788));
  lua_rawseti(L, -2, 1);
  lua_pushnumber(L, 0.5);
  lua_rawseti(L, -2, 2);
  lua_pushboolean(L, 1);
  lua_rawseti(L, -2, 3);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, 4);
}

/* The words of the table at -1 are read as pointers only if these numbers are where they are to be.
 */
static bool has_known_head(lua_State *L, unsigned limit, int node_count_log) {
  const table *table = lua_topointer(L, -1);
  return table->type == LUA_TTABLE && table->limit == limit &&
         table->node_count_log == node_count_log && !(table->flags & IS_HINT);
}

static bool is_sample(lua_State *L) {
  size_t count = 0;
  if (!has_known_head(L, 4, 0)) return false;
  const wax_lua_raw_value *values = find(L, -1, &count);
  return values && count == 4 && values[0].tag == WAX_LUA_RAW_INTEGER &&
         values[0].integer == INT64_C(0x1122334455667788) && values[1].tag == WAX_LUA_RAW_FLOAT &&
         values[1].number == 0.5 && values[2].tag == WAX_LUA_RAW_TRUE &&
         values[3].tag == WAX_LUA_RAW_FALSE;
}

/* A hole, and then a key that no array has. */
static bool is_told_from_others(lua_State *L) {
  size_t count = 0;
  lua_pushnil(L);
  lua_rawseti(L, -2, 2);
  if (find(L, -1, &count)) return false;
  lua_createtable(L, 1, 2);
  if (!has_known_head(L, 1, 1)) return false;
  lua_pushinteger(L, 1);
  lua_rawseti(L, -2, 1);
  lua_pushinteger(L, 1);
  lua_setfield(L, -2, "key");
  return !find(L, -1, &count);
}

static int compare(lua_State *L) {
  push_sample(L);
  lua_pushboolean(L, is_sample(L) && is_told_from_others(L));
  return 1;
}

bool wax_lua_layout_holds(lua_CFunction compare) {
  lua_State *L = luaL_newstate();
  if (!L) return false;
  lua_pushcfunction(L, compare);
  bool holds = lua_pcall(L, 0, 1, 0) == LUA_OK && lua_toboolean(L, -1);
  lua_close(L);
  return holds;
}

static bool is_known;

static void look(void) { is_known = wax_lua_layout_holds(compare); }

/* }================================================================== */

const wax_lua_raw_value *wax_lua_find_sequence(lua_State *L, int index, size_t *count) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  _Static_assert(sizeof(wax_lua_raw_value) == 16, "as TValue");
  pthread_once(&once, look);
  return is_known ? find(L, index, count) : NULL;
}
