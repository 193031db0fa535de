/* SPDX-License-Identifier: MIT
 *
 * `table.sort`: a merge sort from the bottom up. It compares so many times as its number of
 * elements says at most, whatever the order function answers, and keeps the order of equal
 * elements. The elements are read first and written last: an error leaves the table as it was.
 *
 * Sorted are numbers of 64 bits: the elements' indices, or keys, if the elements are integers only
 * or floats only and there is no order function. Without one strings are compared here, all else by
 * Lua.
 */
#include <stdint.h>
#include <string.h>

#include "wax_library_private.h"
#include "wax_lua_state_private.h"

/* More than that takes longer than a call may take. */
#define MAX_ELEMENTS 1000000

/* Of a comparison, in instructions. */
#define COMPARISON_COST 4

/* So few are on the stack while they are sorted. */
#define FEW 100

/* Stack positions. */
#define TABLE 1
#define FUNCTION 2 /* or nil */
#define ROOM 3     /* of the items, unless they are few */
#define VALUES 4   /* the first of few, or a table of them */

typedef uint64_t item;

/* A string that is kept among the values. */
typedef struct text {
  const char *bytes;
  size_t count;
} text;

typedef struct sorting {
  wax_library_loop loop; /* a turn for each comparison */
  size_t count;
  bool has_function;
  item *items; /* what is sorted */
  item *spare; /* room for as many */
  text *texts; /* of the elements, if all are strings and there is no order function */
} sorting;

/* {==================================================================
** Merging
** =================================================================== */

#define INLINE static inline __attribute__((always_inline))

typedef bool less(sorting *sorting, item a, item b);

/* Runs of this length are worth a comparison that may tell that they are in order already. */
#define LONG_RUN 8

INLINE item *append(item *to, const item *first, const item *end) {
  size_t count = (size_t)(end - first);
  memcpy(to, first, count * sizeof *first);
  return to + count;
}

/* Merges the runs before and behind `middle`. Of equal ones the left one is first. */
INLINE void merge(sorting *sorting, const item *left, const item *middle, const item *end, item *to,
                  less *is_less) {
  const item *right = middle;
  if (middle - left >= LONG_RUN && right < end && !is_less(sorting, *right, middle[-1])) {
    append(to, left, end);
    return;
  }
  while (left < middle && right < end) {
    bool takes_right = is_less(sorting, *right, *left);
    *to++ = takes_right ? *right : *left;
    right += takes_right;
    left += !takes_right;
  }
  append(append(to, left, middle), right, end);
}

INLINE size_t least(size_t a, size_t b) { return a < b ? a : b; }

INLINE void merge_runs(sorting *sorting, size_t length, less *is_less) {
  size_t count = sorting->count;
  const item *items = sorting->items;
  for (size_t first = 0; first < count; first += 2 * length) {
    size_t middle = least(first + length, count), end = least(middle + length, count);
    merge(sorting, items + first, items + middle, items + end, sorting->spare + first, is_less);
  }
  sorting->items = sorting->spare;
  sorting->spare = (item *)items;
}

/* }================================================================== */

/* {==================================================================
** Numbers
** =================================================================== */

/* Runs of this length are made by insertion. */
#define INSERTED 8

/* Keys that are merged, or read or written, in the time of an instruction. */
#define KEYS_PER_INSTRUCTION 2

#define SIGN (UINT64_C(1) << 63)

INLINE bool is_less_key(sorting *sorting, item a, item b) {
  (void)sorting;
  return a < b;
}

/* Keys have the order of the numbers. */
static item key_of_integer(lua_Integer integer) { return (item)integer ^ SIGN; }

static item key_of_float(lua_Number number) {
  item bits;
  memcpy(&bits, &number, sizeof bits);
  return bits & SIGN ? ~bits : bits | SIGN;
}

/* [-0, +1, -] */
static void push_number(lua_State *L, item key, bool is_integer) {
  if (is_integer) {
    lua_pushinteger(L, (lua_Integer)(key ^ SIGN));
    return;
  }
  lua_Number number;
  item bits = key & SIGN ? key ^ SIGN : ~key;
  memcpy(&number, &bits, sizeof number);
  lua_pushnumber(L, number);
}

