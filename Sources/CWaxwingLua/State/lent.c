/* SPDX-License-Identifier: MIT */
#include "wax_lua_lent.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "wax_lua_call_private.h"
#include "wax_lua_state_private.h"
#include "wax_lua_turn.h"

const uint64_t wax_lua_lent_kind = 0;

static _Atomic(wax_lua_lent_writer) writer;

void wax_lua_set_lent_writer(wax_lua_lent_writer new) {
  atomic_store_explicit(&writer, new, memory_order_release);
}

/* {==================================================================
** Those that no call has
** =================================================================== */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static wax_lua_lent_set *spare;

wax_lua_lent_set *wax_lua_lent_take(void) {
  pthread_mutex_lock(&lock);
  wax_lua_lent_set *set = spare;
  if (set) spare = set->next;
  pthread_mutex_unlock(&lock);
  if (!set) set = calloc(1, sizeof *set);
  if (set) set->count = 0;
  return set;
}

void wax_lua_lent_give(wax_lua_lent_set *set) {
  for (uint32_t i = 0; i < set->count; i++) {
    __atomic_store_n(&set->values[i].state, NULL, __ATOMIC_RELAXED);
    __atomic_store_n(&set->values[i].kind, NULL, __ATOMIC_RELAXED);
  }
  pthread_mutex_lock(&lock);
  set->next = spare;
  spare = set;
  pthread_mutex_unlock(&lock);
}

/* }================================================================== */

static int no_room(lua_State *L) {
  lua_settop(L, -2);
  lua_pushliteral(L, "not enough memory");
  return LUA_ERRMEM;
}

int wax_lua_show_lent(lua_State *L, int index) {
  const wax_lua_lent *lent = wax_lua_lent_at(L, index);
  if (!lent) return LUA_OK;
  if (!lua_checkstack(L, 4)) return no_room(L);
  wax_lua_buffer buffer;
  wax_lua_buffer_init(&buffer);
  buffer.L = L;
  atomic_load_explicit(&writer, memory_order_acquire)(lent, &buffer);
  lua_pushcfunction(L, wax_lua_push_protected);
  lua_pushlightuserdata(L, &buffer);
  int status = lua_pcall(L, 1, 1, 0);
  if (status != LUA_OK) wax_lua_state_of(L)->objects->discard(wax_lua_state_of(L), &buffer);
  wax_lua_buffer_free(&buffer);
  if (status == LUA_OK) lua_replace(L, index);
  return status;
}

/* Whether the code that calls the C function that runs names it as the original's callers do, so
   that who reads that code knows of the call. */
static bool is_named_original(lua_State *L) {
  lua_Debug ar;
  if (!lua_getstack(L, 0, &ar) || !lua_getinfo(L, "n", &ar) || !ar.name) return false;
  if (!strcmp(ar.namewhat, "global")) return !strcmp(ar.name, "original");
  bool is_member = !strcmp(ar.namewhat, "method") || !strcmp(ar.namewhat, "field");
  return is_member && !strncmp(ar.name, "ORIG", 4);
}

bool wax_lua_is_called_by(lua_State *L, int reference) {
  const wax_lua_coroutine *coroutine = wax_lua_running_coroutine(wax_lua_state_of(L));
  lua_Debug ar;
  if (!coroutine || coroutine->L != L || !lua_checkstack(L, 2) || !is_named_original(L))
    return false;
  /* Around the function may be one of ours, which has pushed its arguments. */
  if (lua_getstack(L, 3, &ar)) return false;
  if (lua_getstack(L, 2, &ar)) {
    lua_getinfo(L, "f", &ar);
    bool is_ours = lua_iscfunction(L, -1);
    lua_settop(L, -2);
    if (!is_ours) return false;
  }
  if (!lua_getstack(L, 1, &ar)) return false;
  lua_getinfo(L, "f", &ar);
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  bool is_same = lua_rawequal(L, -1, -2);
  lua_settop(L, -3);
  return is_same;
}
