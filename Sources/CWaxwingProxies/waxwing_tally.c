/* SPDX-License-Identifier: MIT
 *
 * What proxies hold, counted by type, and the pace of the collector that follows from it.
 *
 * The collector sees the few bytes of a proxy, never the size of what hangs on it. So it is driven
 * by number as well: once `quota` more proxies are live than were after the last collection, each
 * batch of new ones makes a step, until a collection is complete.
 */
#include <stdlib.h>

#include "waxwing_proxy_private.h"

/* At least so many proxies are made between two collections. */
#define SMALLEST_QUOTA 1000

/* A collection walks through all of Lua's memory: the more there is, the rarer it has to be. */
#define BYTES_PER_PROXY 1024

/* New proxies between two steps. A step walks through about a megabyte of small tables. */
#define PROXIES_PER_STEP 64

struct waxwing_tally {
  const void *type;
  uint32_t kind;
  _Atomic(size_t) count; /* written by the thread that is in, read by any */
  waxwing_tally *next;   /* never changes once the tally can be seen */
};

static size_t quota(waxwing_state *state, size_t live) {
  size_t by_memory = waxwing_state_memory(state) / BYTES_PER_PROXY;
  size_t quota = by_memory > SMALLEST_QUOTA ? by_memory : SMALLEST_QUOTA;
  return live / 4 > quota ? live / 4 : quota;
}

void waxwing_tally_proxy(waxwing_state *state, waxwing_tally *tally, int change) {
  waxwing_proxy_state *proxies = waxwing_proxies_of(state);
  size_t by = (size_t)(ptrdiff_t)change; /* may be -1: sizes wrap */
  size_t count = atomic_load_explicit(&tally->count, memory_order_relaxed) + by;
  atomic_store_explicit(&tally->count, count, memory_order_relaxed);
  size_t live = atomic_load_explicit(&proxies->live_proxies, memory_order_relaxed) + by;
  atomic_store_explicit(&proxies->live_proxies, live, memory_order_relaxed);
  /* The collector has been at work by itself. */
  if (change < 0 && live + proxies->quota < proxies->collect_above)
    proxies->collect_above = live + proxies->quota;
}

void waxwing_set_pace(waxwing_state *state) {
  waxwing_proxy_state *proxies = waxwing_proxies_of(state);
  size_t live = waxwing_state_live_proxies(state);
  proxies->quota = quota(state, live);
  proxies->collect_above = live + proxies->quota;
  proxies->proxies_since_step = 0;
}

void waxwing_pace(lua_State *L) {
  waxwing_state *state = waxwing_state_of(L);
  waxwing_proxy_state *proxies = waxwing_proxies_of(state);
  if (waxwing_state_live_proxies(state) <= proxies->collect_above) return;
  if (proxies->proxies_since_step++ % PROXIES_PER_STEP) return;
  waxwing_sweep_fields(L, PROXIES_PER_STEP);
  if (lua_gc(L, LUA_GCSTEP, 0)) waxwing_set_pace(state);
}

waxwing_tally *waxwing_add_tally(waxwing_state *state, const void *type, uint32_t kind) {
  waxwing_proxy_state *proxies = waxwing_proxies_of(state);
  waxwing_tally *first = atomic_load_explicit(&proxies->tallies, memory_order_relaxed);
  for (waxwing_tally *tally = first; tally; tally = tally->next)
    if (tally->type == type && tally->kind == kind) return tally;
  waxwing_tally *tally = calloc(1, sizeof *tally);
  if (!tally) return NULL;
  tally->type = type;
  tally->kind = kind;
  tally->next = first;
  atomic_store_explicit(&proxies->tallies, tally, memory_order_release);
  return tally;
}

void waxwing_free_tallies(waxwing_state *state) {
  waxwing_tally *tally =
      atomic_load_explicit(&waxwing_proxies_of(state)->tallies, memory_order_relaxed);
  while (tally) {
    waxwing_tally *next = tally->next;
    free(tally);
    tally = next;
  }
}

void waxwing_state_each_tally(const waxwing_state *state, void *context,
                              void (*each)(void *context, const void *type, uint32_t kind,
                                           size_t count)) {
  waxwing_tally *tally =
      atomic_load_explicit(&waxwing_proxies_in(state)->tallies, memory_order_acquire);
  for (; tally; tally = tally->next) {
    size_t count = atomic_load_explicit(&tally->count, memory_order_relaxed);
    if (count) each(context, tally->type, tally->kind, count);
  }
}
