/* SPDX-License-Identifier: MIT
 *
 * The inside of a waxwing_state, for the files of this target.
 */
#ifndef WAXWING_STATE_PRIVATE_H
#define WAXWING_STATE_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>
#include "waxwing_proxy.h"

/* What a collected proxy owned, until the state is left. */
typedef struct waxwing_pending {
  void *pointer;
  const void *type;
  uint32_t kind;
} waxwing_pending;

struct waxwing_state {
  lua_State *main;
  waxwing_hooks hooks;

  /* Which thread is in, and how often. `owner` is read by any thread: only the owner itself can
     find its own value there, so relaxed order is enough. `depth`: only by the owner. */
  pthread_mutex_t mutex;
  _Atomic(uintptr_t) owner;
  uint32_t depth;

  /* Everything below: only by the thread that is in. */
  waxwing_lane *idle_lanes;
  bool has_explicit;            /* what `error` raised is in the registry */
  size_t memory_limit;          /* bytes, 0: none */
  _Atomic(size_t) memory;       /* written by the thread that is in, read by any */
  _Atomic(size_t) live_proxies; /* likewise */
  uint32_t proxies_since_step;
  waxwing_pending *pending;
  size_t pending_count;
  size_t pending_capacity;

  /* References that Swift gave back: by any thread, under their own lock. */
  pthread_mutex_t returned_mutex;
  _Atomic(bool) has_returned;
  int *returned;
  size_t returned_count;
  size_t returned_capacity;
};

/* Keys in the registry: the addresses. */
extern const char waxwing_proxies_key;    /* object -> proxy, weak values */
extern const char waxwing_metatables_key; /* type -> metatable */
extern const char waxwing_explicit_key;   /* the value that `error` last raised */
extern const char waxwing_message_key;    /* what `error` was called with then */

/* Positions that every lane keeps at the bottom of its stack. */
#define WAXWING_LANE_PROXIES 1
#define WAXWING_LANE_HANDLER 2
#define WAXWING_LANE_BASE 2

/* Stack slots that a lane has from the start: pushing a plain call need not grow it. */
#define WAXWING_LANE_SLOTS 64

/* [-1, +1, -]  A message handler that records the traceback in the lane and keeps the value. */
int waxwing_record_traceback(lua_State *L);

/* [-1, +1, v]  `error` for scripts. */
int waxwing_error_function(lua_State *L);

/* Lets go of what `error` raised, which would live on as long as the state. */
void waxwing_forget_explicit(waxwing_state *state);

/* [-0, +0, me]  Opens the libraries that scripts may use. */
void waxwing_open_libraries(lua_State *L, waxwing_libraries libraries);

void waxwing_defer_release(waxwing_state *state, uint32_t kind, void *pointer, const void *type);

#endif
