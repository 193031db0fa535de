/* SPDX-License-Identifier: MIT
 *
 * Our versions of functions of Lua's libraries, for the files that make them.
 */
#ifndef WAX_LIBRARY_PRIVATE_H
#define WAX_LIBRARY_PRIVATE_H

#include <lauxlib.h>
#include <stdbool.h>

#include "wax_lua_budget.h"
#include "wax_lua_stack.h"

/* Bytes of the longest string that a library function makes. */
#define WAX_LIBRARY_MAX_BYTES ((size_t)1 << 20)

typedef struct wax_library_replacement {
  const char *name;
  lua_CFunction function;
} wax_library_replacement;

/* [-0, +0, m]  Replaces functions of the library on top of the stack. Each finds Lua's own as its
   upvalue, see wax_library_call_builtin. */
void wax_library_replace(lua_State *L, const wax_library_replacement *replacements);

/* [-0, +0, m]  Removes functions of the library on top; the names end with NULL. */
void wax_library_remove_functions(lua_State *L, const char *const *names);

/* [-?, +?, v]  In a replacement: has Lua's own function do the work, with the same arguments. */
static inline int wax_library_call_builtin(lua_State *L) {
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* [-0, +0, v]  Raises that `function` would make more than WAX_LIBRARY_MAX_BYTES. */
int wax_library_raise_too_large(lua_State *L, const char *function);

/* [-0, +0, v]  The replacements of one library, which is on top. */
void wax_library_open_strings(lua_State *L);
void wax_library_open_matching(lua_State *L);
void wax_library_open_tables(lua_State *L);
void wax_library_open_utf8(lua_State *L);
void wax_library_open_base(lua_State *L);
void wax_library_open_coroutines(lua_State *L);

/* `table.sort`. */
int wax_library_sort(lua_State *L);
/* [-0, +0, v]  The length of the first argument, which has to be like a table. */
lua_Integer wax_library_table_count(lua_State *L);

/* The loop of a function over a table: pays for its turns. */
typedef struct wax_library_loop {
  lua_State *L;
  unsigned turns; /* since they were last charged */
  unsigned cost;  /* of a turn */
} wax_library_loop;

#define WAX_LIBRARY_TURNS_PER_CONSUMPTION 64

/* [-0, +0, -]  Over the value at `index`, whose turns cost more if metamethods may run. */
wax_library_loop wax_library_loop_over(lua_State *L, int index);

/* [-0, +0, v]  One turn. */
static inline void wax_lua_turn(wax_library_loop *loop) {
  if (__builtin_expect(++loop->turns < WAX_LIBRARY_TURNS_PER_CONSUMPTION, 1)) return;
  loop->turns = 0;
  wax_lua_budget_consume(loop->L, (size_t)WAX_LIBRARY_TURNS_PER_CONSUMPTION * loop->cost);
}

/* [-0, +0, v]  The turns that have not been charged yet. */
static inline void wax_library_end_loop(wax_library_loop *loop) {
  if (loop->turns) wax_lua_budget_consume(loop->L, (size_t)loop->turns * loop->cost);
}

#endif
