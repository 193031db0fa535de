/* SPDX-License-Identifier: MIT
 *
 * Where calls stop for a debugger, and how they wait.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "wax_lua_budget.h"
#include "wax_lua_call_private.h"
#include "wax_lua_debug_private.h"
#include "wax_lua_turn.h"

/* Lines that have a breakpoint in some file, modulo this: a power of two. */
#define LINE_BITS 4096

/* Guarded by the state's lock, but for `is_on`. */
struct wax_lua_debugger {
  wax_lua_debug_client client;
  _Atomic(bool) is_on;
  bool wants_lines;
  bool stops_at_faults;
  bool pauses;
  wax_lua_breakpoint *breakpoints; /* with their texts behind them, in one block of malloc's */
  size_t breakpoint_count;
  uint8_t lines[LINE_BITS / 8];
  wax_lua_stop *stops; /* the newest first */
};

typedef struct wax_lua_debugger debugger;

static _Thread_local int quiet __attribute__((tls_model("initial-exec")));

void wax_lua_debug_begin_quiet(void) { quiet++; }
void wax_lua_debug_end_quiet(void) { quiet--; }

static bool is_on(const debugger *debugger) {
  return debugger && atomic_load_explicit(&debugger->is_on, memory_order_acquire);
}

bool wax_lua_debug_wants_lines(const wax_lua_state *state) {
  const debugger *debugger = state->debugger;
  return is_on(debugger) && debugger->wants_lines;
}

/* {==================================================================
** What the client asks for
** =================================================================== */

static void watch_all(wax_lua_state *state) {
  for (wax_lua_coroutine *each = state->idle_coroutines; each; each = each->next)
    wax_lua_budget_use_step(each);
  for (wax_lua_coroutine *each = state->busy_coroutines; each; each = each->next) {
    wax_lua_budget_use_step(each);
    if (each->running) wax_lua_budget_watch(each->running);
  }
}

/* Hooks that are not wanted any more take themselves out. */
static void want_lines(wax_lua_state *state, bool wants_lines) {
  debugger *debugger = state->debugger;
  bool begins = wants_lines && !debugger->wants_lines;
  debugger->wants_lines = wants_lines;
  if (begins) watch_all(state);
}

bool wax_lua_debug_attach(wax_lua_state *state, wax_lua_debug_client client) {
  if (!state->debugger) state->debugger = calloc(1, sizeof *state->debugger);
  debugger *debugger = state->debugger;
  if (!debugger) return false;
  debugger->client = client;
  debugger->pauses = debugger->wants_lines = false;
  atomic_store_explicit(&debugger->is_on, true, memory_order_release);
  return wax_lua_debug_set(state, NULL, 0, false);
}

void wax_lua_debug_detach(wax_lua_state *state) {
  atomic_store_explicit(&state->debugger->is_on, false, memory_order_release);
}

/* One block; NULL: no memory. */
static wax_lua_breakpoint *copy(const wax_lua_breakpoint *breakpoints, size_t count) {
  size_t size = count * sizeof *breakpoints, length = 0;
  for (size_t i = 0; i < count; i++) length += strlen(breakpoints[i].source) + 1;
  wax_lua_breakpoint *copies = malloc(size + length + 1);
  if (!copies) return NULL;
  char *text = (char *)(copies + count);
  for (size_t i = 0; i < count; i++) {
    size_t bytes = strlen(breakpoints[i].source) + 1;
    copies[i] = breakpoints[i];
    copies[i].source = memcpy(text, breakpoints[i].source, bytes);
    text += bytes;
  }
  return copies;
}

bool wax_lua_debug_set(wax_lua_state *state, const wax_lua_breakpoint *breakpoints, size_t count,
                       bool stops_at_faults) {
  debugger *debugger = state->debugger;
  wax_lua_breakpoint *copies = copy(breakpoints, count);
  if (!copies) return false;
  free(debugger->breakpoints);
  debugger->breakpoints = copies;
  debugger->breakpoint_count = count;
  debugger->stops_at_faults = stops_at_faults;
  memset(debugger->lines, 0, sizeof debugger->lines);
  for (size_t i = 0; i < count; i++) {
    unsigned line = (unsigned)copies[i].line % LINE_BITS;
    debugger->lines[line / 8] |= (uint8_t)(1u << line % 8);
  }
  want_lines(state, count > 0 || debugger->pauses);
  return true;
}