/* [-1, +0, -]  The key of the number on top. False: it has none, or is one of the other kind. */
static bool pop_key(lua_State *L, bool is_integer, item *key) {
  bool has_key = lua_type(L, -1) == LUA_TNUMBER && (bool)lua_isinteger(L, -1) == is_integer;
  if (has_key && is_integer) {
    *key = key_of_integer(lua_tointeger(L, -1));
  } else if (has_key) {
    lua_Number number = lua_tonumber(L, -1);
    *key = key_of_float(number);
    has_key = number == number;
  }
  lua_pop(L, 1);
  return has_key;
}

/* [-0, +0, v] */
static void charge_keys(const sorting *sorting) {
  wax_lua_budget_consume(sorting->loop.L, sorting->count / KEYS_PER_INSTRUCTION);
}

/* [-0, +0, v]  False: some elements have no keys of one kind. */
static bool read_keys(sorting *sorting, bool *is_integer) {
  lua_State *L = sorting->loop.L;
  for (size_t i = 0; i < sorting->count; i++) {
    lua_geti(L, TABLE, (lua_Integer)i + 1);
    if (i == 0) *is_integer = lua_isinteger(L, -1);
    if (!pop_key(L, *is_integer, &sorting->items[i])) return false;
    wax_lua_turn(&sorting->loop);
  }
  return true;
}

static void insert(item *first, item *at) {
  item inserted = *at;
  for (; at > first && inserted < at[-1]; at--) *at = at[-1];
  *at = inserted;
}

static void insert_in_runs(sorting *sorting) {
  item *items = sorting->items;
  for (size_t i = 0; i < sorting->count; i++) insert(items + i / INSERTED * INSERTED, items + i);
}

/* [-0, +0, v]  Sorts if the elements have keys. */
static bool sort_numbers(sorting *sorting) {
  lua_State *L = sorting->loop.L;
  bool is_integer = false;
  if (!read_keys(sorting, &is_integer)) return false;
  insert_in_runs(sorting);
  for (size_t length = INSERTED; length < sorting->count; length *= 2) {
    charge_keys(sorting);
    merge_runs(sorting, length, is_less_key);
  }
  for (size_t i = 0; i < sorting->count; i++) {
    push_number(L, sorting->items[i], is_integer);
    lua_seti(L, TABLE, (lua_Integer)i + 1);
    wax_lua_turn(&sorting->loop);
  }
  return true;
}

/* }================================================================== */

/* {==================================================================
** Texts
** =================================================================== */

/* Longer ones are charged by their bytes. */
#define LONG_TEXT 256

/* As `<` does: by the locale, up to each zero. */
static int compare_texts(text a, text b) {
  for (;;) {
    int order = strcoll(a.bytes, b.bytes);
    if (order != 0) return order;
    size_t count = strlen(a.bytes);
    if (count == b.count) return a.count > count;
    if (count == a.count) return -1;
    count++; /* the zero */
    a = (text){a.bytes + count, a.count - count};
    b = (text){b.bytes + count, b.count - count};
  }
}

/* [-0, +0, v] */
INLINE bool is_less_text(sorting *sorting, item a, item b) {
  text left = sorting->texts[a], right = sorting->texts[b];
  size_t count = least(left.count, right.count);
  wax_lua_turn(&sorting->loop);
  if (count > LONG_TEXT) wax_lua_budget_consume(sorting->loop.L, count >> 4);
  return compare_texts(left, right) < 0;
}

/* }================================================================== */

/* {==================================================================
** Values
** =================================================================== */

static bool has_few(const sorting *sorting) { return sorting->count <= FEW; }

/* [-0, +1, -] */
INLINE void push_value(const sorting *sorting, item index) {
  if (has_few(sorting))
    lua_pushvalue(sorting->loop.L, VALUES + (int)index);
  else
    lua_rawgeti(sorting->loop.L, VALUES, (lua_Integer)index + 1);
}

/* [-0, +0, v] */
static bool is_less_by_function(const sorting *sorting, item a, item b) {
  lua_State *L = sorting->loop.L;
  lua_pushvalue(L, FUNCTION);
  push_value(sorting, a);
  push_value(sorting, b);
  lua_call(L, 2, 1);
  bool result = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return result;
}

/* [-0, +0, v] */
static bool is_less_by_lua(const sorting *sorting, item a, item b) {
  lua_State *L = sorting->loop.L;
  if (has_few(sorting)) return lua_compare(L, VALUES + (int)a, VALUES + (int)b, LUA_OPLT);
  push_value(sorting, a);
  push_value(sorting, b);
  bool result = lua_compare(L, -2, -1, LUA_OPLT);
  lua_pop(L, 2);
  return result;
}

