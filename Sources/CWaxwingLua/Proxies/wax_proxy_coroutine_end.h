/* SPDX-License-Identifier: MIT
 *
 * The end of a call in a coroutine, where proxies are concerned: inlined, as what is in
 * wax_lua_turn.h.
 */
#ifndef WAX_PROXY_COROUTINE_END_H
#define WAX_PROXY_COROUTINE_END_H

#include "wax_proxy.h"
#include "wax_lua_turn.h"

/* Whether what is made now is let go when the running call ends: see call_lifetime.c. */
static inline bool wax_proxy_dies_with_call(const wax_lua_state *state) {
  wax_lua_coroutine *coroutine = wax_lua_running_coroutine(state);
  return coroutine && coroutine->drops_proxies;
}

/* Ends the lending of objects to the coroutine's call. */
static inline void wax_proxy_end_lent(wax_lua_coroutine *coroutine) {
  while (coroutine->lent_count) {
    wax_proxy *proxy = coroutine->lent[--coroutine->lent_count];
    proxy->kind = 0;
    proxy->pointer = NULL;
  }
}

/* wax_lua_coroutine_release, of a coroutine whose buffer is empty. */
static inline void wax_proxy_give_back_coroutine(wax_lua_coroutine *coroutine) {
  wax_lua_state *state = coroutine->state;
  bool is_plain = wax_lua_transients == coroutine->transients_mark && !coroutine->seen &&
                  !coroutine->shared_count && !coroutine->is_broken && !coroutine->keeps_receiver &&
                  !state->has_explicit &&
                  state->idle_coroutine_count < WAX_LUA_MAX_IDLE_COROUTINES &&
                  state->new_edges <= state->edge_quota;
  if (__builtin_expect(!is_plain, 0)) {
    wax_lua_coroutine_release(coroutine);
    return;
  }
  wax_proxy_end_lent(coroutine);
  coroutine->drops_proxies = false;
  wax_lua_give_coroutine(coroutine);
  wax_lua_reset_coroutine(coroutine);
  coroutine->next = state->idle_coroutines;
  state->idle_coroutines = coroutine;
  state->idle_coroutine_count++;
}

#endif
