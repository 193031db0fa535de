/* SPDX-License-Identifier: MIT
 *
 * The count hook, and how a call is stopped.
 */
#include "wax_lua_budget.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "wax_lua_call_private.h"
#include "wax_lua_debug_private.h"
#include "wax_lua_time.h"
#include "wax_lua_turn.h"

/* Instructions between two looks. Any count hook makes each instruction dearer; a higher count
   would gain nothing. */
#define MAX_STEP 1000
/* One instruction may go over a whole string, and comparing two with zeros in them takes 10 ns for
   each byte. Once there has been a long one, fewer instructions are between two looks: so many that
   they cannot go over more bytes than this. */
#define MAX_BYTES_PER_STEP (16 << 20)
#define MIN_STEP 2
/* Going over a table, as `next` does where it is empty, is so much cheaper for each byte. */
#define TABLE_SHARE 64
/* Of what has overshot the limit of memory. Not 1: that is a tripped call's. */
#define URGENT_STEP 3
/* After so many collections because of memory the call is stopped. */
#define MAX_REFUSALS 16

static const char limit_error_key = 0; /* its address is the error value */

_Thread_local wax_lua_coroutine *wax_lua_running;

static void count(lua_State *L, lua_Debug *ar);

/* {==================================================================
** The hook
** =================================================================== */

/* Looks at instructions, as `count` does, and at lines besides. */
static void watch(lua_State *L, lua_Debug *ar);

/* Of a coroutine that is not tripped. `step`: 0: nothing is counted. */
static void set_hook(lua_State *co, const wax_lua_state *state, int step) {
  bool looks_at_lines = wax_lua_debug_wants_lines(state);
  int mask = (step ? LUA_MASKCOUNT : 0) | (looks_at_lines ? LUA_MASKLINE : 0);
  lua_sethook(co, looks_at_lines ? watch : step ? count : NULL, mask, step);
}

static void watch(lua_State *L, lua_Debug *ar) {
  if (ar->event == LUA_HOOKCOUNT)
    count(L, ar);
  else if (wax_lua_debug_wants_lines(wax_lua_state_of(L)))
    wax_lua_debug_line(L, ar);
  else
    set_hook(L, wax_lua_state_of(L), lua_gethookcount(L));
}

void wax_lua_budget_watch(lua_State *co) {
  if (lua_gethook(co) != watch && !wax_lua_was_stopped(co))
    set_hook(co, wax_lua_state_of(co), lua_gethookcount(co));
}

/* }================================================================== */

/* {==================================================================
** Tripping
** =================================================================== */

/* The first look at the place where it happened counts, not where a `pcall` saw it. */
static void mark_place(lua_State *L, wax_lua_coroutine *coroutine) {
  if (coroutine->budget.marks & WAX_LUA_MARK_PLACED) return;
  coroutine->budget.marks |= WAX_LUA_MARK_PLACED;
  wax_lua_capture_call(L, 0, coroutine);
}

static int raise_limit_error(lua_State *L, wax_lua_coroutine *coroutine) {
  wax_lua_make_room(L);
  lua_sethook(L, count, LUA_MASKCOUNT, 1);
  coroutine->is_broken = true; /* its coroutine's hook stays like this */
  mark_place(L, coroutine);
  lua_pushlightuserdata(L, (void *)&limit_error_key);
  return lua_error(L);
}

static void stop(lua_State *L, wax_lua_coroutine *coroutine, wax_lua_exceeded_limit reason) {
  coroutine->budget.exceeded_limit = reason;
  raise_limit_error(L, coroutine);
}

bool wax_lua_is_limit_error(lua_State *L, int index) {
  return lua_touserdata(L, index) == &limit_error_key;
}

bool wax_lua_has_exceeded_limit(lua_State *L) {
  const wax_lua_coroutine *coroutine = wax_lua_running_coroutine(wax_lua_state_of(L));
  return coroutine && coroutine->budget.exceeded_limit;
}

/* The states have been left: hooks are set when they are entered again. */
void wax_lua_stop_nested(wax_lua_coroutine *last) {
  for (wax_lua_coroutine *coroutine = wax_lua_running; coroutine; coroutine = coroutine->outer) {
    coroutine->budget.exceeded_limit = WAX_LUA_LIMIT_DEPTH;
    if (coroutine == last) return;
  }
}

void wax_lua_stop_waiting(wax_lua_coroutine *coroutine) {
  coroutine->budget.exceeded_limit = WAX_LUA_LIMIT_DEPTH;
  wax_lua_budget_stop_soon(coroutine);
}

static bool is_stopped_nested(const wax_lua_coroutine *coroutine) {
  return coroutine && coroutine->budget.exceeded_limit == WAX_LUA_LIMIT_DEPTH;
}

bool wax_lua_is_stopped_nested(void) { return is_stopped_nested(wax_lua_running); }

