/* SPDX-License-Identifier: MIT
 *
 * The inside of a state, where proxies are concerned.
 */
#ifndef WAXWING_PROXY_STATE_H
#define WAXWING_PROXY_STATE_H

#include "waxwing_cycles.h"
#include "waxwing_proxies.h"
#include "waxwing_state_private.h"

typedef struct waxwing_tally waxwing_tally;

/* Every state that waxwing_state_create has made is one of these. */
typedef struct waxwing_proxy_state {
  waxwing_state base;
  waxwing_hooks hooks;

  /* Everything below: only by the thread that is in, but for what says that any may read it. */
  _Atomic(size_t) live_proxies;     /* written by the thread that is in, read by any */
  _Atomic(waxwing_tally *) tallies; /* likewise; newest first */

  /* The pace of the collector, see waxwing_tally.c. */
  size_t quota;         /* proxies that may be made between two collections */
  size_t collect_above; /* this number of live proxies */
  uint32_t proxies_since_step;

  /* Objects with fields, see waxwing_fields.c. */
  void **field_owners;
  size_t field_owner_count;
  size_t field_owner_capacity;
  size_t field_hand; /* the next one to look at */

  /* Cycles through Swift, see waxwing_cycles.c. */
  waxwing_cycle_hooks cycle_hooks;
  waxwing_full_proxy *weak_references; /* that Lua code has, the newest first */
  bool postpones;                      /* proxies are not collected yet, but for those of cycles */

  bool has_fallbacks; /* `fallback` has been called */
} waxwing_proxy_state;

static inline waxwing_proxy_state *waxwing_proxies_of(waxwing_state *state) {
  return (waxwing_proxy_state *)state;
}

static inline const waxwing_proxy_state *waxwing_proxies_in(const waxwing_state *state) {
  return (const waxwing_proxy_state *)state;
}

/* Keys in the registry: the addresses. */
extern const char waxwing_proxies_key;    /* object -> proxy, weak values */
extern const char waxwing_metatables_key; /* type -> metatable */

#endif
