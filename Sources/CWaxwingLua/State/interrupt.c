/* SPDX-License-Identifier: MIT
 *
 * SIGINT as a Lua error, as in Lua's own shell (lua.c): a hook may be set at any time.
 */
#include "wax_lua.h"

#include <lauxlib.h>
#include <signal.h>
#include <stdatomic.h>

static _Atomic(lua_State *) running;
static volatile sig_atomic_t was_interrupted;
static struct sigaction before;

static void stop(lua_State *L, lua_Debug *ar) {
  (void)ar;
  lua_sethook(L, NULL, 0, 0);
  lua_pushliteral(L, "interrupted");
  lua_error(L);
}

/* Only between two instructions of Lua code: no other frame is above it then. */
static void handle(int number) {
  was_interrupted = 1;
  lua_State *L = atomic_load(&running);
  if (!L) return;
  sigaction(number, &before, NULL);
  lua_sethook(L, stop, LUA_MASKCOUNT, 1);
}

void wax_lua_begin_interruptible(lua_State *L) {
  struct sigaction action = {.sa_handler = handle};
  sigemptyset(&action.sa_mask);
  /* What asks where the thread is has to find it there, not in this handler. */
  sigaddset(&action.sa_mask, SIGQUIT);
  was_interrupted = 0;
  atomic_store(&running, L);
  sigaction(SIGINT, &action, &before);
}

bool wax_lua_end_interruptible(void) {
  lua_State *L = atomic_exchange(&running, NULL);
  sigaction(SIGINT, &before, NULL);
  if (L) lua_sethook(L, NULL, 0, 0);
  return was_interrupted;
}
