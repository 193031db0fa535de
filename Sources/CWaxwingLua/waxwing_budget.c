/* SPDX-License-Identifier: MIT
 *
 * The count hook, and how a call is stopped.
 */
#include "waxwing_budget.h"

#include <lauxlib.h>
#include <stdio.h>
#include <time.h>

#include "waxwing_call_private.h"
#include "waxwing_turn.h"

/* Instructions between two looks. Any count hook makes each instruction dearer; a higher count
   would gain nothing. */
#define MOST_STEP 1000
/* One instruction may go over a whole string, and comparing two with zeros in them takes 10 ns for
   each byte. Once there has been a long one, fewer instructions are between two looks: so many that
   they cannot go over more bytes than this. */
#define MOST_BYTES_PER_STEP (16 << 20)
#define LEAST_STEP 2
/* Going over a table, as `next` does where it is empty, is so much cheaper for each byte. */
#define TABLE_SHARE 64
/* The thread's own clock costs a system call: it is read when this much real time has gone by. */
#define CLOCK_NANOSECONDS 250000
/* Of what has overshot the limit of memory. Not 1: that is a tripped call's. */
#define URGENT_STEP 3
/* After so many collections because of memory the call is stopped. */
#define MOST_REFUSALS 16

/* What functions of the program do for a call is free, as much as it is, in so many calls of them;
   and besides, but for the longest, this share of the time that the call has, or this many
   nanoseconds, whatever is more. */
#define CALLS_FOR_FREE 1000
#define CALLED_SHARE 2
#define CALLED_NANOSECONDS INT64_C(1000000000)
/* Of the real time that they take, until the thread's own is looked at. */
#define CALLED_BETWEEN_LOOKS INT64_C(20000000)

static const char trip_key = 0; /* its address is the error value */

_Thread_local waxwing_lane *waxwing_running;

static void count(lua_State *L, lua_Debug *activation);

/* {==================================================================
** Tripping
** =================================================================== */

/* The first look at the place where it happened counts, not where a `pcall` saw it. */
static int raise_trip(lua_State *L, waxwing_lane *lane) {
  waxwing_make_room(L);
  lua_sethook(L, count, LUA_MASKCOUNT, 1);
  lane->is_broken = true; /* its coroutine's hook stays like this */
  if (!lane->spending.trip_is_placed) {
    lane->spending.trip_is_placed = true;
    lane->frame_count = waxwing_capture_frames(L, 0, &lane->frames);
  }
  lua_pushlightuserdata(L, (void *)&trip_key);
  return lua_error(L);
}

static void trip(lua_State *L, waxwing_lane *lane, waxwing_trip reason) {
  lane->spending.trip = reason;
  raise_trip(L, lane);
}

bool waxwing_is_trip(lua_State *L, int index) { return lua_touserdata(L, index) == &trip_key; }

bool waxwing_is_tripped(lua_State *L) {
  const waxwing_lane *lane = waxwing_running_lane(waxwing_state_of(L));
  return lane && lane->spending.trip;
}

void waxwing_check_trip(lua_State *L) {
  if (waxwing_is_tripped(L)) raise_trip(L, waxwing_running);
}

/* Nanoseconds. */
static int64_t called_limit(const waxwing_lane *lane) {
  int64_t limit = CALLED_SHARE * lane->spending.limits.nanoseconds;
  return limit > CALLED_NANOSECONDS ? limit : CALLED_NANOSECONDS;
}

static void describe_trip(const waxwing_lane *lane, char *text, size_t size) {
  const waxwing_limits *limits = &lane->spending.limits;
  switch (lane->spending.trip) {
    case WAXWING_TRIP_INSTRUCTIONS:
      snprintf(text, size, "the call has run more than %lld instructions (`limits.instructions`)",
               (long long)limits->instructions);
      break;
    case WAXWING_TRIP_TIME:
      snprintf(text, size, "the call has run for more than %lld ms (`limits.milliseconds`)",
               (long long)(limits->nanoseconds / 1000000));
      break;
    case WAXWING_TRIP_CALLED:
      snprintf(text, size,
               "functions that the call has called have run for more than %lld ms, in more than "
               "%d calls (`limits.milliseconds`)",
               (long long)(called_limit(lane) / 1000000), CALLS_FOR_FREE);
      break;
    case WAXWING_TRIP_MEMORY:
      if (lane->spending.refusals >= MOST_REFUSALS)
        snprintf(text, size, "the call keeps requesting more memory (`limits.memory`)");
      else
        snprintf(text, size,
                 "not enough memory: the patch, or all patches together, have reached the limit "
                 "(`limits.memory`)");
      break;
    case WAXWING_TRIP_NONE: snprintf(text, size, "the error of an earlier call that was stopped");
  }
}

