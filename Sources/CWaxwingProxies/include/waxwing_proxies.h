/* SPDX-License-Identifier: MIT
 *
 * States in which Lua code sees objects and values of Swift's.
 */
#ifndef WAXWING_PROXIES_H
#define WAXWING_PROXIES_H

#include "waxwing_state.h"

/* What C asks of Swift. Each is called with the state entered unless it says otherwise. */
typedef struct waxwing_hooks {
  /* Gives up what a proxy owned. Called with the state left: deinitializers may run and enter
     the state again. */
  void (*release)(uint32_t kind, void *pointer, const void *type);
  /* Defines (waxwing_define_metatable) the metatable for proxies of `type`, or of `kind` where
     type is NULL. Returns false if that failed. */
  bool (*make_metatable)(void *context, lua_State *L, const void *type, uint32_t kind);
  void *context;
  /* Makes the face of a type and sets it (waxwing_set_face), if it is one that has a face. */
  void (*make_face)(void *context, lua_State *L, const void *type);
  /* The kernel's id of the calling thread. With the state entered or not. */
  uint64_t (*current_thread)(void);
} waxwing_hooks;

/* Returns NULL if there is no memory for a state. `memory_limit` in bytes, 0: none.
   `open_libraries` is called in the new state, protected: [-0, +0, me]. */
waxwing_state *waxwing_state_create(size_t memory_limit, void (*open_libraries)(lua_State *L),
                                    waxwing_hooks hooks);

/* Objects and values that proxies of this state hold now. */
size_t waxwing_state_live_proxies(const waxwing_state *state);

/* Calls `each` with every type of which proxies hold objects or values now, and how many. Any
   thread; the state must not be closed meanwhile. */
void waxwing_state_each_tally(const waxwing_state *state, void *context,
                              void (*each)(void *context, const void *type, uint32_t kind,
                                           size_t count));

#endif