void wax_lua_debug_pause(wax_lua_state *state) {
  state->debugger->pauses = true;
  want_lines(state, true);
}

wax_lua_stop *wax_lua_debug_stop(const wax_lua_state *state, uint64_t number) {
  wax_lua_stop *stop = state->debugger ? state->debugger->stops : NULL;
  while (stop && stop->number != number) stop = stop->next;
  return stop;
}

void wax_lua_debug_close(wax_lua_state *state) {
  if (!state->debugger) return;
  free(state->debugger->breakpoints);
  free(state->debugger);
  state->debugger = NULL;
}

/* }================================================================== */

/* {==================================================================
** Stopping
** =================================================================== */

static bool has_level(lua_State *L, int level) {
  lua_Debug ar;
  return lua_getstack(L, level, &ar);
}

/* How many functions the coroutine is in. Asking for a level takes time with its number. */
static int depth(lua_State *L) {
  int beyond = 1, within = 0;
  while (has_level(L, beyond - 1)) {
    within = beyond;
    beyond *= 2;
  }
  while (within + 1 < beyond) {
    int middle = within + (beyond - within) / 2;
    if (has_level(L, middle - 1))
      within = middle;
    else
      beyond = middle;
  }
  return within;
}

static void unlink_stop(debugger *debugger, const wax_lua_stop *stop) {
  wax_lua_stop **link = &debugger->stops;
  while (*link != stop) link = &(*link)->next;
  *link = stop->next;
}

static void begin_step(wax_lua_stop *stop, wax_lua_debug_step step) {
  wax_lua_coroutine *coroutine = stop->coroutine;
  coroutine->budget.marks &= (uint8_t)~WAX_LUA_MARK_STEPS;
  if (step == WAX_LUA_DEBUG_CONTINUE || !is_on(coroutine->state->debugger)) return;
  coroutine->budget.marks |= WAX_LUA_MARK_STEPS;
  coroutine->debug_step = (uint8_t)step;
  coroutine->debug_depth = depth(stop->L);
  coroutine->debug_coroutine = stop->L;
  want_lines(coroutine->state, true);
  wax_lua_budget_watch(stop->L);
}

/* [state entered]  Leaves the state until the client lets the call go on. */
static wax_lua_debug_step wait(wax_lua_state *state, const wax_lua_stop *stop) {
  wax_lua_debug_client client = state->debugger->client;
  uint32_t entries = wax_lua_suspend(state);
  wax_lua_debug_step step = client.wait(client.context, stop->number);
  wax_lua_enter(state);
  state->depth = entries;
  wax_lua_budget_resume_uncounted(state);
  return step;
}

/* Whether the call has stopped here. A thread that is in another state as well does not: calls of
   that would wait for it. */
static bool stop_here(lua_State *L, wax_lua_stop stop) {
  wax_lua_state *state = wax_lua_state_of(L);
  debugger *debugger = state->debugger;
  wax_lua_coroutine *coroutine = wax_lua_running;
  if (wax_lua_states_entered != 1) return false;
  int error = errno;
  int64_t instructions = coroutine->budget.instructions;
  stop.L = L;
  stop.coroutine = coroutine;
  stop.thread = wax_lua_kernel_thread();
  stop.call = coroutine->budget.marks & WAX_LUA_MARK_KNOWN ? coroutine->debug_call : 0;
  stop.next = debugger->stops;
  debugger->stops = &stop;
  wax_lua_budget_pause(state);
  quiet++;
  bool stops = debugger->client.stops(debugger->client.context, &stop);
  quiet--;
  wax_lua_budget_resume_uncounted(state);
  if (stops) {
    coroutine->budget.marks |= WAX_LUA_MARK_KNOWN;
    coroutine->debug_call = stop.call;
    begin_step(&stop, wait(state, &stop));
  }
  unlink_stop(debugger, &stop);
  coroutine->budget.instructions = instructions;
  errno = error;
  return stops;
}

/* }================================================================== */

/* {==================================================================
** Where
** =================================================================== */