const char *waxwing_trip_text(waxwing_lane *lane) {
  char *text = lane->spending.text;
  size_t size = sizeof lane->spending.text;
  for (int i = 0; i < lane->frame_count; i++) {
    if (lane->frames[i].line < 0) continue;
    int count = snprintf(text, size, "%s:%d: ", lane->frames[i].source, lane->frames[i].line);
    text += count;
    size -= (size_t)count;
    break;
  }
  describe_trip(lane, text, size);
  return lane->spending.text;
}

/* }================================================================== */

/* {==================================================================
** Spending
** =================================================================== */

static int64_t nanoseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* A call that is soon over never looks at a clock. */
static void spend_time(waxwing_lane *lane) {
  waxwing_spending *spending = &lane->spending;
  int64_t now = nanoseconds(CLOCK_MONOTONIC);
  if (spending->clock_runs && now - spending->looked_at < CLOCK_NANOSECONDS) return;
  int64_t own = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
  int64_t spent = own - spending->own_time - spending->elsewhere;
  if (spending->clock_runs && spent > 0) spending->nanoseconds += spent;
  if (!spending->clock_runs) spending->turn_own_time = own;
  spending->clock_runs = true;
  spending->looked_at = now;
  spending->own_time = own;
  spending->elsewhere = 0;
}

/* Real time that is not charged. Where the thread has waited in it, it is more than what it has
   used, and a little of what it used besides is not charged either. */
static void excuse(waxwing_lane *lane, int64_t time) {
  lane->spending.elsewhere += time;
  lane->spending.looked_at += time;
}

static void look(lua_State *L, waxwing_lane *lane) {
  const waxwing_limits *limits = &lane->spending.limits;
  if (limits->nanoseconds) spend_time(lane);
  if (limits->instructions && lane->spending.instructions > limits->instructions)
    trip(L, lane, WAXWING_TRIP_INSTRUCTIONS);
  else if (limits->nanoseconds && lane->spending.nanoseconds > limits->nanoseconds)
    trip(L, lane, WAXWING_TRIP_TIME);
  else if (lane->spending.refusals >= MOST_REFUSALS)
    trip(L, lane, WAXWING_TRIP_MEMORY);
}

/* {==================================================================
** Memory
** =================================================================== */

void waxwing_budget_overshot(waxwing_state *state, bool is_system) {
  state->is_system_over |= is_system;
  if (state->is_over) return;
  state->is_over = true;
  const waxwing_lane *lane = waxwing_running_lane(state);
  if (lane && !lane->spending.trip) lua_sethook(lane->running, count, LUA_MASKCOUNT, URGENT_STEP);
}

/* Everything is anchored where this is called. */
static void settle_memory(lua_State *L, size_t growth) {
  waxwing_state *state = waxwing_state_of(L);
  waxwing_lane *lane = waxwing_running_lane(state);
  bool is_system = state->is_system_over;
  state->is_over = state->is_system_over = false;
  if (lane && lane->spending.trip) raise_trip(L, lane);
  waxwing_trim_idle(state);
  lua_gc(L, LUA_GCCOLLECT);
  if (is_system) waxwing_fill_memory_reserve();
  if (lane) lane->spending.refusals++;
  if (!is_system && waxwing_memory_fits(state, growth)) return;
  if (lane) trip(L, lane, WAXWING_TRIP_MEMORY);
  waxwing_raise(L, "not enough memory: the patch, or all patches together, have reached the limit "
                   "(`limits.memory`)");
}

void waxwing_check_memory(lua_State *L) {
  if (__builtin_expect(waxwing_state_of(L)->is_over, 0)) settle_memory(L, 0);
}

void waxwing_reserve_memory(lua_State *L, size_t bytes) {
  if (bytes < 4096 || waxwing_memory_fits(waxwing_state_of(L), bytes)) return;
  settle_memory(L, bytes);
}

/* Has the coroutine looked at as often as its state is now. */
static void update_step(lua_State *co, int step) {
  if (lua_gethookcount(co) > step) lua_sethook(co, count, LUA_MASKCOUNT, step);
}

lua_State *waxwing_budget_move(lua_State *coroutine) {
  if (!waxwing_running || !coroutine) return NULL;
  lua_State *outer = waxwing_running->running;
  waxwing_running->running = coroutine;
  update_step(coroutine, waxwing_running->state->hook_step);
  return outer;
}

/* }================================================================== */

/* Functions of the library that call Lua are in one another up to 200 deep. */
static void raise_stack(lua_State *L) {
  waxwing_make_room(L);
  waxwing_raise(L, "%s", waxwing_stack_problem());
}