void wax_lua_budget_stop_soon(wax_lua_coroutine *coroutine) {
  lua_sethook(coroutine->running, count, LUA_MASKCOUNT, 1);
  coroutine->is_broken = true;
}

void wax_lua_check_limit(lua_State *L) {
  if (wax_lua_has_exceeded_limit(L)) raise_limit_error(L, wax_lua_running);
}

static void describe_limit(const wax_lua_coroutine *coroutine, char *text, size_t size) {
  const wax_lua_limits *limits = &coroutine->budget.limits;
  switch (coroutine->budget.exceeded_limit) {
    case WAX_LUA_LIMIT_INSTRUCTIONS:
      snprintf(text, size, "the call has run more than %lld instructions (`limits.instructions`)",
               (long long)limits->instructions);
      break;
    case WAX_LUA_LIMIT_TIME:
      snprintf(text, size, "the call has run for more than %lld ms (`limits.milliseconds`)",
               (long long)(limits->nanoseconds / 1000000));
      break;
    case WAX_LUA_LIMIT_CALLED:
      snprintf(text, size,
               "functions that the call has called have run for more than %lld ms, in more than "
               "%d calls (`limits.milliseconds`)",
               (long long)(wax_lua_time_called_limit(coroutine) / 1000000), WAX_LUA_CALLS_FOR_FREE);
      break;
    case WAX_LUA_LIMIT_MEMORY:
      if (coroutine->budget.refusals >= MAX_REFUSALS)
        snprintf(text, size, "the call keeps requesting more memory (`limits.memory`)");
      else
        snprintf(text, size,
                 "not enough memory: the patch, or all patches together, have reached the limit "
                 "(`limits.memory`)");
      break;
    case WAX_LUA_LIMIT_DEPTH:
      snprintf(text, size, "an override calls itself through the program (`limits.depth`)");
      break;
    case WAX_LUA_LIMIT_INTERRUPTED: snprintf(text, size, "interrupted"); break;
    case WAX_LUA_LIMIT_NONE: snprintf(text, size, "the error of an earlier call that was stopped");
  }
}

const char *wax_lua_limit_error_text(wax_lua_coroutine *coroutine) {
  char *text = coroutine->budget.text;
  size_t size = sizeof coroutine->budget.text;
  for (int i = 0; i < coroutine->frame_count; i++) {
    if (coroutine->frames[i].line < 0) continue;
    int count =
        snprintf(text, size, "%s:%d: ", coroutine->frames[i].source, coroutine->frames[i].line);
    text += count;
    size -= (size_t)count;
    break;
  }
  describe_limit(coroutine, text, size);
  return coroutine->budget.text;
}

/* }================================================================== */

/* {==================================================================
** Spending
** =================================================================== */

static bool is_interrupted(wax_lua_coroutine *coroutine) {
  wax_lua_state *state = coroutine->state;
  return atomic_load_explicit(&state->piece_is_interrupted, memory_order_relaxed) &&
         atomic_load(&state->piece) == coroutine;
}

static void poll(lua_State *L, wax_lua_coroutine *coroutine) {
  const wax_lua_limits *limits = &coroutine->budget.limits;
  if (limits->nanoseconds) wax_lua_time_add(coroutine);
  if (limits->instructions && coroutine->budget.instructions > limits->instructions)
    stop(L, coroutine, WAX_LUA_LIMIT_INSTRUCTIONS);
  else if (wax_lua_time_is_over(coroutine))
    stop(L, coroutine, WAX_LUA_LIMIT_TIME);
  else if (is_interrupted(coroutine))
    stop(L, coroutine, WAX_LUA_LIMIT_INTERRUPTED);
  else if (coroutine->budget.refusals >= MAX_REFUSALS)
    stop(L, coroutine, WAX_LUA_LIMIT_MEMORY);
}

bool wax_lua_budget_is_spent(wax_lua_state *state) {
  wax_lua_coroutine *coroutine = wax_lua_running_coroutine(state);
  if (!coroutine) return false;
  wax_lua_budget *budget = &coroutine->budget;
  if (budget->exceeded_limit) return true;
  if (!budget->limits.nanoseconds) return false;
  wax_lua_time_add(coroutine);
  if (!wax_lua_time_is_over(coroutine)) return false;
  budget->exceeded_limit = WAX_LUA_LIMIT_TIME;
  wax_lua_budget_stop_soon(coroutine);
  mark_place(coroutine->running, coroutine);
  return true;
}

/* {==================================================================
** Memory
** =================================================================== */

void wax_lua_budget_overshot(wax_lua_state *state, bool is_system) {
  state->is_system_over |= is_system;
  if (state->is_over) return;
  state->is_over = true;
  const wax_lua_coroutine *coroutine = wax_lua_running_coroutine(state);
  if (coroutine && !coroutine->budget.exceeded_limit)
    set_hook(coroutine->running, state, URGENT_STEP);
}

