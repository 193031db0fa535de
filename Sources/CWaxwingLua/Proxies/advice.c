/* SPDX-License-Identifier: MIT
 *
 * Pieces of advice, and the functions of lua/waxwing/advice.lua that must be quick.
 */
#include "wax_proxy_advice.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "wax_lua_call_private.h"
#include "wax_lua_debug_private.h"
#include "wax_proxy_pieces.h"
#include "wax_proxy_private.h"

extern void *swift_weakInit(void *reference, void *object);
extern void *swift_weakLoadStrong(void *reference);
extern void swift_weakDestroy(void *reference);
extern void swift_release(void *object);

typedef enum state {
  LIVE,
  USED,    /* was there for one call, and has had it */
  REMOVED, /* by its token */
  GONE     /* its object is dead */
} state;

struct wax_proxy_advice {
  _Atomic(uint32_t) holders;
  _Atomic(uint32_t) state;
  _Atomic(uint64_t) calls;
  bool is_once;
  wax_proxy_keeping keeping; /* of its function */
  const void *object; /* the address of the only object it is for, never followed; NULL: any */
  void *weak;         /* the word of a weak reference to it */
  uint64_t thread;    /* 0: any */
  uint64_t (*current_thread)(void);
};

void wax_proxy_advice_retain(wax_proxy_advice *advice) {
  atomic_fetch_add_explicit(&advice->holders, 1, memory_order_relaxed);
}

void wax_proxy_advice_release(wax_proxy_advice *advice) {
  if (atomic_fetch_sub_explicit(&advice->holders, 1, memory_order_acq_rel) != 1) return;
  if (advice->object) swift_weakDestroy(&advice->weak);
  free(advice);
}

bool wax_proxy_advice_is_live(const wax_proxy_advice *advice) {
  return atomic_load_explicit(&advice->state, memory_order_acquire) == LIVE;
}

/* Of an object at the same address the weak reference tells whether it is the same object. */
static bool is_for_object(const wax_proxy_advice *advice, const void *object) {
  if (!advice->object) return true;
  if (advice->object != object) return false;
  void *same = swift_weakLoadStrong((void *)&advice->weak);
  if (same) swift_release(same); /* not the last reference: the call has one */
  return same != NULL;
}

bool wax_proxy_advice_admits(const wax_proxy_advice *advice, const void *object) {
  return wax_proxy_advice_is_live(advice) &&
         (!advice->thread || advice->thread == advice->current_thread()) &&
         is_for_object(advice, object);
}

static bool end(wax_proxy_advice *advice, state how) {
  uint32_t live = LIVE;
  return atomic_compare_exchange_strong(&advice->state, &live, how);
}

bool wax_proxy_advice_claim(wax_proxy_advice *advice, const void *object) {
  if (!wax_proxy_advice_admits(advice, object)) return false;
  if (advice->is_once && !end(advice, USED)) return false;
  atomic_fetch_add_explicit(&advice->calls, 1, memory_order_relaxed);
  return true;
}

bool wax_proxy_advice_is_once(const wax_proxy_advice *advice) { return advice->is_once; }

wax_proxy_keeping wax_proxy_advice_keeping(const wax_proxy_advice *advice) {
  return advice->keeping;
}

bool wax_proxy_advice_has_instance(const wax_proxy_advice *advice) {
  return advice->object != NULL;
}

uint64_t wax_proxy_advice_thread(const wax_proxy_advice *advice) { return advice->thread; }

uint64_t wax_proxy_advice_calls(const wax_proxy_advice *advice) {
  return atomic_load_explicit(&advice->calls, memory_order_relaxed);
}

/* {==================================================================
** What Lua sees
** =================================================================== */

static const char metatable[] = "waxwing advice";

/* Only lua/waxwing/advice.lua has the functions below: what it passes is right. */
wax_proxy_advice *wax_proxy_to_advice(lua_State *L, int index) {
  wax_proxy_advice **place = lua_touserdata(L, index);
  return place ? *place : NULL;
}

wax_proxy_advice *wax_proxy_advice_argument(const wax_lua_host_call *call, int index) {
  return wax_proxy_to_advice(call->L, index);
}

const void *wax_proxy_advised_object(lua_State *L, int index) {
  wax_proxy *proxy = wax_proxy_to_proxy(L, index);
  return proxy && wax_proxy_is_object(proxy->kind) ? proxy->pointer : NULL;
}

/* (once, thread or nil, object or nil, function) -> advice */
static int make(lua_State *L) {
  void *object = (void *)wax_proxy_advised_object(L, 3);
  wax_proxy_advice **place = lua_newuserdatauv(L, sizeof *place, 0);
  *place = NULL;
  luaL_setmetatable(L, metatable);
  wax_proxy_advice *advice = calloc(1, sizeof *advice);
  if (!advice) return luaL_error(L, "not enough memory");
  advice->holders = 1;
  advice->is_once = lua_toboolean(L, 1);
  advice->thread = (uint64_t)lua_tointeger(L, 2);
  advice->current_thread = wax_proxy_state_of(wax_lua_state_of(L))->hooks.current_thread;
  lua_pushvalue(L, 4);
  advice->keeping = wax_proxy_keeping_on_top(L);
  /* The variables around a piece are not looked at when it is called. */
  if (advice->keeping == WAX_PROXY_KEEPING_NOTHING_OF_SCALARS)
    advice->keeping = WAX_PROXY_KEEPING_ANYTHING;
  advice->object = object;
  if (object) swift_weakInit(&advice->weak, object);
  *place = advice;
  return 1;
}

