/* SPDX-License-Identifier: MIT
 *
 * `table`, as in ltablib.c of Lua 5.4: Copyright (C) 1994-2022 Lua.org, PUC-Rio, under the MIT
 * license. Each turn of a loop is charged to the call: with metamethods, which may be C functions
 * that no hook sees, there may be any number of them. For `sort` see waxwing_sort.c.
 */
#include <limits.h>
#include <string.h>

#include "waxwing_library.h"

/* What an argument that is no table has to have. */
#define READS 1
#define WRITES 2
#define COUNTS 4

/* Of a turn, where metamethods may run. */
#define METAMETHOD_COST 16

waxwing_loop waxwing_loop_over(lua_State *L, int index) {
  waxwing_loop loop = {L, 0, 1};
  if (lua_getmetatable(L, index)) {
    lua_pop(L, 1);
    loop.cost = METAMETHOD_COST;
  }
  return loop;
}

/* {==================================================================
** Arguments
** =================================================================== */

/* Whether the metatable, which is on top, has a field. */
static bool has_field(lua_State *L, const char *name) {
  lua_pushstring(L, name);
  bool has = lua_rawget(L, -2) != LUA_TNIL;
  lua_pop(L, 1);
  return has;
}

static void check_table(lua_State *L, int argument, int what) {
  if (lua_type(L, argument) == LUA_TTABLE) return;
  bool fits = false;
  if (lua_getmetatable(L, argument)) {
    fits = (!(what & READS) || has_field(L, "__index")) &&
           (!(what & WRITES) || has_field(L, "__newindex")) &&
           (!(what & COUNTS) || has_field(L, "__len"));
    lua_pop(L, 1);
  }
  if (!fits) luaL_checktype(L, argument, LUA_TTABLE);
}

static lua_Integer count_of(lua_State *L, int what) {
  check_table(L, 1, what | COUNTS);
  return luaL_len(L, 1);
}

lua_Integer waxwing_table_count(lua_State *L) { return count_of(L, READS | WRITES); }

/* }================================================================== */

/* {==================================================================
** insert, remove, move
** =================================================================== */

static void copy_element(lua_State *L, waxwing_loop *loop, lua_Integer from, int target,
                         lua_Integer to) {
  waxwing_turn(loop);
  lua_geti(L, 1, from);
  lua_seti(L, target, to);
}

static int insert(lua_State *L) {
  lua_Integer end = (lua_Integer)((lua_Unsigned)count_of(L, READS | WRITES) + 1);
  lua_Integer position = end;
  int arguments = lua_gettop(L);
  if (arguments != 2 && arguments != 3)
    return luaL_error(L, "wrong number of arguments to 'insert'");
  if (arguments == 3) {
    position = luaL_checkinteger(L, 2);
    luaL_argcheck(L, (lua_Unsigned)position - 1u < (lua_Unsigned)end, 2, "position out of bounds");
    waxwing_loop loop = waxwing_loop_over(L, 1);
    for (lua_Integer i = end; i > position; i--) copy_element(L, &loop, i - 1, 1, i);
    waxwing_end_loop(&loop);
  }
  lua_seti(L, 1, position);
  return 0;
}

static int remove_element(lua_State *L) {
  lua_Integer count = count_of(L, READS | WRITES);
  lua_Integer position = luaL_optinteger(L, 2, count);
  if (position != count)
    luaL_argcheck(L, (lua_Unsigned)position - 1u <= (lua_Unsigned)count, 1,
                  "position out of bounds"); /* 1: so says Lua's own */
  lua_geti(L, 1, position);
  waxwing_loop loop = waxwing_loop_over(L, 1);
  for (; position < count; position++) copy_element(L, &loop, position + 1, 1, position);
  waxwing_end_loop(&loop);
  lua_pushnil(L);
  lua_seti(L, 1, position);
  return 1;
}