/* Everything is anchored where this is called. */
static void settle_memory(lua_State *L, size_t growth) {
  wax_lua_state *state = wax_lua_state_of(L);
  wax_lua_coroutine *coroutine = wax_lua_running_coroutine(state);
  bool is_system = state->is_system_over;
  state->is_over = state->is_system_over = false;
  if (coroutine && coroutine->budget.exceeded_limit) raise_limit_error(L, coroutine);
  wax_lua_trim_idle(state);
  lua_gc(L, LUA_GCCOLLECT);
  if (is_system) wax_lua_fill_memory_reserve();
  if (coroutine) coroutine->budget.refusals++;
  if (!is_system && wax_lua_memory_fits(state, growth)) return;
  if (coroutine) stop(L, coroutine, WAX_LUA_LIMIT_MEMORY);
  wax_lua_raise(L, "not enough memory: the patch, or all patches together, have reached the limit "
                   "(`limits.memory`)");
}

void wax_lua_check_memory(lua_State *L) {
  if (__builtin_expect(wax_lua_state_of(L)->is_over, 0)) settle_memory(L, 0);
}

void wax_lua_reserve_memory(lua_State *L, size_t bytes) {
  if (bytes < 4096 || wax_lua_memory_fits(wax_lua_state_of(L), bytes)) return;
  settle_memory(L, bytes);
}

/* Has the coroutine looked at as often as its state is now. */
static void update_step(lua_State *co, int step) {
  if (lua_gethookcount(co) > step) set_hook(co, wax_lua_state_of(co), step);
}

lua_State *wax_lua_budget_move(lua_State *coroutine) {
  if (!wax_lua_running || !coroutine) return NULL;
  lua_State *outer = wax_lua_running->running;
  wax_lua_running->running = coroutine;
  update_step(coroutine, wax_lua_running->state->hook_step);
  if (__builtin_expect(wax_lua_running->state->debugger != NULL, 0) &&
      wax_lua_debug_wants_lines(wax_lua_running->state))
    wax_lua_budget_watch(coroutine);
  return outer;
}

/* }================================================================== */

/* Functions of the library that call Lua are in one another up to 200 deep. */
static void raise_stack(lua_State *L) {
  wax_lua_make_room(L);
  wax_lua_raise(L, "%s", wax_lua_stack_problem());
}

void wax_lua_budget_consume(lua_State *L, size_t instructions) {
  wax_lua_coroutine *coroutine = wax_lua_running_coroutine(wax_lua_state_of(L));
  if (__builtin_expect(wax_lua_stack_is_low(), 0)) raise_stack(L);
  if (!coroutine) return;
  if (coroutine->budget.exceeded_limit) raise_limit_error(L, coroutine);
  wax_lua_check_memory(L);
  int64_t before = coroutine->budget.instructions;
  coroutine->budget.instructions =
      before + (int64_t)(instructions < INT32_MAX ? instructions : INT32_MAX);
  if (coroutine->budget.limits.instructions &&
      coroutine->budget.instructions > coroutine->budget.limits.instructions)
    stop(L, coroutine, WAX_LUA_LIMIT_INSTRUCTIONS);
  else if (wax_lua_is_poll_due(before, coroutine->budget.instructions))
    poll(L, coroutine); /* a function of C's may take longer than the time limit */
}

void wax_lua_budget_add(lua_State *L, size_t instructions) {
  wax_lua_coroutine *coroutine = wax_lua_running;
  if (coroutine && coroutine->state == wax_lua_state_of(L))
    coroutine->budget.instructions += (int64_t)instructions;
}

bool wax_lua_was_stopped(lua_State *co) { return lua_gethookcount(co) == 1; }

static void count(lua_State *L, lua_Debug *ar) {
  (void)ar;
  wax_lua_coroutine *coroutine = wax_lua_running;
  if (!coroutine || coroutine->state != wax_lua_state_of(L)) return;
  if (coroutine->budget.exceeded_limit) raise_limit_error(L, coroutine);
  int step = lua_gethookcount(L), usual = coroutine->state->hook_step;
  coroutine->budget.instructions += step;
  if (step > usual || (step == URGENT_STEP && step != usual)) set_hook(L, coroutine->state, usual);
  wax_lua_check_memory(L);
  poll(L, coroutine);
}

void wax_lua_budget_use_step(wax_lua_coroutine *coroutine) {
  coroutine->step = coroutine->state->hook_step;
  /* Of a call that was tripped the hook stays as it is. */
  if (!coroutine->is_broken) set_hook(coroutine->L, coroutine->state, coroutine->step);
  if (coroutine == wax_lua_running) update_step(coroutine->running, coroutine->step);
}

