/* SPDX-License-Identifier: MIT
 *
 * What time a call is charged: its own, with a part of what the bridge does for it, and little of
 * what the program does.
 */
#include "wax_lua_time.h"

#include <time.h>

#include "wax_lua_budget.h"
#include "wax_lua_debug_private.h"
#include "wax_lua_turn.h"

/* The thread's own clock costs a system call: it is read when this much real time has gone by. */
#define CLOCK_NANOSECONDS 250000

/* The time for which functions of the program may run for a call, without the longest of them: this
   multiple of the time that the call has, and at least this many nanoseconds. */
#define CALLED_SHARE 2
#define CALLED_NANOSECONDS INT64_C(1000000000)
/* The real time of such functions after which the thread's own time is looked at again. */
#define CALLED_BETWEEN_POLLS INT64_C(20000000)

/* {==================================================================
** The clock
** =================================================================== */

static int64_t nanoseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void wax_lua_time_add(wax_lua_coroutine *coroutine) {
  wax_lua_budget *budget = &coroutine->budget;
  int64_t now = nanoseconds(CLOCK_MONOTONIC);
  if (budget->clock_runs && now - budget->polled_at < CLOCK_NANOSECONDS) return;
  int64_t own = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
  int64_t spent = own - budget->own_time - budget->elsewhere;
  if (budget->clock_runs && spent > 0) budget->nanoseconds += spent;
  if (!budget->clock_runs) budget->turn_own_time = own;
  budget->clock_runs = true;
  budget->polled_at = now;
  budget->own_time = own;
  budget->elsewhere = 0;
}

/* Leaves out real time, which is not charged. If the thread has waited in that time, it has used
   less, and as much of its other time is not charged either. */
static void exclude(wax_lua_coroutine *coroutine, int64_t time) {
  coroutine->budget.elsewhere += time;
  coroutine->budget.polled_at += time;
}

/* The factor by which a call has more time while a debugger looks at each line, which makes short
   lines several times as slow. */
#define WATCHED_TIME 10

bool wax_lua_time_is_over(const wax_lua_coroutine *coroutine) {
  const wax_lua_budget *budget = &coroutine->budget;
  if (!budget->limits.nanoseconds || budget->nanoseconds <= budget->limits.nanoseconds)
    return false;
  return !wax_lua_debug_wants_lines(coroutine->state) ||
         budget->nanoseconds / WATCHED_TIME > budget->limits.nanoseconds;
}

/* }================================================================== */

/* {==================================================================
** What the program does
** =================================================================== */

int64_t wax_lua_time_called_limit(const wax_lua_coroutine *coroutine) {
  int64_t limit = CALLED_SHARE * coroutine->budget.limits.nanoseconds;
  return limit > CALLED_NANOSECONDS ? limit : CALLED_NANOSECONDS;
}

/* The thread's own time is a system call: it is looked at only where the real time is too much. */
static void add_called(wax_lua_coroutine *coroutine, int64_t time) {
  wax_lua_budget *budget = &coroutine->budget;
  budget->calls++;
  budget->called += time;
  if (time > budget->longest_call) budget->longest_call = time;
  int64_t limit = wax_lua_time_called_limit(coroutine),
          counted = budget->called - budget->longest_call;
  if (budget->calls <= WAX_LUA_CALLS_FOR_FREE || counted <= limit) return;
  if (budget->called - budget->called_polled_at < CALLED_BETWEEN_POLLS) return;
  budget->called_polled_at = budget->called;
  int64_t own = nanoseconds(CLOCK_THREAD_CPUTIME_ID) - budget->turn_own_time;
  if (budget->earlier_own_time + own - budget->longest_call > limit && !budget->exceeded_limit)
    budget->exceeded_limit = WAX_LUA_LIMIT_CALLED;
}

void wax_lua_budget_pause(const wax_lua_state *state) {
  wax_lua_coroutine *coroutine = wax_lua_running;
  if (!coroutine || coroutine->state != state || !coroutine->budget.clock_runs) return;
  coroutine->budget.paused_at = nanoseconds(CLOCK_MONOTONIC);
}

bool wax_lua_begin_uncounted(void) {
  wax_lua_coroutine *coroutine = wax_lua_running;
  if (!coroutine || coroutine->budget.paused_at) return false;
  wax_lua_budget_pause(coroutine->state);
  return coroutine->budget.paused_at != 0;
}

void wax_lua_end_uncounted(void) { wax_lua_budget_resume_uncounted(wax_lua_running->state); }

void wax_lua_budget_resume_uncounted(const wax_lua_state *state) {
  wax_lua_coroutine *coroutine = wax_lua_running;
  if (!coroutine || coroutine->state != state || !coroutine->budget.paused_at) return;
  exclude(coroutine, nanoseconds(CLOCK_MONOTONIC) - coroutine->budget.paused_at);
  coroutine->budget.paused_at = 0;
}

