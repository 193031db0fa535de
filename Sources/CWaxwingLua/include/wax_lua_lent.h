/* SPDX-License-Identifier: MIT
 *
 * Values that a call's Lua function has without their being converted.
 *
 * The code of a function may tell that it only passes a value on: to an original, or to its caller.
 * Such a function is lent the value: it gets a light userdata, whose address is that of a
 * wax_lua_lent, which says where the value is. It costs the same at any size, and what comes back
 * is the value itself. Nobody else sees one: it is shown, which is to say converted after all, to
 * whom it may go otherwise.
 *
 * A script may keep one all the same, if it replaces `original` while a call runs. So the memory of
 * a wax_lua_lent stays one for ever, and says whether it is lent, and in which state.
 */
#ifndef WAX_LUA_LENT_H
#define WAX_LUA_LENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <lua.h>

#include "wax_lua_state.h"
#include "wax_lua_values.h"

/* The largest number of values that one call is lent. Further ones are converted. */
#define WAX_LUA_MOST_LENT 8

/* Words of a value that has no memory but this. */
#define WAX_LUA_LENT_WORDS 4

typedef struct wax_lua_lent {
  const void *kind;  /* the address of wax_lua_lent_kind: other light userdata have another */
  const void *state; /* the wax_lua_state whose script has it; NULL: none has */
  const void *codec; /* a ValueCodec, which the call's plan keeps */
  const void *call;  /* the call's wax_call_active: to be compared and not followed */
  void *value;       /* where it is */
  int32_t argument;  /* which of the call's arguments it is; -1: a copy that this owns */
  bool is_string;    /* of the type String */
  uint64_t place[WAX_LUA_LENT_WORDS]; /* of a copy that is small enough */
} wax_lua_lent;

extern const uint64_t wax_lua_lent_kind;

/* All that one call is lent: taken for the first one, and given back when the call is over. */
typedef struct wax_lua_lent_set {
  struct wax_lua_lent_set *next; /* of those that no call has */
  uint32_t count;
  wax_lua_lent values[WAX_LUA_MOST_LENT];
} wax_lua_lent_set;

/* An empty one; NULL: there is no memory. */
wax_lua_lent_set *wax_lua_lent_take(void);

/* From then on none of it is lent. What it owns has to be destroyed. */
void wax_lua_lent_give(wax_lua_lent_set *set);

/* One more, with nothing but its kind and the call set; NULL: there are as many as can be, or there
   is no memory. */
static inline wax_lua_lent *wax_lua_lent_add(wax_lua_lent_set **set, const void *call) {
  if (!*set) *set = wax_lua_lent_take();
  if (!*set) return NULL;
  if ((*set)->count == WAX_LUA_MOST_LENT) return NULL;
  wax_lua_lent *lent = &(*set)->values[(*set)->count++];
  __atomic_store_n(&lent->kind, &wax_lua_lent_kind, __ATOMIC_RELAXED);
  lent->call = call;
  lent->is_string = false;
  return lent;
}

/* Writes a lent value into the buffer, as one for Lua. */
typedef void (*wax_lua_lent_writer)(const wax_lua_lent *lent, wax_lua_buffer *buffer);

/* Sets the function that writes lent values in this process. Called before anything is lent. */
void wax_lua_set_lent_writer(wax_lua_lent_writer writer);

/* [-0, +0, -]  NULL: the value at `index` is none of them. */
static inline const wax_lua_lent *wax_lua_lent_at(lua_State *L, int index) {
  if (lua_type(L, index) != LUA_TLIGHTUSERDATA) return NULL;
  const wax_lua_lent *lent = (const wax_lua_lent *)lua_touserdata(L, index);
  if (!lent || (uintptr_t)lent % _Alignof(wax_lua_lent) != 0) return NULL;
  bool is_lent = __atomic_load_n(&lent->kind, __ATOMIC_RELAXED) == &wax_lua_lent_kind &&
                 __atomic_load_n(&lent->state, __ATOMIC_RELAXED) == wax_lua_state_of(L);
  return is_lent ? lent : NULL;
}

/* [-0, +1, -] */
static inline void wax_lua_push_lent(lua_State *L, wax_lua_lent *lent) {
  __atomic_store_n(&lent->state, wax_lua_state_of(L), __ATOMIC_RELAXED);
  lua_pushlightuserdata(L, lent);
}

/* [-0, +0, -] or [-0, +1, -] and Lua's status, with the error on top. Puts what is lent at `index`,
   which is absolute, there as a Lua value of its own. What is not lent stays as it is. */
int wax_lua_show_lent(lua_State *L, int index);

/* [-0, +0, -]  Whether the C function that runs was called by nobody but the function behind the
   reference, which Swift has called, and by the name of an original: what it returns goes to that
   function, and no other, whose code tells what it does with it. */
bool wax_lua_is_called_by(lua_State *L, int reference);

#endif