void waxwing_charge(lua_State *L, size_t instructions) {
  waxwing_lane *lane = waxwing_running_lane(waxwing_state_of(L));
  if (__builtin_expect(waxwing_stack_is_low(), 0)) raise_stack(L);
  if (!lane) return;
  if (lane->spending.trip) raise_trip(L, lane);
  waxwing_check_memory(L);
  int64_t before = lane->spending.instructions;
  lane->spending.instructions =
      before + (int64_t)(instructions < INT32_MAX ? instructions : INT32_MAX);
  if (lane->spending.limits.instructions &&
      lane->spending.instructions > lane->spending.limits.instructions)
    trip(L, lane, WAXWING_TRIP_INSTRUCTIONS);
  else if (waxwing_is_look_due(before, lane->spending.instructions))
    look(L, lane); /* a function of C's may take longer than the time limit */
}

void waxwing_spend(lua_State *L, size_t instructions) {
  waxwing_lane *lane = waxwing_running;
  if (lane && lane->state == waxwing_state_of(L))
    lane->spending.instructions += (int64_t)instructions;
}

bool waxwing_was_tripped(lua_State *co) { return lua_gethookcount(co) == 1; }

static void count(lua_State *L, lua_Debug *activation) {
  (void)activation;
  waxwing_lane *lane = waxwing_running;
  if (!lane || lane->state != waxwing_state_of(L)) return;
  if (lane->spending.trip) raise_trip(L, lane);
  int step = lua_gethookcount(L), usual = lane->state->hook_step;
  lane->spending.instructions += step;
  if (step > usual || (step == URGENT_STEP && step != usual))
    lua_sethook(L, usual ? count : NULL, usual ? LUA_MASKCOUNT : 0, usual);
  waxwing_check_memory(L);
  look(L, lane);
}

void waxwing_budget_use_step(waxwing_lane *lane) {
  lane->step = lane->state->hook_step;
  /* Of a call that was tripped the hook stays as it is. */
  if (!lane->is_broken) lua_sethook(lane->L, count, LUA_MASKCOUNT, lane->step);
  if (lane == waxwing_running) update_step(lane->running, lane->step);
}

void waxwing_budget_grown(waxwing_state *state, size_t bytes, bool is_string) {
  size_t weight = is_string ? bytes : bytes / TABLE_SHARE;
  if (weight <= MOST_BYTES_PER_STEP / MOST_STEP || !state->hook_step) return;
  size_t most = MOST_BYTES_PER_STEP / weight;
  int step = most < LEAST_STEP ? LEAST_STEP : (int)most;
  if (step >= state->hook_step) return;
  state->hook_step = step;
  waxwing_lane *lane = waxwing_running_lane(state);
  if (lane) waxwing_budget_use_step(lane);
}

void waxwing_budget_allocated(const waxwing_state *state, size_t bytes) {
  waxwing_lane *lane = waxwing_running;
  if (lane && lane->state == state) lane->spending.instructions += (int64_t)(bytes / 64);
}

void waxwing_budget_refused(const waxwing_state *state) {
  waxwing_lane *lane = waxwing_running;
  if (lane && lane->state == state) lane->spending.refusals++;
}

/* The thread's own time is a system call: it is looked at only where the real time is too much. */
static void spend_called(waxwing_lane *lane, int64_t time) {
  waxwing_spending *spending = &lane->spending;
  spending->calls++;
  spending->called += time;
  if (time > spending->longest_call) spending->longest_call = time;
  int64_t limit = called_limit(lane), counted = spending->called - spending->longest_call;
  if (spending->calls <= CALLS_FOR_FREE || counted <= limit) return;
  if (spending->called - spending->called_looked_at < CALLED_BETWEEN_LOOKS) return;
  spending->called_looked_at = spending->called;
  int64_t own = nanoseconds(CLOCK_THREAD_CPUTIME_ID) - spending->turn_own_time;
  if (spending->earlier_own_time + own - spending->longest_call > limit && !spending->trip)
    spending->trip = WAXWING_TRIP_CALLED;
}

void waxwing_budget_pause(const waxwing_state *state) {
  waxwing_lane *lane = waxwing_running;
  if (!lane || lane->state != state || !lane->spending.clock_runs) return;
  lane->spending.paused_at = nanoseconds(CLOCK_MONOTONIC);
}

void waxwing_budget_resume(const waxwing_state *state) {
  waxwing_lane *lane = waxwing_running;
  if (!lane || lane->state != state || !lane->spending.paused_at) return;
  int64_t time = nanoseconds(CLOCK_MONOTONIC) - lane->spending.paused_at;
  excuse(lane, time);
  lane->spending.paused_at = 0;
  spend_called(lane, time);
}

/* Of the bridge's own work this part is charged, so that a loop of calls ends, and a dozen of dear
   ones do not use up what the script has for itself: less of what declares something, as there is
   an end to that. Without optimisation all is much dearer. What fails is charged whole. */
#ifdef __OPTIMIZE__
#define CHARGED_SHARE 2
#define DECLARING_SHARE 10
#define FAILED_SHARE 1
#else
#define CHARGED_SHARE 50
#define DECLARING_SHARE 50
#define FAILED_SHARE 50
#endif