static int move(lua_State *L) {
  lua_Integer from = luaL_checkinteger(L, 2);
  lua_Integer last = luaL_checkinteger(L, 3);
  lua_Integer to = luaL_checkinteger(L, 4);
  int target = lua_isnoneornil(L, 5) ? 1 : 5;
  check_table(L, 1, READS);
  check_table(L, target, WRITES);
  if (last >= from) {
    luaL_argcheck(L, from > 0 || last < LUA_MAXINTEGER + from, 3, "too many elements to move");
    lua_Integer count = last - from + 1;
    luaL_argcheck(L, to <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
    waxwing_loop loop = waxwing_loop_over(L, 1);
    if (target != 1 && loop.cost == 1) loop = waxwing_loop_over(L, target);
    bool is_apart =
        to > last || to <= from || (target != 1 && !lua_compare(L, 1, target, LUA_OPEQ));
    for (lua_Integer i = 0; i < count; i++) {
      lua_Integer at = is_apart ? i : count - 1 - i;
      copy_element(L, &loop, from + at, target, to + at);
    }
    waxwing_end_loop(&loop);
  }
  lua_pushvalue(L, target);
  return 1;
}

/* }================================================================== */

/* {==================================================================
** concat, pack, unpack
** =================================================================== */

/* An element is there already: the buffer holds one too many at most. */
static inline void check_size(lua_State *L, const luaL_Buffer *buffer) {
  if (luaL_bufflen(buffer) > WAXWING_MOST_BYTES) waxwing_too_large(L, "table.concat");
}

static void add_element(lua_State *L, luaL_Buffer *buffer, lua_Integer i) {
  lua_geti(L, 1, i);
  if (!lua_isstring(L, -1))
    luaL_error(L, "invalid value (%s) at index %I in table for 'concat'", luaL_typename(L, -1),
               (LUAI_UACINT)i);
  luaL_addvalue(buffer);
  check_size(L, buffer);
}

static int concat(lua_State *L) {
  luaL_Buffer buffer;
  lua_Integer last = count_of(L, READS);
  size_t separator_count;
  const char *separator = luaL_optlstring(L, 2, "", &separator_count);
  lua_Integer i = luaL_optinteger(L, 3, 1);
  last = luaL_optinteger(L, 4, last);
  waxwing_loop loop = waxwing_loop_over(L, 1);
  luaL_buffinit(L, &buffer);
  for (; i < last; i++) {
    waxwing_turn(&loop);
    add_element(L, &buffer, i);
    luaL_addlstring(&buffer, separator, separator_count);
    check_size(L, &buffer);
  }
  if (i == last) add_element(L, &buffer, i);
  waxwing_end_loop(&loop);
  waxwing_charge(L, luaL_bufflen(&buffer) >> 4);
  luaL_pushresult(&buffer);
  return 1;
}

static int pack(lua_State *L) {
  waxwing_charge(L, (size_t)lua_gettop(L));
  return waxwing_own(L);
}

static int unpack(lua_State *L) {
  lua_Integer from = luaL_optinteger(L, 2, 1);
  lua_Integer last = luaL_opt(L, luaL_checkinteger, 3, luaL_len(L, 1));
  if (from > last) return 0;
  lua_Unsigned count = (lua_Unsigned)last - (lua_Unsigned)from;
  if (count >= (unsigned)INT_MAX || !lua_checkstack(L, (int)++count))
    return luaL_error(L, "too many results to unpack");
  waxwing_loop loop = waxwing_loop_over(L, 1);
  for (lua_Unsigned i = 0; i < count; i++) {
    waxwing_turn(&loop);
    lua_geti(L, 1, (lua_Integer)((lua_Unsigned)from + i));
  }
  waxwing_end_loop(&loop);
  return (int)count;
}

/* }================================================================== */

void waxwing_open_tables(lua_State *L) {
  static const waxwing_replacement functions[] = {
      {"insert", insert}, {"remove", remove_element}, {"move", move},         {"concat", concat},
      {"pack", pack},     {"unpack", unpack},         {"sort", waxwing_sort}, {NULL, NULL}};
  waxwing_replace(L, functions);
}
