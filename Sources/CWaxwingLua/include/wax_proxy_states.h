/* SPDX-License-Identifier: MIT
 *
 * States in which Lua code sees objects and values of Swift's.
 */
#ifndef WAX_PROXY_STATES_H
#define WAX_PROXY_STATES_H

#include "wax_lua_state.h"

/* The functions of Swift that C calls. Each is called with the state entered unless it says
   otherwise. */
typedef struct wax_proxy_hooks {
  /* Gives up what a proxy owned. Called with the state left: deinitializers may run and enter
     the state again. */
  void (*release)(uint32_t kind, void *pointer, const void *type);
  /* Defines (wax_proxy_define_metatable) the metatable for proxies of `type`, or of `kind` where
     type is NULL. Returns false if that failed. */
  bool (*make_metatable)(void *context, lua_State *L, const void *type, uint32_t kind);
  void *context;
  /* Makes the type object of a type and sets it (wax_proxy_set_type_object), if it is one that has
   * a type object. */
  void (*make_type_object)(void *context, lua_State *L, const void *type);
  /* The kernel's id of the calling thread. With the state entered or not. */
  uint64_t (*current_thread)(void);
} wax_proxy_hooks;

/* Returns NULL if there is no memory for a state. `memory_limit` in bytes, 0: none.
   `open_libraries` is called in the new state, protected: [-0, +0, me]. */
wax_lua_state *wax_proxy_state_create(size_t memory_limit, void (*open_libraries)(lua_State *L),
                                      wax_proxy_hooks hooks);

/* Objects and values that proxies of this state hold now. */
size_t wax_proxy_state_live_proxies(const wax_lua_state *state);

/* Calls `each` with every type of which proxies hold objects or values now, and how many. Any
   thread; the state must not be closed meanwhile. */
void wax_proxy_state_each_live_count(const wax_lua_state *state, void *context,
                                     void (*each)(void *context, const void *type, uint32_t kind,
                                                  size_t count));

#endif