/* [-0, +0, v] */
static bool is_less_value(sorting *sorting, item a, item b) {
  wax_lua_turn(&sorting->loop);
  return sorting->has_function ? is_less_by_function(sorting, a, b) : is_less_by_lua(sorting, a, b);
}

/* [-0, +0, -]  Of the value on top. False: it is no string. */
static bool read_text(lua_State *L, text *text) {
  if (lua_type(L, -1) != LUA_TSTRING) return false;
  text->bytes = lua_tolstring(L, -1, &text->count);
  return true;
}

/* [-0, +n, v]  Returns whether all have texts. */
static bool read_values(sorting *sorting) {
  lua_State *L = sorting->loop.L;
  bool keeps = has_few(sorting);
  if (keeps)
    luaL_checkstack(L, FEW + LUA_MINSTACK, NULL);
  else
    lua_createtable(L, (int)sorting->count, 0);
  bool have_texts = !sorting->has_function;
  for (size_t i = 0; i < sorting->count; i++) {
    lua_geti(L, TABLE, (lua_Integer)i + 1);
    have_texts = have_texts && read_text(L, &sorting->texts[i]);
    if (!keeps) lua_rawseti(L, VALUES, (lua_Integer)i + 1);
    sorting->items[i] = i;
    wax_lua_turn(&sorting->loop);
  }
  return have_texts;
}

/* [-0, +0, v]  Makes runs of two. Of two elements each of which is less than the other there is no
   order; of three, Lua's own does not notice. */
static void order_pairs(sorting *sorting) {
  item *items = sorting->items;
  for (size_t i = 1; i < sorting->count; i += 2) {
    item left = items[i - 1], right = items[i];
    if (!is_less_value(sorting, right, left)) continue;
    if (sorting->count > 3 && is_less_value(sorting, left, right))
      luaL_error(sorting->loop.L, "invalid order function for sorting");
    items[i - 1] = right;
    items[i] = left;
  }
}

/* [-0, +0, v] */
static void merge_values(sorting *sorting) {
  order_pairs(sorting);
  for (size_t length = 2; length < sorting->count; length *= 2)
    merge_runs(sorting, length, is_less_value);
}

/* [-0, +0, v] */
static void merge_texts(sorting *sorting) {
  for (size_t length = 1; length < sorting->count; length *= 2)
    merge_runs(sorting, length, is_less_text);
}

/* [-0, +n, v] */
static void sort_values(sorting *sorting) {
  if (read_values(sorting))
    merge_texts(sorting);
  else
    merge_values(sorting);
  for (size_t i = 0; i < sorting->count; i++) {
    push_value(sorting, sorting->items[i]);
    lua_seti(sorting->loop.L, TABLE, (lua_Integer)i + 1);
    wax_lua_turn(&sorting->loop);
  }
}

/* }================================================================== */

/* [-0, +n, v] */
static void sort(sorting *sorting) {
  if (sorting->has_function || !sort_numbers(sorting)) sort_values(sorting);
  wax_library_end_loop(&sorting->loop);
}

/* [-0, +n, v] */
static void sort_few(sorting *sorting) {
  item items[2 * FEW];
  text texts[FEW];
  sorting->texts = texts;
  sorting->items = items;
  sorting->spare = items + FEW;
  sort(sorting);
}

/* [-0, +n, v] */
static void sort_many(sorting *sorting) {
  lua_State *L = sorting->loop.L;
  size_t size = sorting->count * (2 * sizeof(item) + sizeof(text));
  wax_lua_reserve_memory(L, 2 * size); /* also for the table of values */
  sorting->items = lua_newuserdatauv(L, size, 0);
  sorting->spare = sorting->items + sorting->count;
  sorting->texts = (text *)(sorting->spare + sorting->count);
  lua_replace(L, ROOM);
  sort(sorting);
}

int wax_library_sort(lua_State *L) {
  lua_Integer count = wax_library_table_count(L);
  if (count <= 1) return 0;
  if (count > MAX_ELEMENTS)
    return luaL_argerror(L, 1, "array too big: table.sort sorts at most 1000000 elements");
  if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, ROOM);
  wax_lua_check_stack(L);
  sorting sorting = {.loop = wax_library_loop_over(L, 1), .count = (size_t)count};
  sorting.loop.cost *= COMPARISON_COST;
  sorting.has_function = !lua_isnil(L, FUNCTION);
  if (has_few(&sorting))
    sort_few(&sorting);
  else
    sort_many(&sorting);
  return 0;
}
