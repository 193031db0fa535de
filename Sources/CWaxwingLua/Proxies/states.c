/* SPDX-License-Identifier: MIT
 *
 * What states ask of proxies.
 */
#include "wax_proxy_states.h"

#include "wax_proxy_coroutine_end.h"
#include "wax_lua_objects.h"
#include "wax_proxy_private.h"

size_t wax_proxy_state_live_proxies(const wax_lua_state *state) {
  return atomic_load_explicit(&wax_proxy_state_in(state)->live_proxies, memory_order_relaxed);
}

/* {==================================================================
** States
** =================================================================== */

static void open(lua_State *L) {
  wax_proxy_open(L);
  wax_proxy_open_type_objects(L);
  wax_proxy_open_uint64(L);
  wax_proxy_open_fields(L);
  wax_proxy_open_weak(L);
  wax_proxy_open_closures(L);
}

static void close(wax_lua_state *state) {
  wax_proxy_forget_fields(state);
  wax_proxy_free_live_counts(state);
}

static void collect_cycles(wax_lua_state *state) { wax_proxy_collect_cycles(state); }

/* }================================================================== */

/* {==================================================================
** Coroutines
** =================================================================== */

static void open_coroutine(wax_lua_coroutine *coroutine) {
  lua_rawgetp(coroutine->L, LUA_REGISTRYINDEX, &wax_proxy_objects_key);
  lua_insert(coroutine->L, WAX_LUA_COROUTINE_PROXIES);
  for (int i = 0; i < WAX_LUA_MAX_LENT; i++) coroutine->lent[i] = wax_proxy_new_lent(coroutine->L);
}

static void end_coroutine(wax_lua_coroutine *coroutine) {
  wax_proxy_transients_end(coroutine->transients_mark);
  wax_proxy_end_lent(coroutine);
  if (coroutine->seen || coroutine->shared_count) wax_proxy_drop_seen(coroutine);
}

static void park_coroutine(wax_lua_coroutine *coroutine) {
  coroutine->transients = wax_proxy_transients_detach(coroutine->transients_mark);
}

static void unpark_coroutine(wax_lua_coroutine *coroutine) {
  wax_proxy_transients_attach(coroutine->transients);
  coroutine->transients = NULL;
}

static void free_coroutine(wax_lua_coroutine *coroutine) {
  wax_proxy_transients_forget(coroutine->transients);
  wax_proxy_forget_seen(coroutine);
}

/* }================================================================== */

/* {==================================================================
** Values
** =================================================================== */

static bool read(lua_State *L, int index, wax_lua_buffer *buffer) {
  wax_proxy *proxy = wax_proxy_to_proxy(L, index);
  if (!proxy) return false;
  if (wax_proxy_is_object(proxy->kind))
    wax_lua_buffer_add_pointer(buffer, WAX_LUA_VALUE_OBJECT, proxy->pointer);
  else if (proxy->kind == WAX_PROXY_KIND_METATYPE)
    wax_lua_buffer_add_pointer(buffer, WAX_LUA_VALUE_METATYPE, proxy->pointer);
  else
    wax_lua_buffer_add_pointer(buffer, WAX_LUA_VALUE_PROXY, proxy);
  return true;
}

static bool push_known(lua_State *L, void *object, int proxies) {
  if (!proxies) return wax_proxy_push_known_object(L, object);
  if (lua_rawgetp(L, proxies, object) == LUA_TUSERDATA) {
    wax_proxy_seen_again(L);
    return true;
  }
  lua_pop(L, 1);
  return false;
}

static void push_object(lua_State *L, void *object) {
  wax_proxy_push(L, WAX_PROXY_KIND_OBJECT, object, *(void **)object);
}

static void push_new(lua_State *L, uint32_t kind, void *pointer, void *type) {
  if (wax_proxy_is_closure(kind))
    wax_proxy_push_closure(L, kind, pointer, type);
  else
    wax_proxy_push(L, kind, pointer, type);
}

static void push_type(lua_State *L, const void *type) { wax_proxy_push_type_object(L, type); }

/* }================================================================== */

static const wax_lua_objects objects = {
    .state_size = sizeof(wax_proxy_state),
    .open = open,
    .close = close,
    .sweep = wax_proxy_sweep_fields,
    .has_collected = wax_proxy_collector_reset_pace,
    .collect_cycles = collect_cycles,
    .open_coroutine = open_coroutine,
    .end_coroutine = end_coroutine,
    .park_coroutine = park_coroutine,
    .unpark_coroutine = unpark_coroutine,
    .free_coroutine = free_coroutine,
    .read = read,
    .type_at = wax_proxy_type_object_type,
    .proxy_at = wax_proxy_to_proxy,
    .push_known = push_known,
    .push_object = push_object,
    .push_new = push_new,
    .push_type = push_type,
    .discard = wax_proxy_buffer_discard,
    .write_back = wax_proxy_write_back,
};

wax_lua_state *wax_proxy_state_create(size_t memory_limit, void (*open_libraries)(lua_State *L),
                                      wax_proxy_hooks hooks) {
  const wax_lua_state_parts parts = {&objects, open_libraries, hooks.release, hooks.context};
  wax_lua_state *state = wax_lua_state_make(memory_limit, &parts);
  if (!state) return NULL;
  wax_proxy_state_of(state)->hooks = hooks;
  wax_proxy_collector_reset_pace(state);
  wax_proxy_set_cycle_quota(state);
  return state;
}
