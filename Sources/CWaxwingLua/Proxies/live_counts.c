/* SPDX-License-Identifier: MIT
 *
 * What proxies hold, counted by type, and the pace of the collector that follows from it.
 *
 * The collector sees the few bytes of a proxy, never the size of what hangs on it. So it is driven
 * by number as well: once `quota` more proxies are live than were after the last collection, each
 * batch of new ones makes a step, until a collection is complete.
 */
#include <stdlib.h>

#include "wax_proxy_private.h"

/* At least so many proxies are made between two collections. */
#define SMALLEST_QUOTA 1000

/* A collection walks through all of Lua's memory: the more there is, the rarer it has to be. */
#define BYTES_PER_PROXY 1024

/* New proxies between two steps. A step walks through about a megabyte of small tables. */
#define PROXIES_PER_STEP 64

struct wax_proxy_live_count {
  const void *type;
  uint32_t kind;
  _Atomic(size_t) count;      /* written by the thread that is in, read by any */
  wax_proxy_live_count *next; /* never changes once the live count can be seen */
};

static size_t quota(wax_lua_state *state, size_t live) {
  size_t by_memory = wax_lua_state_memory(state) / BYTES_PER_PROXY;
  size_t quota = by_memory > SMALLEST_QUOTA ? by_memory : SMALLEST_QUOTA;
  return live / 4 > quota ? live / 4 : quota;
}

void wax_proxy_live_count_add(wax_lua_state *state, wax_proxy_live_count *live_count, int change) {
  wax_proxy_state *proxies = wax_proxy_state_of(state);
  size_t by = (size_t)(ptrdiff_t)change; /* may be -1: sizes wrap */
  size_t count = atomic_load_explicit(&live_count->count, memory_order_relaxed) + by;
  atomic_store_explicit(&live_count->count, count, memory_order_relaxed);
  size_t live = atomic_load_explicit(&proxies->live_proxies, memory_order_relaxed) + by;
  atomic_store_explicit(&proxies->live_proxies, live, memory_order_relaxed);
  /* The collector has been at work by itself. */
  if (change < 0 && live + proxies->quota < proxies->collect_above)
    proxies->collect_above = live + proxies->quota;
}

void wax_proxy_collector_reset_pace(wax_lua_state *state) {
  wax_proxy_state *proxies = wax_proxy_state_of(state);
  size_t live = wax_proxy_state_live_proxies(state);
  proxies->quota = quota(state, live);
  proxies->collect_above = live + proxies->quota;
  proxies->proxies_since_step = 0;
}

void wax_proxy_collector_pace(lua_State *L) {
  wax_lua_state *state = wax_lua_state_of(L);
  wax_proxy_state *proxies = wax_proxy_state_of(state);
  if (wax_proxy_state_live_proxies(state) <= proxies->collect_above) return;
  if (proxies->proxies_since_step++ % PROXIES_PER_STEP) return;
  wax_proxy_sweep_fields(L, PROXIES_PER_STEP);
  if (lua_gc(L, LUA_GCSTEP, 0)) wax_proxy_collector_reset_pace(state);
}

wax_proxy_live_count *wax_proxy_live_count_of(wax_lua_state *state, const void *type,
                                              uint32_t kind) {
  wax_proxy_state *proxies = wax_proxy_state_of(state);
  wax_proxy_live_count *first = atomic_load_explicit(&proxies->live_counts, memory_order_relaxed);
  for (wax_proxy_live_count *live_count = first; live_count; live_count = live_count->next)
    if (live_count->type == type && live_count->kind == kind) return live_count;
  wax_proxy_live_count *live_count = calloc(1, sizeof *live_count);
  if (!live_count) return NULL;
  live_count->type = type;
  live_count->kind = kind;
  live_count->next = first;
  atomic_store_explicit(&proxies->live_counts, live_count, memory_order_release);
  return live_count;
}

void wax_proxy_free_live_counts(wax_lua_state *state) {
  wax_proxy_live_count *live_count =
      atomic_load_explicit(&wax_proxy_state_of(state)->live_counts, memory_order_relaxed);
  while (live_count) {
    wax_proxy_live_count *next = live_count->next;
    free(live_count);
    live_count = next;
  }
}

void wax_proxy_state_each_live_count(const wax_lua_state *state, void *context,
                                     void (*each)(void *context, const void *type, uint32_t kind,
                                                  size_t count)) {
  wax_proxy_live_count *live_count =
      atomic_load_explicit(&wax_proxy_state_in(state)->live_counts, memory_order_acquire);
  for (; live_count; live_count = live_count->next) {
    size_t count = atomic_load_explicit(&live_count->count, memory_order_relaxed);
    if (count) each(context, live_count->type, live_count->kind, count);
  }
}