void wax_lua_budget_resume(const wax_lua_state *state) {
  wax_lua_coroutine *coroutine = wax_lua_running;
  if (!coroutine || coroutine->state != state || !coroutine->budget.paused_at) return;
  int64_t time = nanoseconds(CLOCK_MONOTONIC) - coroutine->budget.paused_at;
  exclude(coroutine, time);
  coroutine->budget.paused_at = 0;
  add_called(coroutine, time);
}

void wax_lua_budget_keep_own_time(wax_lua_coroutine *coroutine) {
  if (coroutine->budget.calls > WAX_LUA_CALLS_FOR_FREE && coroutine->budget.clock_runs)
    coroutine->budget.earlier_own_time +=
        nanoseconds(CLOCK_THREAD_CPUTIME_ID) - coroutine->budget.turn_own_time;
}

/* }================================================================== */

/* {==================================================================
** What the bridge does
** =================================================================== */

/* The bridge's own work is divided by these before it is charged, so that a loop of calls ends, and
   a dozen slow ones do not use up the script's time. Declarations are charged less, because there
   are only so many of them; work that fails is charged in full. Without optimisation everything is
   much slower. */
#ifdef __OPTIMIZE__
#define COUNTED_SHARE 2
#define DECLARING_SHARE 10
#define FAILED_SHARE 1
#else
#define COUNTED_SHARE 50
#define DECLARING_SHARE 50
#define FAILED_SHARE 50
#endif

/* Of one crossing this is charged like that. What goes beyond it is the looking up of names in the
   program's files for the first time, which is not the script's to answer for: of that a state has
   so much free, in all its life, as what it finds is kept. What is not found is not kept: a few
   such look-ups may be the first of their kind, those after them are charged whole. */
#define DEAR_FAILURES 8
#define MAX_OF_CROSSING INT64_C(100000)
#define MAX_OF_FAILURE INT64_C(4000000)
#ifdef __OPTIMIZE__
#define FREE_LOOKING_UP INT64_C(2000000000)
#else
#define FREE_LOOKING_UP INT64_C(60000000000)
#endif

/* The instructions of a call after which crossings are measured. */
#define CROSSING_BEFORE_CLOCK 500

int64_t wax_lua_budget_cross(lua_State *L) {
  wax_lua_coroutine *coroutine = wax_lua_running;
  if (!coroutine || coroutine->state != wax_lua_state_of(L) ||
      !coroutine->budget.limits.nanoseconds)
    return 0;
  if (!coroutine->budget.clock_runs) {
    int64_t spent = coroutine->budget.instructions - coroutine->budget.turn_began_at;
    if (spent < CROSSING_BEFORE_CLOCK) return 0;
    wax_lua_time_add(coroutine);
  }
  return nanoseconds(CLOCK_MONOTONIC) - coroutine->budget.elsewhere;
}

static int64_t time_to_add(wax_lua_state *state, int64_t spent, bool declares, bool succeeded) {
  int64_t share = !succeeded ? FAILED_SHARE : declares ? DECLARING_SHARE : COUNTED_SHARE;
  int64_t most = succeeded ? MAX_OF_CROSSING : MAX_OF_FAILURE;
  int64_t charged = spent / share;
  if (charged <= most) return charged;
  if (!succeeded && ++state->dear_failures > DEAR_FAILURES) return spent;
  int64_t beyond = spent - share * most;
  int64_t left = FREE_LOOKING_UP - state->looked_up;
  int64_t free = beyond < left ? beyond : left;
  state->looked_up += free;
  return most + beyond - free;
}

/* The thread's own part of some real time, in which it may have been kept from running: at most the
   time that it has used since its clock was last looked at. */
static int64_t own_part(const wax_lua_coroutine *coroutine, int64_t time) {
  if (time <= COUNTED_SHARE * MAX_OF_CROSSING || !coroutine->budget.clock_runs) return time;
  int64_t own = nanoseconds(CLOCK_THREAD_CPUTIME_ID) - coroutine->budget.own_time;
  return own < time ? own : time;
}

void wax_lua_budget_return(lua_State *L, int64_t crossed_at, bool declares, bool succeeded) {
  wax_lua_coroutine *coroutine = wax_lua_running;
  if (!crossed_at || !coroutine || coroutine->state != wax_lua_state_of(L)) return;
  int64_t now = nanoseconds(CLOCK_MONOTONIC);
  int64_t spent = own_part(coroutine, now - coroutine->budget.elsewhere - crossed_at);
  int64_t charged = time_to_add(coroutine->state, spent, declares, succeeded);
  if (spent > charged) exclude(coroutine, spent - charged);
  if (now - coroutine->budget.polled_at < CLOCK_NANOSECONDS) return;
  /* The call does not come to a look by itself while crossings are most of it. */
  wax_lua_time_add(coroutine);
  if (coroutine->budget.exceeded_limit == WAX_LUA_LIMIT_NONE && wax_lua_time_is_over(coroutine))
    coroutine->budget.exceeded_limit = WAX_LUA_LIMIT_TIME;
}

/* }================================================================== */