static const wax_lua_breakpoint *find(const debugger *debugger, const char *source, int line) {
  for (size_t i = 0; i < debugger->breakpoint_count; i++) {
    const wax_lua_breakpoint *breakpoint = &debugger->breakpoints[i];
    if (breakpoint->line == line && !strcmp(breakpoint->source, source)) return breakpoint;
  }
  return NULL;
}

/* A coroutine of the script's that was stepped in and does not run any more has come back to the
   one that resumed it. */
static bool step_ends(lua_State *L, const wax_lua_coroutine *coroutine) {
  if (coroutine->debug_step == WAX_LUA_DEBUG_STEP_IN) return true;
  if (L != coroutine->debug_coroutine)
    return L == coroutine->L && coroutine->debug_coroutine != coroutine->L;
  int now = depth(L);
  return coroutine->debug_step == WAX_LUA_DEBUG_STEP_OVER ? now <= coroutine->debug_depth
                                                          : now < coroutine->debug_depth;
}

/* Tells nothing of the prelude's, the library's and the debugger's own code. */
static bool is_script(lua_State *L, lua_Debug *ar) {
  lua_getinfo(L, "S", ar);
  return *ar->source == '@';
}

void wax_lua_debug_line(lua_State *L, lua_Debug *ar) {
  debugger *debugger = wax_lua_state_of(L)->debugger;
  wax_lua_coroutine *coroutine = wax_lua_running_coroutine(wax_lua_state_of(L));
  if (!coroutine || quiet || coroutine->budget.exceeded_limit) return;
  unsigned bit = (unsigned)ar->currentline % LINE_BITS;
  bool may_break = debugger->lines[bit / 8] & 1u << bit % 8;
  bool steps = coroutine->budget.marks & WAX_LUA_MARK_STEPS;
  if (!may_break && !steps && !debugger->pauses) return;
  if (!is_script(L, ar)) return;
  wax_lua_stop stop = {.line = ar->currentline, .source = ar->source + 1};
  const wax_lua_breakpoint *breakpoint = find(debugger, stop.source, stop.line);
  if (breakpoint) {
    stop.reason = WAX_LUA_STOP_BREAKPOINT;
    stop.breakpoint = breakpoint->number;
    if (stop_here(L, stop)) return;
    if (!is_on(debugger)) return;
  }
  if (steps && step_ends(L, coroutine)) {
    stop.reason = WAX_LUA_STOP_STEP;
    if (stop_here(L, stop)) return;
  }
  if (!debugger->pauses) return;
  stop.reason = WAX_LUA_STOP_PAUSE;
  debugger->pauses = false;
  if (!stop_here(L, stop)) debugger->pauses = true;
}

/* Whether the error is one of Swift's, or one that the script throws: its caller gets it. */
static bool is_thrown(lua_State *L) {
  lua_Debug ar;
  if (lua_type(L, 1) == LUA_TUSERDATA) return true;
  if (!lua_getstack(L, 1, &ar)) return false;
  lua_getinfo(L, "f", &ar);
  bool is_thrown = lua_tocfunction(L, -1) == wax_lua_throw_function;
  lua_pop(L, 1);
  return is_thrown;
}

/* [-0, +0, -]  The innermost line of the script's own. False: there is none. */
static bool find_script(lua_State *L, lua_Debug *ar) {
  for (int level = 1; lua_getstack(L, level, ar); level++) {
    lua_getinfo(L, "Sl", ar);
    if (*ar->source == '@' && ar->currentline > 0) return true;
  }
  return false;
}

void wax_lua_debug_fault(lua_State *L) {
  debugger *debugger = wax_lua_state_of(L)->debugger;
  if (__builtin_expect(!is_on(debugger), 1) || !debugger->stops_at_faults || quiet) return;
  wax_lua_coroutine *coroutine = wax_lua_running_coroutine(wax_lua_state_of(L));
  lua_Debug ar;
  if (!coroutine || coroutine->budget.exceeded_limit || !lua_checkstack(L, LUA_MINSTACK)) return;
  if (is_thrown(L) || !find_script(L, &ar)) return;
  stop_here(L, (wax_lua_stop){
                   .reason = WAX_LUA_STOP_FAULT, .line = ar.currentline, .source = ar.source + 1});
}

/* }================================================================== */
