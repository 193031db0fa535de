/* SPDX-License-Identifier: MIT
 *
 * What dies with a call.
 *
 * Of what a function keeps nothing of, the proxies give up what they hold when its call ends, so
 * that objects die when they would without the patch. A proxy is in a list of the call that it was
 * made in, its owner. Other calls of such functions may be given the same object meanwhile: on
 * another thread, or while the owner waits. They share the proxy, and it gives up what it holds at
 * the end of the last of them. Once a call of a function that may keep it has got it, it is left to
 * the collector.
 */
#include <stdlib.h>

#include "waxwing_lane_end.h"
#include "waxwing_proxy_private.h"

void waxwing_proxy_seen(waxwing_state *state, waxwing_proxy *seen) {
  waxwing_full_proxy *proxy = waxwing_to_full(seen);
  if (!proxy || !waxwing_dies_with_call(state)) return;
  waxwing_lane *lane = waxwing_running_lane(state);
  proxy->lane = lane;
  proxy->next_seen = lane->seen;
  proxy->link = &lane->seen;
  if (lane->seen) lane->seen->link = &proxy->next_seen;
  lane->seen = proxy;
}

static void leave_owner(waxwing_full_proxy *proxy) {
  if (!proxy->lane) return;
  *proxy->link = proxy->next_seen;
  if (proxy->next_seen) proxy->next_seen->link = proxy->link;
  proxy->lane = NULL;
  proxy->next_seen = NULL;
  proxy->link = NULL;
}

static void keep(waxwing_full_proxy *proxy) {
  leave_owner(proxy);
  proxy->is_left_over = false;
}

void waxwing_keep_proxy(lua_State *L, int index) {
  waxwing_proxy *given = waxwing_to_proxy(L, index);
  waxwing_full_proxy *proxy = given ? waxwing_to_full(given) : NULL;
  if (proxy && proxy->lane) keep(proxy);
}

/* {==================================================================
** Sharing
** =================================================================== */

/* False: there is no memory, or it is shared by too many. */
static bool share(waxwing_lane *lane, waxwing_full_proxy *proxy) {
  for (size_t i = 0; i < lane->shared_count; i++)
    if (lane->shared[i] == proxy) return true;
  if (proxy->sharers == UINT16_MAX) return false;
  if (lane->shared_count == lane->shared_capacity) {
    size_t capacity = lane->shared_capacity ? lane->shared_capacity * 2 : 8;
    waxwing_full_proxy **grown = realloc(lane->shared, capacity * sizeof *grown);
    if (!grown) return false;
    lane->shared = grown;
    lane->shared_capacity = capacity;
  }
  lane->shared[lane->shared_count++] = proxy;
  proxy->sharers++;
  return true;
}

/* A call inside the owner, on its thread, ends before it: unless it can wait. */
static bool is_inside(const waxwing_lane *lane, const waxwing_lane *owner) {
  return owner && !lane->may_wait && lane->thread == owner->thread;
}

void waxwing_proxy_seen_again(lua_State *L) {
  waxwing_full_proxy *proxy = waxwing_to_full(lua_touserdata(L, -1));
  if (__builtin_expect(!proxy || (!proxy->lane && !proxy->sharers), 1)) return;
  waxwing_lane *lane = waxwing_running_lane(waxwing_state_of(L));
  if (lane && lane == proxy->lane) return;
  if (!lane || !lane->drops_proxies) return keep(proxy);
  if (!is_inside(lane, proxy->lane) && !share(lane, proxy)) keep(proxy);
}

static void unshare(waxwing_lane *lane, const waxwing_full_proxy *proxy) {
  for (size_t i = 0; i < lane->shared_count; i++) {
    if (lane->shared[i] != proxy) continue;
    lane->shared[i] = lane->shared[--lane->shared_count];
    return;
  }
}

void waxwing_proxy_collected(lua_State *L, waxwing_proxy *collected) {
  waxwing_full_proxy *proxy = waxwing_to_full(collected);
  if (!proxy) return;
  keep(proxy);
  if (!proxy->sharers) return;
  for (waxwing_lane *lane = waxwing_state_of(L)->busy_lanes; lane; lane = lane->next)
    unshare(lane, proxy);
  proxy->sharers = 0;
}

/* }================================================================== */

/* {==================================================================
** The end of a call
** =================================================================== */

static void forget_object(lua_State *L, void *object) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &waxwing_proxies_key);
  lua_pushnil(L);
  lua_rawsetp(L, -2, object); /* allocates nothing */
  lua_pop(L, 1);
}

static void drop(waxwing_state *state, waxwing_full_proxy *full) {
  waxwing_proxy *proxy = &full->base;
  uint32_t kind = proxy->kind;
  if (waxwing_is_closure(kind)) return waxwing_drop_closure(state, proxy);
  if (kind == 0) return;
  proxy->kind = 0;
  if (kind == WAXWING_PROXY_OBJECT) forget_object(state->main, proxy->pointer);
  if (full->tally) waxwing_tally_proxy(state, full->tally, -1);
  if (kind == WAXWING_PROXY_SUPER) kind = WAXWING_PROXY_OBJECT;
  waxwing_defer_release(state, kind, proxy->pointer, proxy->type);
}

void waxwing_drop_seen(waxwing_lane *lane) {
  while (lane->seen) {
    waxwing_full_proxy *proxy = lane->seen;
    leave_owner(proxy);
    if (proxy->sharers)
      proxy->is_left_over = true;
    else
      drop(lane->state, proxy);
  }
  while (lane->shared_count) {
    waxwing_full_proxy *proxy = lane->shared[--lane->shared_count];
    if (--proxy->sharers || !proxy->is_left_over) continue;
    proxy->is_left_over = false;
    drop(lane->state, proxy);
  }
}

void waxwing_forget_seen(waxwing_lane *lane) {
  while (lane->seen) keep(lane->seen);
  while (lane->shared_count) {
    waxwing_full_proxy *proxy = lane->shared[--lane->shared_count];
    proxy->sharers--;
    keep(proxy);
  }
  free(lane->shared);
  lane->shared = NULL;
  lane->shared_capacity = 0;
}

/* }================================================================== */