void wax_lua_budget_grown(wax_lua_state *state, size_t bytes, bool is_string) {
  size_t weight = is_string ? bytes : bytes / TABLE_SHARE;
  if (weight <= MAX_BYTES_PER_STEP / MAX_STEP || !state->hook_step) return;
  size_t most = MAX_BYTES_PER_STEP / weight;
  int step = most < MIN_STEP ? MIN_STEP : (int)most;
  if (step >= state->hook_step) return;
  state->hook_step = step;
  wax_lua_coroutine *coroutine = wax_lua_running_coroutine(state);
  if (coroutine) wax_lua_budget_use_step(coroutine);
}

void wax_lua_budget_allocated(const wax_lua_state *state, size_t bytes) {
  wax_lua_coroutine *coroutine = wax_lua_running;
  if (coroutine && coroutine->state == state)
    coroutine->budget.instructions += (int64_t)(bytes / 64);
}

void wax_lua_budget_refused(const wax_lua_state *state) {
  wax_lua_coroutine *coroutine = wax_lua_running;
  if (coroutine && coroutine->state == state) coroutine->budget.refusals++;
}

/* }================================================================== */

/* {==================================================================
** Calls
** =================================================================== */

/* A small limit wants to be looked at more often. */
static int step(int64_t instructions) {
  if (!instructions || instructions >= 16 * MAX_STEP) return MAX_STEP;
  return instructions < 16 ? 1 : (int)(instructions / 16);
}

void wax_lua_set_limits(wax_lua_state *state, wax_lua_limits limits) {
  state->limits = limits;
  if (!state->hook_step && (limits.instructions || limits.nanoseconds))
    state->hook_step = step(limits.instructions);
}

/* The hook stays for as long as the coroutine lives: that costs calls nothing. */
void wax_lua_budget_open(wax_lua_coroutine *coroutine) {
  if (coroutine->state->hook_step || wax_lua_debug_wants_lines(coroutine->state))
    wax_lua_budget_use_step(coroutine);
}

void wax_lua_budget_poll_soon(wax_lua_coroutine *coroutine) {
  set_hook(coroutine->L, coroutine->state, URGENT_STEP);
}

/* }================================================================== */

/* {==================================================================
** Parts of calls
** =================================================================== */

static bool runs_in(const lua_State *L, const wax_lua_budget_part *part) {
  return part->coroutine && part->coroutine->L == L;
}

void wax_lua_budget_open_part(lua_State *L, wax_lua_budget_part *part) {
  wax_lua_coroutine *coroutine = wax_lua_running_coroutine(wax_lua_state_of(L));
  part->coroutine = coroutine;
  if (!coroutine) return;
  part->outer = coroutine->budget;
  part->was_broken = coroutine->is_broken;
  uint8_t marks = coroutine->budget.marks;
  wax_lua_budget_renew(coroutine);
  coroutine->budget.marks = marks & ~WAX_LUA_MARK_PLACED;
  coroutine->budget.clock_runs = false;
  coroutine->budget.elsewhere = coroutine->budget.paused_at = 0;
  coroutine->budget.turn_began_at = coroutine->budget.instructions;
}

const char *wax_lua_budget_close_part(lua_State *L, wax_lua_budget_part *part, int status) {
  wax_lua_coroutine *coroutine = part->coroutine;
  if (!coroutine) return NULL;
  const char *text = coroutine->budget.exceeded_limit ? wax_lua_limit_error_text(coroutine)
                     : status == LUA_ERRMEM           ? "not enough memory (`limits.memory`)"
                                                      : NULL;
  uint8_t marks = coroutine->budget.marks & ~WAX_LUA_MARK_PLACED;
  char kept[sizeof coroutine->budget.text];
  memcpy(kept, coroutine->budget.text, sizeof kept);
  bool is_nested = is_stopped_nested(coroutine); /* that ends more than the part */
  coroutine->budget = part->outer;
  if (is_nested) coroutine->budget.exceeded_limit = WAX_LUA_LIMIT_DEPTH;
  coroutine->budget.marks = marks | (part->outer.marks & WAX_LUA_MARK_PLACED);
  /* The time of the part is not the call's: its clock begins again, and its turn. */
  coroutine->budget.clock_runs = false;
  coroutine->budget.elsewhere = coroutine->budget.paused_at = 0;
  coroutine->budget.turn_began_at = coroutine->budget.instructions;
  if (!text || is_nested) return NULL;
  if (runs_in(L, part)) {
    coroutine->is_broken = part->was_broken;
    coroutine->running = L;
    if (!coroutine->is_broken) set_hook(L, coroutine->state, coroutine->state->hook_step);
  }
  if (text == coroutine->budget.text) memcpy(coroutine->budget.text, kept, sizeof kept);
  return text;
}

/* }================================================================== */
