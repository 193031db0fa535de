/* SPDX-License-Identifier: MIT
 *
 * What states ask of proxies.
 */
#include "waxwing_proxies.h"

#include "waxwing_lane_end.h"
#include "waxwing_objects.h"
#include "waxwing_proxy_private.h"

size_t waxwing_state_live_proxies(const waxwing_state *state) {
  return atomic_load_explicit(&waxwing_proxies_in(state)->live_proxies, memory_order_relaxed);
}

/* {==================================================================
** States
** =================================================================== */

static void open(lua_State *L) {
  waxwing_open_proxies(L);
  waxwing_open_faces(L);
  waxwing_open_uint64(L);
  waxwing_open_fields(L);
  waxwing_open_weak(L);
  waxwing_open_closures(L);
}

static void close(waxwing_state *state) {
  waxwing_forget_fields(state);
  waxwing_free_tallies(state);
}

static void collect_cycles(waxwing_state *state) { waxwing_collect_cycles(state); }

/* }================================================================== */

/* {==================================================================
** Lanes
** =================================================================== */

static void open_lane(waxwing_lane *lane) {
  lua_rawgetp(lane->L, LUA_REGISTRYINDEX, &waxwing_proxies_key);
  lua_insert(lane->L, WAXWING_LANE_PROXIES);
  for (int i = 0; i < WAXWING_MOST_LENT; i++) lane->lent[i] = waxwing_new_lent_proxy(lane->L);
}

static void end_lane(waxwing_lane *lane) {
  waxwing_transients_end(lane->transients_mark);
  waxwing_end_lent(lane);
  if (lane->seen || lane->shared_count) waxwing_drop_seen(lane);
}

static void park_lane(waxwing_lane *lane) {
  lane->transients = waxwing_transients_detach(lane->transients_mark);
}

static void unpark_lane(waxwing_lane *lane) {
  waxwing_transients_attach(lane->transients);
  lane->transients = NULL;
}

static void free_lane(waxwing_lane *lane) {
  waxwing_transients_forget(lane->transients);
  waxwing_forget_seen(lane);
}

/* }================================================================== */

/* {==================================================================
** Values
** =================================================================== */

static bool read(lua_State *L, int index, waxwing_buffer *buffer) {
  waxwing_proxy *proxy = waxwing_to_proxy(L, index);
  if (!proxy) return false;
  if (waxwing_is_object(proxy->kind))
    waxwing_buffer_add_pointer(buffer, WAXWING_OBJECT, proxy->pointer);
  else if (proxy->kind == WAXWING_PROXY_METATYPE)
    waxwing_buffer_add_pointer(buffer, WAXWING_METATYPE, proxy->pointer);
  else
    waxwing_buffer_add_pointer(buffer, WAXWING_PROXY, proxy);
  return true;
}

static bool push_known(lua_State *L, void *object, int proxies) {
  if (!proxies) return waxwing_push_known_object(L, object);
  if (lua_rawgetp(L, proxies, object) == LUA_TUSERDATA) {
    waxwing_proxy_seen_again(L);
    return true;
  }
  lua_pop(L, 1);
  return false;
}

static void push_object(lua_State *L, void *object) {
  waxwing_push_proxy(L, WAXWING_PROXY_OBJECT, object, *(void **)object);
}

static void push_new(lua_State *L, uint32_t kind, void *pointer, void *type) {
  if (waxwing_is_closure(kind))
    waxwing_push_closure(L, kind, pointer, type);
  else
    waxwing_push_proxy(L, kind, pointer, type);
}

static void push_type(lua_State *L, const void *type) { waxwing_push_face(L, type); }

/* }================================================================== */

static const waxwing_objects objects = {
    .state_size = sizeof(waxwing_proxy_state),
    .open = open,
    .close = close,
    .sweep = waxwing_sweep_fields,
    .has_collected = waxwing_set_pace,
    .collect_cycles = collect_cycles,
    .open_lane = open_lane,
    .end_lane = end_lane,
    .park_lane = park_lane,
    .unpark_lane = unpark_lane,
    .free_lane = free_lane,
    .read = read,
    .type_at = waxwing_face_type,
    .proxy_at = waxwing_to_proxy,
    .push_known = push_known,
    .push_object = push_object,
    .push_new = push_new,
    .push_type = push_type,
    .discard = waxwing_buffer_discard,
    .write_back = waxwing_write_back,
};

waxwing_state *waxwing_state_create(size_t memory_limit, void (*open_libraries)(lua_State *L),
                                    waxwing_hooks hooks) {
  const waxwing_state_parts parts = {&objects, open_libraries, hooks.release, hooks.context};
  waxwing_state *state = waxwing_state_make(memory_limit, &parts);
  if (!state) return NULL;
  waxwing_proxies_of(state)->hooks = hooks;
  waxwing_set_pace(state);
  waxwing_set_cycle_quota(state);
  return state;
}
