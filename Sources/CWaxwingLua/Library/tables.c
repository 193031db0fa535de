/* SPDX-License-Identifier: MIT
 *
 * `table`, as the manual of Lua 5.4 describes it. Each element that is read or moved is charged to
 * the call: with metamethods, which may be C functions that no hook sees, there may be any number
 * of them. For `sort` see sort.c.
 */
#include <limits.h>

#include "wax_library_private.h"

/* Of an element that metamethods may give. */
#define METAMETHOD_COST 16

wax_library_loop wax_library_loop_over(lua_State *L, int index) {
  wax_library_loop loop = {L, 0, 1};
  if (lua_getmetatable(L, index)) {
    lua_pop(L, 1);
    loop.cost = METAMETHOD_COST;
  }
  return loop;
}

/* {==================================================================
** Arguments
** =================================================================== */

/* [-0, +0, m]  The metatable is on top. */
static bool has_field(lua_State *L, const char *name) {
  lua_pushstring(L, name);
  bool has = lua_rawget(L, -2) != LUA_TNIL;
  lua_pop(L, 1);
  return has;
}

/* [-0, +0, v]  A value that is no table has to have these metamethods; the names end with NULL. */
static void check_like_table(lua_State *L, int argument, const char *const *names) {
  if (lua_type(L, argument) == LUA_TTABLE) return;
  bool fits = lua_getmetatable(L, argument);
  if (fits) {
    while (*names && has_field(L, *names)) names++;
    fits = !*names;
    lua_pop(L, 1);
  }
  if (!fits) luaL_checktype(L, argument, LUA_TTABLE);
}

static const char *const reads[] = {"__index", NULL};
static const char *const writes[] = {"__newindex", NULL};
static const char *const reads_counted[] = {"__index", "__len", NULL};
static const char *const changes[] = {"__index", "__newindex", "__len", NULL};

/* [-0, +0, v]  The length of the first argument. */
static lua_Integer check_count(lua_State *L, const char *const *names) {
  check_like_table(L, 1, names);
  return luaL_len(L, 1);
}

lua_Integer wax_library_table_count(lua_State *L) { return check_count(L, changes); }

/* }================================================================== */

/* {==================================================================
** insert, remove, move
** =================================================================== */

/* Elements on their way from one table to another, or to another place. */
typedef struct transfer {
  lua_State *L;
  int source, target; /* stack positions */
  unsigned cost;      /* of an element */
} transfer;

static transfer transfer_between(lua_State *L, int source, int target) {
  unsigned reading = wax_library_loop_over(L, source).cost;
  unsigned writing = wax_library_loop_over(L, target).cost;
  return (transfer){L, source, target, reading > writing ? reading : writing};
}

/* Charges the next elements of so many. Returns how many they are. */
static lua_Integer charge_some(lua_State *L, unsigned cost, lua_Integer count) {
  if (count > WAX_LIBRARY_TURNS_PER_CONSUMPTION) count = WAX_LIBRARY_TURNS_PER_CONSUMPTION;
  wax_lua_budget_consume(L, (size_t)count * cost);
  return count;
}

static inline void transfer_one(const transfer *all, lua_Integer from, lua_Integer to) {
  lua_geti(all->L, all->source, from);
  lua_seti(all->L, all->target, to);
}

/* The first one first. */
static void transfer_upwards(const transfer *all, lua_Integer from, lua_Integer count,
                             lua_Integer to) {
  for (lua_Integer i = 0; i < count;) {
    lua_Integer end = i + charge_some(all->L, all->cost, count - i);
    for (; i < end; i++) transfer_one(all, from + i, to + i);
  }
}

/* The last one first. */
static void transfer_downwards(const transfer *all, lua_Integer from, lua_Integer count,
                               lua_Integer to) {
  while (count > 0) {
    lua_Integer end = count - charge_some(all->L, all->cost, count);
    for (; count > end; count--) transfer_one(all, from + count - 1, to + count - 1);
  }
}

/* The place behind the last one wraps, where there are so many. */
static lua_Integer behind(lua_Integer count) { return (lua_Integer)((lua_Unsigned)count + 1); }

/* True: it is from 1 to `last`, which is not below 0. */
static bool is_place(lua_Integer place, lua_Integer last) {
  return (lua_Unsigned)place - 1 < (lua_Unsigned)last;
}

static void make_room(lua_State *L, lua_Integer place, lua_Integer end) {
  luaL_argcheck(L, is_place(place, end), 2, "position out of bounds");
  transfer all = transfer_between(L, 1, 1);
  transfer_downwards(&all, place, end - place, place + 1);
}

static int insert(lua_State *L) {
  lua_Integer place = behind(check_count(L, changes));
  int arguments = lua_gettop(L);
  if (arguments < 2 || arguments > 3) return luaL_error(L, "wrong number of arguments to 'insert'");
  if (arguments == 3) {
    lua_Integer end = place;
    place = luaL_checkinteger(L, 2);
    make_room(L, place, end);
  }
  lua_seti(L, 1, place);
  return 0;
}

static int remove_element(lua_State *L) {
  lua_Integer count = check_count(L, changes);
  lua_Integer place = luaL_optinteger(L, 2, count);
  if (place != count)
    luaL_argcheck(L, is_place(place, behind(count)), 1,
                  "position out of bounds"); /* as Lua's own */
  lua_geti(L, 1, place);
  if (place < count) {
    transfer all = transfer_between(L, 1, 1);
    transfer_upwards(&all, place + 1, count - place, place);
    place = count;
  }
  lua_pushnil(L);
  lua_seti(L, 1, place);
  return 1;
}

