/* SPDX-License-Identifier: MIT
 *
 * Our versions of functions of Lua's libraries, for the files that make them.
 */
#ifndef WAXWING_LIBRARY_H
#define WAXWING_LIBRARY_H

#include <lauxlib.h>
#include <stdbool.h>

#include "waxwing_budget.h"
#include "waxwing_stack.h"

/* Bytes of the longest string that a library function makes. */
#define WAXWING_MOST_BYTES ((size_t)1 << 20)

typedef struct waxwing_replacement {
  const char *name;
  lua_CFunction function;
} waxwing_replacement;

/* [-0, +0, m]  Replaces functions of the library on top of the stack. Each finds Lua's own as its
   upvalue, see waxwing_own. */
void waxwing_replace(lua_State *L, const waxwing_replacement *replacements);

/* [-0, +0, m]  Removes functions of the library on top; the names end with NULL. */
void waxwing_remove_functions(lua_State *L, const char *const *names);

/* [-?, +?, v]  In a replacement: has Lua's own function do the work, with the same arguments. */
static inline int waxwing_own(lua_State *L) { return lua_tocfunction(L, lua_upvalueindex(1))(L); }

/* [-0, +0, v]  Raises that `function` would make more than WAXWING_MOST_BYTES. */
int waxwing_too_large(lua_State *L, const char *function);

/* [-0, +0, v]  The replacements of one library, which is on top. */
void waxwing_open_strings(lua_State *L);
void waxwing_open_matching(lua_State *L);
void waxwing_open_tables(lua_State *L);
void waxwing_open_utf8(lua_State *L);
void waxwing_open_base(lua_State *L);
void waxwing_open_coroutines(lua_State *L);

/* `table.sort`. */
int waxwing_sort(lua_State *L);
/* [-0, +0, v]  The length of the first argument, which has to be like a table. */
lua_Integer waxwing_table_count(lua_State *L);

/* The loop of a function over a table: pays for its turns. */
typedef struct waxwing_loop {
  lua_State *L;
  unsigned turns; /* since they were last charged */
  unsigned cost;  /* of a turn */
} waxwing_loop;

#define WAXWING_TURNS_PER_CHARGE 64

/* [-0, +0, -]  Over the value at `index`, whose turns cost more if metamethods may run. */
waxwing_loop waxwing_loop_over(lua_State *L, int index);

/* [-0, +0, v]  One turn. */
static inline void waxwing_turn(waxwing_loop *loop) {
  if (__builtin_expect(++loop->turns < WAXWING_TURNS_PER_CHARGE, 1)) return;
  loop->turns = 0;
  waxwing_charge(loop->L, (size_t)WAXWING_TURNS_PER_CHARGE * loop->cost);
}

/* [-0, +0, v]  The turns that have not been charged yet. */
static inline void waxwing_end_loop(waxwing_loop *loop) {
  if (loop->turns) waxwing_charge(loop->L, (size_t)loop->turns * loop->cost);
}

#endif
