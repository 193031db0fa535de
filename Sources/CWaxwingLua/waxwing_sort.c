/* SPDX-License-Identifier: MIT
 *
 * `table.sort`: the quicksort of ltablib.c of Lua 5.4, Copyright (C) 1994-2022 Lua.org, PUC-Rio,
 * under the MIT license. Each comparison is charged to the call.
 */
#include <limits.h>
#include <time.h>

#include "waxwing_library.h"

/* More than that takes longer than a call may take. */
#define MOST_ELEMENTS 1000000

/* Above this size a pivot is chosen at random, so that no order is the worst one. */
#define LARGE 100u

/* Of a comparison, in instructions. */
#define COMPARISON_COST 4

typedef unsigned place;

/* [-2, +0, v]  The elements for `a` and `b` are on top. */
static void set_both(lua_State *L, place a, place b) {
  lua_seti(L, 1, a);
  lua_seti(L, 1, b);
}

/* [-0, +0, v]  Whether a < b: the values at these positions of the stack. */
static bool is_less(waxwing_loop *loop, int a, int b) {
  lua_State *L = loop->L;
  waxwing_turn(loop);
  if (lua_isnil(L, 2)) return lua_compare(L, a, b, LUA_OPLT);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, a - 1);
  lua_pushvalue(L, b - 2);
  lua_call(L, 2, 1);
  bool result = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return result;
}

/* The pivot is on top, and at `up - 1`. Returns where it ends up. */
static place partition(waxwing_loop *loop, place low, place up) {
  lua_State *L = loop->L;
  place i = low;
  place j = up - 1;
  for (;;) {
    while (lua_geti(L, 1, ++i), is_less(loop, -1, -2)) {
      if (i == up - 1) luaL_error(L, "invalid order function for sorting");
      lua_pop(L, 1);
    }
    while (lua_geti(L, 1, --j), is_less(loop, -3, -1)) {
      if (j < i) luaL_error(L, "invalid order function for sorting");
      lua_pop(L, 1);
    }
    if (j < i) {
      lua_pop(L, 1);
      set_both(L, up - 1, i);
      return i;
    }
    set_both(L, i, j);
  }
}

static place choose_pivot(place low, place up, unsigned random) {
  place quarter = (up - low) / 4;
  return random % (quarter * 2) + low + quarter;
}

/* Sorts two elements; those at `a` and `b`, a < b. */
static void order(waxwing_loop *loop, place a, place b) {
  lua_State *L = loop->L;
  lua_geti(L, 1, a);
  lua_geti(L, 1, b);
  if (is_less(loop, -1, -2))
    set_both(L, a, b);
  else
    lua_pop(L, 2);
}

/* Puts the median of the ends and the element at `middle` there, and it on top. */
static void order_three(waxwing_loop *loop, place low, place middle, place up) {
  lua_State *L = loop->L;
  lua_geti(L, 1, middle);
  lua_geti(L, 1, low);
  if (is_less(loop, -2, -1)) {
    set_both(L, middle, low);
    return;
  }
  lua_pop(L, 1);
  lua_geti(L, 1, up);
  if (is_less(loop, -1, -2))
    set_both(L, middle, up);
  else
    lua_pop(L, 2);
}

static unsigned random_number(void) { return (unsigned)clock() + (unsigned)time(NULL); }

static void sort_between(waxwing_loop *loop, place low, place up, unsigned random) {
  lua_State *L = loop->L;
  while (low < up) {
    order(loop, low, up);
    if (up - low == 1) return;
    place pivot = up - low < LARGE || random == 0 ? (low + up) / 2 : choose_pivot(low, up, random);
    order_three(loop, low, pivot, up);
    if (up - low == 2) return;
    lua_geti(L, 1, pivot);
    lua_pushvalue(L, -1);
    lua_geti(L, 1, up - 1);
    set_both(L, pivot, up - 1);
    pivot = partition(loop, low, up);
    place smaller;
    if (pivot - low < up - pivot) {
      sort_between(loop, low, pivot - 1, random);
      smaller = pivot - low;
      low = pivot + 1;
    } else {
      sort_between(loop, pivot + 1, up, random);
      smaller = up - pivot;
      up = pivot - 1;
    }
    if ((up - low) / 128 > smaller) random = random_number();
  }
}

int waxwing_sort(lua_State *L) {
  lua_Integer count = waxwing_table_count(L);
  if (count <= 1) return 0;
  if (count > MOST_ELEMENTS)
    return luaL_argerror(L, 1, "array too big: table.sort sorts at most 1000000 elements");
  if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  luaL_checkstack(L, 40, "");
  waxwing_check_stack(L);
  waxwing_loop loop = waxwing_loop_over(L, 1);
  loop.cost *= COMPARISON_COST;
  sort_between(&loop, 1, (place)count, 0);
  waxwing_end_loop(&loop);
  return 0;
}