/* Of one crossing this is charged like that. What goes beyond it is the looking up of names in the
   program's files for the first time, which is not the script's to answer for: of that a state has
   so much free, in all its life, as what it finds is kept. What is not found is not kept: a few
   such look-ups may be the first of their kind, those after them are charged whole. */
#define DEAR_FAILURES 8
#define MOST_OF_CROSSING INT64_C(100000)
#define MOST_OF_FAILURE INT64_C(4000000)
#ifdef __OPTIMIZE__
#define FREE_LOOKING_UP INT64_C(2000000000)
#else
#define FREE_LOOKING_UP INT64_C(60000000000)
#endif

/* Instructions after which a call that crosses is worth a clock. */
#define CROSSING_BEFORE_CLOCK 500

int64_t waxwing_budget_cross(lua_State *L) {
  waxwing_lane *lane = waxwing_running;
  if (!lane || lane->state != waxwing_state_of(L) || !lane->spending.limits.nanoseconds) return 0;
  if (!lane->spending.clock_runs) {
    int64_t spent = lane->spending.instructions - lane->spending.turn_began_at;
    if (spent < CROSSING_BEFORE_CLOCK) return 0;
    spend_time(lane);
  }
  return nanoseconds(CLOCK_MONOTONIC) - lane->spending.elsewhere;
}

static int64_t charge_for(waxwing_state *state, int64_t spent, bool declares, bool succeeded) {
  int64_t share = !succeeded ? FAILED_SHARE : declares ? DECLARING_SHARE : CHARGED_SHARE;
  int64_t most = succeeded ? MOST_OF_CROSSING : MOST_OF_FAILURE;
  int64_t charged = spent / share;
  if (charged <= most) return charged;
  if (!succeeded && ++state->dear_failures > DEAR_FAILURES) return spent;
  int64_t beyond = spent - share * most;
  int64_t left = FREE_LOOKING_UP - state->looked_up;
  int64_t free = beyond < left ? beyond : left;
  state->looked_up += free;
  return most + beyond - free;
}

/* Of so much real time, in which the thread may have been kept from running, what was its own: no
   more than it has had since it was looked at. */
static int64_t own_part(const waxwing_lane *lane, int64_t time) {
  if (time <= CHARGED_SHARE * MOST_OF_CROSSING || !lane->spending.clock_runs) return time;
  int64_t own = nanoseconds(CLOCK_THREAD_CPUTIME_ID) - lane->spending.own_time;
  return own < time ? own : time;
}

void waxwing_budget_back(lua_State *L, int64_t crossed_at, bool declares, bool succeeded) {
  waxwing_lane *lane = waxwing_running;
  if (!crossed_at || !lane || lane->state != waxwing_state_of(L)) return;
  int64_t now = nanoseconds(CLOCK_MONOTONIC);
  int64_t spent = own_part(lane, now - lane->spending.elsewhere - crossed_at);
  int64_t charged = charge_for(lane->state, spent, declares, succeeded);
  if (spent > charged) excuse(lane, spent - charged);
  if (now - lane->spending.looked_at < CLOCK_NANOSECONDS) return;
  spend_time(lane); /* the call does not come to a look by itself while crossings are most of it */
  if (lane->spending.trip == WAXWING_TRIP_NONE &&
      lane->spending.nanoseconds > lane->spending.limits.nanoseconds)
    lane->spending.trip = WAXWING_TRIP_TIME;
}

/* }================================================================== */

/* {==================================================================
** Calls
** =================================================================== */

/* A small limit wants to be looked at more often. */
static int step(int64_t instructions) {
  if (!instructions || instructions >= 16 * MOST_STEP) return MOST_STEP;
  return instructions < 16 ? 1 : (int)(instructions / 16);
}

void waxwing_set_limits(waxwing_state *state, waxwing_limits limits) {
  state->limits = limits;
  if (!state->hook_step && (limits.instructions || limits.nanoseconds))
    state->hook_step = step(limits.instructions);
}

/* The hook stays for as long as the lane lives: that costs calls nothing. */
void waxwing_budget_open(waxwing_lane *lane) {
  if (lane->state->hook_step) waxwing_budget_use_step(lane);
}

void waxwing_budget_urge(waxwing_lane *lane) {
  lua_sethook(lane->L, count, LUA_MASKCOUNT, URGENT_STEP);
}

void waxwing_budget_keep_own_time(waxwing_lane *lane) {
  if (lane->spending.calls > CALLS_FOR_FREE && lane->spending.clock_runs)
    lane->spending.earlier_own_time +=
        nanoseconds(CLOCK_THREAD_CPUTIME_ID) - lane->spending.turn_own_time;
}

/* }================================================================== */