/* True: elements that are moved one by one from the first on overwrite some that are still to be
   moved. */
static bool overlaps(lua_State *L, lua_Integer from, lua_Integer last, lua_Integer to, int target) {
  if (to <= from || to > last) return false;
  return target == 1 || lua_compare(L, 1, target, LUA_OPEQ);
}

static void move_elements(lua_State *L, lua_Integer from, lua_Integer last, lua_Integer to,
                          int target) {
  luaL_argcheck(L, from > 0 || last < LUA_MAXINTEGER + from, 3, "too many elements to move");
  lua_Integer count = last - from + 1;
  luaL_argcheck(L, to <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
  transfer all = transfer_between(L, 1, target);
  if (overlaps(L, from, last, to, target))
    transfer_downwards(&all, from, count, to);
  else
    transfer_upwards(&all, from, count, to);
}

static int move(lua_State *L) {
  lua_Integer from = luaL_checkinteger(L, 2);
  lua_Integer last = luaL_checkinteger(L, 3);
  lua_Integer to = luaL_checkinteger(L, 4);
  int target = lua_isnoneornil(L, 5) ? 1 : 5;
  check_like_table(L, 1, reads);
  check_like_table(L, target, writes);
  if (from <= last) move_elements(L, from, last, to, target);
  lua_pushvalue(L, target);
  return 1;
}

/* }================================================================== */

/* {==================================================================
** concat
** =================================================================== */

typedef struct joining {
  luaL_Buffer buffer;
  const char *separator;
  size_t separator_count;
} joining;

/* The last piece has been added already: the buffer is too long by that at most. */
static void check_size(const joining *joining) {
  if (luaL_bufflen(&joining->buffer) > WAX_LIBRARY_MAX_BYTES)
    wax_library_raise_too_large(joining->buffer.L, "table.concat");
}

static void add_element(joining *joining, lua_Integer index) {
  lua_State *L = joining->buffer.L;
  lua_geti(L, 1, index);
  if (!lua_isstring(L, -1))
    luaL_error(L, "invalid value (%s) at index %I in table for 'concat'", luaL_typename(L, -1),
               (LUAI_UACINT)index);
  luaL_addvalue(&joining->buffer);
  check_size(joining);
}

/* Its size is checked with the next element's. */
static void add_separator(joining *joining) {
  if (joining->separator_count == 1)
    luaL_addchar(&joining->buffer, *joining->separator);
  else
    luaL_addlstring(&joining->buffer, joining->separator, joining->separator_count);
}

/* `first` is not behind `last`, which may be the largest integer. */
static void join(joining *joining, lua_Integer first, lua_Integer last) {
  wax_library_loop loop = wax_library_loop_over(joining->buffer.L, 1);
  luaL_buffinit(joining->buffer.L, &joining->buffer);
  add_element(joining, first);
  while (first < last) {
    wax_lua_turn(&loop);
    add_separator(joining);
    add_element(joining, ++first);
  }
  wax_library_end_loop(&loop);
}

static int concat(lua_State *L) {
  lua_Integer count = check_count(L, reads_counted);
  joining all;
  all.separator = luaL_optlstring(L, 2, "", &all.separator_count);
  lua_Integer first = luaL_optinteger(L, 3, 1);
  lua_Integer last = luaL_optinteger(L, 4, count);
  if (first > last) {
    lua_pushliteral(L, "");
    return 1;
  }
  all.buffer.L = L;
  join(&all, first, last);
  wax_lua_budget_consume(L, luaL_bufflen(&all.buffer) >> 4);
  luaL_pushresult(&all.buffer);
  return 1;
}

/* }================================================================== */

/* {==================================================================
** pack and unpack
** =================================================================== */

static int pack(lua_State *L) {
  int count = lua_gettop(L);
  wax_lua_budget_consume(L, (size_t)count);
  lua_createtable(L, count, 1);
  lua_insert(L, 1);
  for (int i = count; i > 0; i--) lua_rawseti(L, 1, i);
  lua_pushinteger(L, count);
  lua_setfield(L, 1, "n");
  return 1;
}

/* [-0, +n, v]  From `first` on. */
static void push_elements(lua_State *L, lua_Integer first, int count) {
  unsigned cost = wax_library_loop_over(L, 1).cost;
  for (int i = 0; i < count;) {
    int end = i + (int)charge_some(L, cost, count - i);
    for (; i < end; i++) lua_geti(L, 1, first + i);
  }
}

static int unpack(lua_State *L) {
  lua_Integer first = luaL_optinteger(L, 2, 1);
  lua_Integer last = luaL_opt(L, luaL_checkinteger, 3, luaL_len(L, 1));
  if (first > last) return 0;
  lua_Unsigned others = (lua_Unsigned)last - (lua_Unsigned)first;
  if (others >= INT_MAX || !lua_checkstack(L, (int)others + 1))
    return luaL_error(L, "too many results to unpack");
  push_elements(L, first, (int)others + 1);
  return (int)others + 1;
}

/* }================================================================== */

void wax_library_open_tables(lua_State *L) {
  static const luaL_Reg functions[] = {{"insert", insert},
                                       {"remove", remove_element},
                                       {"move", move},
                                       {"concat", concat},
                                       {"pack", pack},
                                       {"unpack", unpack},
                                       {"sort", wax_library_sort},
                                       {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
