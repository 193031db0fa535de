/* SPDX-License-Identifier: MIT
 *
 * How many instructions a call may run.
 *
 * A count hook on the lane's coroutine, which the coroutines that it makes inherit. What a call
 * spends is kept with its lane, over all its turns: waiting costs nothing. Once it is spent the
 * hook raises at every instruction, so that no `pcall` goes on.
 */
#include "waxwing_lua.h"

#include <lauxlib.h>

#include "waxwing_state_private.h"

#define STEP 1000

/* The lane whose Lua code this thread runs. */
static _Thread_local waxwing_lane *running __attribute__((tls_model("initial-exec")));

static void count(lua_State *L, lua_Debug *activation);

static bool is_spent(lua_State *L) {
  return running && running->instructions > waxwing_state_of(L)->instruction_limit;
}

static void trip(lua_State *L) {
  lua_sethook(L, count, LUA_MASKCOUNT, 1);
  waxwing_raise(L, "the call has run more than %I instructions (`limits.instructions`)",
                (LUAI_UACINT)waxwing_state_of(L)->instruction_limit);
}

void waxwing_charge(lua_State *L, size_t instructions) {
  if (!running) return;
  running->instructions += (int64_t)(instructions < INT32_MAX ? instructions : INT32_MAX);
  if (is_spent(L)) trip(L);
}

bool waxwing_is_tripped(lua_State *L) { return is_spent(L); }

void waxwing_check_trip(lua_State *L) {
  if (is_spent(L)) trip(L);
}

bool waxwing_was_tripped(lua_State *co) { return lua_gethookcount(co) == 1; }

static void count(lua_State *L, lua_Debug *activation) {
  (void)activation;
  waxwing_charge(L, STEP);
}

waxwing_lane *waxwing_budget_begin(waxwing_lane *lane) {
  waxwing_lane *outer = running;
  if (!lane->state->instruction_limit) return outer;
  running = lane;
  int step = lane->instructions > lane->state->instruction_limit ? 1 : STEP;
  lua_sethook(lane->L, count, LUA_MASKCOUNT, step);
  return outer;
}

void waxwing_budget_end(waxwing_lane *lane, waxwing_lane *outer) {
  if (!lane->state->instruction_limit) return;
  running = outer;
  lua_sethook(lane->L, NULL, 0, 0);
}

void waxwing_set_instruction_limit(waxwing_state *state, int64_t limit) {
  state->instruction_limit = limit;
}
