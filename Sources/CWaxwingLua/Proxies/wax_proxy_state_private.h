/* SPDX-License-Identifier: MIT
 *
 * The inside of a state, where proxies are concerned.
 */
#ifndef WAX_PROXY_STATE_PRIVATE_H
#define WAX_PROXY_STATE_PRIVATE_H

#include "wax_proxy_cycles.h"
#include "wax_proxy_states.h"
#include "wax_lua_state_private.h"

typedef struct wax_proxy_live_count wax_proxy_live_count;

/* Every state that wax_proxy_state_create has made is one of these. */
typedef struct wax_proxy_state {
  wax_lua_state base;
  wax_proxy_hooks hooks;

  /* Everything below: only by the thread that is in, but for what says that any may read it. */
  _Atomic(size_t) live_proxies;                /* written by the thread that is in, read by any */
  _Atomic(wax_proxy_live_count *) live_counts; /* likewise; newest first */

  /* The pace of the collector, see live_counts.c. */
  size_t quota;         /* proxies that may be made between two collections */
  size_t collect_above; /* this number of live proxies */
  uint32_t proxies_since_step;

  /* Objects with fields, see fields.c. */
  void **field_owners;
  size_t field_owner_count;
  size_t field_owner_capacity;
  size_t field_hand; /* the next one to look at */

  /* Cycles through Swift, see cycles.c. */
  wax_proxy_cycle_hooks cycle_hooks;
  wax_proxy_full *weak_references; /* that Lua code has, the newest first */
  bool postpones;                  /* proxies are not collected yet, but for those of cycles */

  bool has_fallbacks; /* `fallback` has been called */
} wax_proxy_state;

static inline wax_proxy_state *wax_proxy_state_of(wax_lua_state *state) {
  return (wax_proxy_state *)state;
}

static inline const wax_proxy_state *wax_proxy_state_in(const wax_lua_state *state) {
  return (const wax_proxy_state *)state;
}

/* Keys in the registry: the addresses. */
extern const char wax_proxy_objects_key;    /* object -> proxy, weak values */
extern const char wax_proxy_metatables_key; /* type -> metatable */

#endif
