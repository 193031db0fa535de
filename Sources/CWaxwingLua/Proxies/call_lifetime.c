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

#include "wax_proxy_coroutine_end.h"
#include "wax_proxy_private.h"

void wax_proxy_seen(wax_lua_state *state, wax_proxy *seen) {
  wax_proxy_full *proxy = wax_proxy_to_full(seen);
  if (!proxy || !wax_proxy_dies_with_call(state)) return;
  wax_lua_coroutine *coroutine = wax_lua_running_coroutine(state);
  proxy->coroutine = coroutine;
  proxy->next_seen = coroutine->seen;
  proxy->link = &coroutine->seen;
  if (coroutine->seen) coroutine->seen->link = &proxy->next_seen;
  coroutine->seen = proxy;
}

bool wax_proxy_is_own_receiver(const wax_proxy *proxy) {
  const wax_lua_coroutine *coroutine = wax_lua_running;
  return coroutine && coroutine->drops_proxies && coroutine->receiver == proxy;
}

bool wax_proxy_call_keeps_nothing(void) {
  return wax_lua_running && wax_lua_running->drops_proxies;
}

static void leave_owner(wax_proxy_full *proxy) {
  if (!proxy->coroutine) return;
  *proxy->link = proxy->next_seen;
  if (proxy->next_seen) proxy->next_seen->link = proxy->link;
  proxy->coroutine = NULL;
  proxy->next_seen = NULL;
  proxy->link = NULL;
}

static void keep(wax_proxy_full *proxy) {
  leave_owner(proxy);
  proxy->is_left_over = false;
}

void wax_proxy_keep(lua_State *L, int index) {
  wax_proxy *given = wax_proxy_to_proxy(L, index);
  wax_proxy_full *proxy = given ? wax_proxy_to_full(given) : NULL;
  if (proxy && proxy->coroutine) keep(proxy);
}

/* {==================================================================
** Sharing
** =================================================================== */

/* False: there is no memory, or it is shared by too many. */
static bool share(wax_lua_coroutine *coroutine, wax_proxy_full *proxy) {
  for (size_t i = 0; i < coroutine->shared_count; i++)
    if (coroutine->shared[i] == proxy) return true;
  if (proxy->sharers == UINT16_MAX) return false;
  if (coroutine->shared_count == coroutine->shared_capacity) {
    size_t capacity = coroutine->shared_capacity ? coroutine->shared_capacity * 2 : 8;
    wax_proxy_full **grown = realloc(coroutine->shared, capacity * sizeof *grown);
    if (!grown) return false;
    coroutine->shared = grown;
    coroutine->shared_capacity = capacity;
  }
  coroutine->shared[coroutine->shared_count++] = proxy;
  proxy->sharers++;
  return true;
}

/* A call inside the owner, on its thread, ends before it: unless it can wait. */
static bool is_inside(const wax_lua_coroutine *coroutine, const wax_lua_coroutine *owner) {
  return owner && !coroutine->may_wait && coroutine->thread == owner->thread;
}

void wax_proxy_seen_again(lua_State *L) {
  wax_proxy_full *proxy = wax_proxy_to_full(lua_touserdata(L, -1));
  if (__builtin_expect(!proxy || (!proxy->coroutine && !proxy->sharers), 1)) return;
  wax_lua_coroutine *coroutine = wax_lua_running_coroutine(wax_lua_state_of(L));
  if (coroutine && coroutine == proxy->coroutine) return;
  if (!coroutine || !coroutine->drops_proxies) return keep(proxy);
  if (!is_inside(coroutine, proxy->coroutine) && !share(coroutine, proxy)) keep(proxy);
}

static void unshare(wax_lua_coroutine *coroutine, const wax_proxy_full *proxy) {
  for (size_t i = 0; i < coroutine->shared_count; i++) {
    if (coroutine->shared[i] != proxy) continue;
    coroutine->shared[i] = coroutine->shared[--coroutine->shared_count];
    return;
  }
}

void wax_proxy_collected(lua_State *L, wax_proxy *collected) {
  wax_proxy_full *proxy = wax_proxy_to_full(collected);
  if (!proxy) return;
  keep(proxy);
  if (!proxy->sharers) return;
  for (wax_lua_coroutine *coroutine = wax_lua_state_of(L)->busy_coroutines; coroutine;
       coroutine = coroutine->next)
    unshare(coroutine, proxy);
  proxy->sharers = 0;
}

/* }================================================================== */

/* {==================================================================
** The end of a call
** =================================================================== */

static void forget_object(lua_State *L, void *object) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &wax_proxy_objects_key);
  lua_pushnil(L);
  lua_rawsetp(L, -2, object); /* allocates nothing */
  lua_pop(L, 1);
}

static void drop(wax_lua_state *state, wax_proxy_full *full) {
  wax_proxy *proxy = &full->base;
  uint32_t kind = proxy->kind;
  if (wax_proxy_is_closure(kind)) return wax_proxy_drop_closure(state, proxy);
  if (kind == 0) return;
  proxy->kind = 0;
  if (kind == WAX_PROXY_KIND_OBJECT) forget_object(state->main, proxy->pointer);
  if (full->live_count) wax_proxy_live_count_add(state, full->live_count, -1);
  if (kind == WAX_PROXY_KIND_SUPER) kind = WAX_PROXY_KIND_OBJECT;
  wax_lua_defer_release(state, kind, proxy->pointer, proxy->type);
}

void wax_proxy_drop_seen(wax_lua_coroutine *coroutine) {
  while (coroutine->seen) {
    wax_proxy_full *proxy = coroutine->seen;
    leave_owner(proxy);
    if (proxy->sharers)
      proxy->is_left_over = true;
    else
      drop(coroutine->state, proxy);
  }
  while (coroutine->shared_count) {
    wax_proxy_full *proxy = coroutine->shared[--coroutine->shared_count];
    if (--proxy->sharers || !proxy->is_left_over) continue;
    proxy->is_left_over = false;
    drop(coroutine->state, proxy);
  }
}

void wax_proxy_forget_seen(wax_lua_coroutine *coroutine) {
  while (coroutine->seen) keep(coroutine->seen);
  while (coroutine->shared_count) {
    wax_proxy_full *proxy = coroutine->shared[--coroutine->shared_count];
    proxy->sharers--;
    keep(proxy);
  }
  free(coroutine->shared);
  coroutine->shared = NULL;
  coroutine->shared_capacity = 0;
}

/* }================================================================== */