static int collect(lua_State *L) {
  wax_proxy_advice **place = lua_touserdata(L, 1);
  if (*place) wax_proxy_advice_release(*place);
  *place = NULL;
  return 0;
}

/* (advice, self) -> boolean */
static int claim(lua_State *L) {
  wax_proxy_advice *advice = wax_proxy_to_advice(L, 1);
  lua_pushboolean(L, advice && wax_proxy_advice_claim(advice, wax_proxy_advised_object(L, 2)));
  return 1;
}

static bool is_dead(lua_State *L, wax_proxy_advice *advice) {
  if (!advice->object) return false;
  void *object = swift_weakLoadStrong(&advice->weak);
  if (object) wax_lua_defer_release(wax_lua_state_of(L), WAX_PROXY_KIND_OBJECT, object, NULL);
  return object == NULL;
}

/* (advice, only if its object is dead) -> whether this has ended it, whether it went with its
   object, whether it is there. */
static int take_away(lua_State *L) {
  wax_proxy_advice *advice = wax_proxy_to_advice(L, 1);
  if (!advice) return 0;
  bool dead = wax_proxy_advice_is_live(advice) && is_dead(L, advice);
  bool ended = (dead || !lua_toboolean(L, 2)) && end(advice, dead ? GONE : REMOVED);
  lua_pushboolean(L, ended);
  lua_pushboolean(L, atomic_load_explicit(&advice->state, memory_order_relaxed) == GONE);
  lua_pushboolean(L, wax_proxy_advice_is_live(advice));
  return 3;
}

/* (): the kernel's id of the thread. */
static int thread(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)wax_proxy_state_of(wax_lua_state_of(L))->hooks.current_thread());
  return 1;
}

/* }================================================================== */

/* {==================================================================
** Errors of pieces of advice
** =================================================================== */

int wax_proxy_record_advice_error(lua_State *L) {
  wax_lua_state *state = wax_lua_state_of(L);
  int count = wax_lua_keep_traceback(L, 1);
  /* What is below the piece of advice was written by nobody. */
  if (count > 1 && count < WAX_LUA_MAX_FRAMES && state->kept_frames[count - 1].what == 'C')
    state->kept_frame_count--;
  wax_lua_debug_fault(L);
  return 1;
}

wax_lua_status wax_proxy_advice_error(wax_lua_host_call *call, int index, wax_lua_buffer *buffer,
                                      wax_lua_traceback_frame *frames, int *frame_count) {
  *frame_count = call->state->kept_frame_count;
  if (*frame_count) memcpy(frames, call->state->kept_frames, (size_t)*frame_count * sizeof *frames);
  if (!lua_checkstack(call->L, 3)) return WAX_LUA_STATUS_NO_MEMORY;
  return wax_lua_read_error_at(call->L, index, buffer);
}

/* (error): raises it again as if it had not been caught. */
static int rethrow(lua_State *L) {
  lua_settop(L, 1);
  wax_lua_state_of(L)->raises_kept = true;
  return lua_error(L);
}

/* (): what was recorded is of an earlier error. */
static int forget(lua_State *L) {
  wax_lua_state_of(L)->kept_frame_count = 0;
  return 0;
}

/* }================================================================== */

/* (name, whether calls are to be run in C) */
static int define_protected(lua_State *L) {
  static const luaL_Reg runners[] = {
      {"runner", wax_proxy_make_runner}, {"arrange", wax_proxy_arrange_pieces}, {NULL, NULL}};
  static const luaL_Reg functions[] = {
      {"make", make},        {"claim", claim},
      {"remove", take_away}, {"record", wax_proxy_record_advice_error},
      {"rethrow", rethrow},  {"forget", forget},
      {"thread", thread},    {NULL, NULL}};
  luaL_newmetatable(L, metatable);
  lua_pushcfunction(L, collect);
  lua_setfield(L, -2, "__gc");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
  luaL_newlib(L, functions);
  if (lua_toboolean(L, 2)) luaL_setfuncs(L, runners, 0);
  wax_lua_hide_function(wax_lua_state_of(L), wax_proxy_run_pieces);
  lua_setglobal(L, lua_touserdata(L, 1));
  return 0;
}

bool wax_proxy_define_advice(wax_lua_state *state, const char *name, bool runs_in_c) {
  lua_State *L = state->main;
  if (!lua_checkstack(L, 3)) return false;
  lua_pushcfunction(L, define_protected);
  lua_pushlightuserdata(L, (void *)name);
  lua_pushboolean(L, runs_in_c);
  bool defined = lua_pcall(L, 2, 0, 0) == LUA_OK;
  if (!defined) lua_pop(L, 1);
  return defined;
}
