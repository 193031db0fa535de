/* SPDX-License-Identifier: MIT
 *
 * States: memory, the lock, lanes, and what is released after leaving.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "waxwing_call_private.h"
#include "waxwing_turn.h"

void *waxwing_state_context(const waxwing_state *state) { return state->context; }

_Thread_local void *waxwing_current_activation;
_Thread_local void *waxwing_transients;

/* Every entry into Lua is protected: an error that arrives here is a bug of this target. */
static int panic(lua_State *L) {
  const char *message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "(no message)";
  fprintf(stderr, "waxwing: unprotected Lua error, please report: %s\n", message);
  abort();
}

/* (what is in the state) */
static int open_state(lua_State *L) {
  const waxwing_state_parts *parts = lua_touserdata(L, 1);
  lua_settop(L, 0);
  parts->open_libraries(L);
  parts->objects->open(L);
  return 0;
}

waxwing_state *waxwing_state_make(size_t memory_limit, const waxwing_state_parts *parts) {
  waxwing_state *state = waxwing_allocate_lines(parts->objects->state_size);
  if (!state) return NULL;
  memset(state, 0, parts->objects->state_size);
  state->objects = parts->objects;
  state->release = parts->release;
  state->context = parts->context;
  state->memory_limit = memory_limit;
  pthread_mutex_init(&state->returned_mutex, NULL);
  waxwing_fill_memory_reserve();
  state->main = lua_newstate(waxwing_allocate, state);
  if (!state->main) {
    free(state);
    return NULL;
  }
  lua_atpanic(state->main, panic);
  *(waxwing_state **)lua_getextraspace(state->main) = state;
  waxwing_set_collector_pause(state, 0);
  lua_pushcfunction(state->main, open_state);
  lua_pushlightuserdata(state->main, (void *)parts);
  if (lua_pcall(state->main, 1, 0, 0) != LUA_OK || !waxwing_memory_fits(state, 0)) {
    waxwing_state_close(state);
    return NULL;
  }
  return state;
}

void waxwing_state_set_name(waxwing_state *state, const char *name) {
  snprintf(state->name, sizeof state->name, "%s", name);
}

void waxwing_allow_weak_tables(waxwing_state *state) { state->allows_weak_tables = true; }

static void free_lanes(waxwing_lane *lane);

void waxwing_state_close(waxwing_state *state) {
  waxwing_enter(state);
  lua_close(state->main);
  state->objects->close(state);
  free_lanes(state->idle_lanes);
  free_lanes(state->busy_lanes); /* they wait, and will not go on */
  state->idle_lanes = state->busy_lanes = NULL;
  waxwing_leave(state);
  pthread_mutex_destroy(&state->returned_mutex);
  free(state->returned);
  waxwing_forget_memory(state);
  free(state->pending);
  waxwing_spare_trim(&state->spare_calls, 0);
  waxwing_spare_trim(&state->spare_turns, 0);
  free(state->kept_frames);
  free(state);
}

/* {==================================================================
** The lock
** =================================================================== */

bool waxwing_is_entered(const waxwing_state *state) {
  return atomic_load_explicit(&state->owner, memory_order_relaxed) == waxwing_this_thread();
}

_Thread_local uint64_t waxwing_known_thread;
_Thread_local uint32_t waxwing_states_entered;

uint64_t waxwing_ask_thread(void) { return waxwing_known_thread = (uint64_t)syscall(SYS_gettid); }

/* Threads in the order in which they first ask: neighbours get different states. */
static size_t thread_number(void) {
  static _Atomic size_t threads;
  static _Thread_local size_t known __attribute__((tls_model("initial-exec")));
  if (__builtin_expect(!known, 0))
    known = atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) + 1;
  return known;
}

/* As a rule it looks at the thread's own state alone: other threads write to the others. */
size_t waxwing_choose(waxwing_state *const *states, size_t count) {
  for (size_t i = 0; waxwing_states_entered && i < count; i++) {
    if (waxwing_is_entered(states[i])) return i;
  }
  size_t own = thread_number() % count;
  for (size_t i = 0; i < count; i++) {
    size_t at = own + i < count ? own + i : own + i - count;
    if (atomic_load_explicit(&states[at]->owner, memory_order_relaxed) == 0) return at;
  }
  return own;
}

void waxwing_enter(waxwing_state *state) {
  if (waxwing_is_entered(state)) {
    state->depth++;
    return;
  }
  waxwing_lock_take(&state->lock);
  waxwing_begin_turn(state);
}

/* How long those who wait for a state do not see that it has been given up. */
#define GIVEN_UP_NANOSECONDS 50000000

static struct timespec deadline_in(int64_t nanoseconds) {
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  nanoseconds += end.tv_nsec;
  end.tv_sec += nanoseconds / 1000000000;
  end.tv_nsec = nanoseconds % 1000000000;
  return end;
}

static bool wait_unless_given_up(waxwing_state *state) {
  for (;;) {
    if (atomic_load_explicit(&state->is_given_up, memory_order_acquire)) return false;
    struct timespec end = deadline_in(GIVEN_UP_NANOSECONDS);
    if (waxwing_lock_wait(&state->lock, &end)) return true;
  }
}

bool waxwing_enter_unless_given_up(waxwing_state *state) {
  if (waxwing_is_entered(state)) {
    state->depth++;
    return true;
  }
  if (!waxwing_lock_try(&state->lock) && !wait_unless_given_up(state)) return false;
  waxwing_begin_turn(state);
  return true;
}

void waxwing_give_up(waxwing_state *state) {
  atomic_store_explicit(&state->is_given_up, true, memory_order_release);
}

waxwing_presence waxwing_present(const waxwing_state *state) {
  bool is_in = atomic_load_explicit(&state->owner, memory_order_acquire) != 0;
  return (waxwing_presence){
      .thread = is_in ? atomic_load_explicit(&state->owner_thread, memory_order_relaxed) : 0,
      .turn = atomic_load_explicit(&state->turns, memory_order_relaxed),
  };
}

bool waxwing_try_enter(waxwing_state *state, uint32_t milliseconds) {
  if (waxwing_is_entered(state)) {
    state->depth++;
    return true;
  }
  struct timespec end = deadline_in(milliseconds * INT64_C(1000000));
  if (!waxwing_lock_try(&state->lock) && !waxwing_lock_wait(&state->lock, &end)) return false;
  waxwing_begin_turn(state);
  return true;
}

/* What is to be released once the state has been left. */
typedef struct backlog {
  waxwing_pending *pending;
  size_t count;
  void (*release)(uint32_t, void *, const void *);
} backlog;

static backlog unlock_keeping(waxwing_state *state) {
  backlog backlog = {.count = state->pending_count, .release = state->release};
  if (backlog.count) {
    backlog.pending = state->pending;
    state->pending = NULL;
    state->pending_count = state->pending_capacity = 0;
  }
  waxwing_end_turn(state);
  return backlog;
}

static void release(backlog backlog) {
  for (size_t i = 0; i < backlog.count; i++)
    backlog.release(backlog.pending[i].kind, backlog.pending[i].pointer, backlog.pending[i].type);
  free(backlog.pending);
}

/* Unlocks, then releases: a deinitializer may enter this state, or wait for a thread that does. */
static void unlock(waxwing_state *state) { release(unlock_keeping(state)); }

void waxwing_leave_all(waxwing_state *const *states, size_t count) {
  if (count == 0) return;
  backlog first = unlock_keeping(states[0]);
  waxwing_leave_all(states + 1, count - 1);
  release(first);
}

void waxwing_leave(waxwing_state *state) {
  if (state->depth > 1)
    state->depth--;
  else
    unlock(state);
}

uint32_t waxwing_suspend(waxwing_state *state) {
  uint32_t depth = state->depth;
  waxwing_budget_pause(state);
  unlock(state);
  return depth;
}

void waxwing_resume(waxwing_state *state, uint32_t depth) {
  waxwing_enter(state);
  state->depth = depth;
  waxwing_budget_resume(state);
}

static bool grow_pending(waxwing_state *state, size_t capacity) {
  waxwing_pending *grown = realloc(state->pending, capacity * sizeof *grown);
  if (!grown) return false;
  state->pending = grown;
  state->pending_capacity = capacity;
  return true;
}

bool waxwing_reserve_releases(waxwing_state *state, size_t count) {
  size_t capacity = state->pending_count + count;
  return capacity <= state->pending_capacity || grow_pending(state, capacity);
}

void waxwing_defer_release(waxwing_state *state, uint32_t kind, void *pointer, const void *type) {
  if (state->pending_count == state->pending_capacity) {
    size_t capacity = state->pending_capacity ? state->pending_capacity * 2 : 32;
    if (!grow_pending(state, capacity)) { /* better at an awkward moment than never */
      state->release(kind, pointer, type);
      return;
    }
  }
  state->pending[state->pending_count++] =
      (waxwing_pending){.pointer = pointer, .type = type, .kind = kind};
}

/* As many proxies can be dropped in one call from Swift as it likes to make. */
#define LARGE_BACKLOG 256

void waxwing_release_backlog(waxwing_state *state) {
  if (state->pending_count < LARGE_BACKLOG) return;
  uint32_t depth = waxwing_suspend(state);
  waxwing_resume(state, depth);
}

/* }================================================================== */

/* {==================================================================
** Lanes
** =================================================================== */

static int make_lane(lua_State *L) {
  waxwing_lane *lane = lua_touserdata(L, 1);
  lane->L = lua_newthread(L);
  luaL_checkstack(lane->L, WAXWING_LANE_SLOTS, "no memory for a coroutine");
  lua_pushlightuserdata(lane->L, lane);
  lua_pushcclosure(lane->L, waxwing_record_traceback, 1);
  lane->state->objects->open_lane(lane);
  lane->reference = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

void waxwing_lane_moved(waxwing_lane *lane) {
  lane->thread = waxwing_kernel_thread();
  lane->transients_mark = waxwing_transients;
  lane->state->objects->unpark_lane(lane);
}

waxwing_lane *waxwing_lane_acquire(waxwing_state *state) {
  waxwing_lane *lane = waxwing_take_idle_lane(state);
  if (lane) return lane;
  lane = waxwing_allocate_lines(sizeof *lane);
  if (!lane) return NULL;
  memset(lane, 0, sizeof *lane);
  lane->state = state;
  waxwing_buffer_init(&lane->buffer);
  lua_pushcfunction(state->main, make_lane);
  lua_pushlightuserdata(state->main, lane);
  state->takes_lines = true;
  int status = lua_pcall(state->main, 1, 0, 0);
  state->takes_lines = false;
  if (status != LUA_OK) {
    lua_pop(state->main, 1);
    waxwing_buffer_free(&lane->buffer);
    free(lane);
    return NULL;
  }
  lane->buffer.L = lane->L;
  waxwing_budget_open(lane);
  return waxwing_begin_lane(lane);
}

void waxwing_lane_trim(waxwing_lane *lane) {
  waxwing_buffer_free(&lane->buffer);
  lane->buffer.L = lane->L;
}

static void free_lane(waxwing_lane *lane) {
  lane->state->objects->free_lane(lane);
  waxwing_buffer_free(&lane->buffer);
  free(lane->frames);
  free(lane);
}

static void free_lanes(waxwing_lane *lane) {
  while (lane) {
    waxwing_lane *next = lane->next;
    free_lane(lane);
    lane = next;
  }
}

static void drop_lane(waxwing_lane *lane) {
  luaL_unref(lane->state->main, LUA_REGISTRYINDEX, lane->reference);
  free_lane(lane);
}

void waxwing_lane_release(waxwing_lane *lane) {
  lane->state->objects->end_lane(lane);
  lane->drops_proxies = false;
  lane->may_wait = false;
  waxwing_end_lane(lane);
  if (!lane->is_broken) waxwing_settle_lane(lane);
  if (lane->state->has_explicit) waxwing_forget_explicit(lane->state);
  waxwing_buffer_clear(&lane->buffer);
  lane->keeps_receiver = false;
  lane->receiver = NULL;
  waxwing_state *state = lane->state;
  if (lane->is_broken || state->idle_lane_count == WAXWING_MOST_IDLE_LANES) {
    drop_lane(lane);
  } else {
    lane->next = state->idle_lanes;
    state->idle_lanes = lane;
    state->idle_lane_count++;
  }
  if (__builtin_expect(state->new_edges > state->edge_quota, 0))
    state->objects->collect_cycles(state);
}

int waxwing_thread_traceback(waxwing_state *state, uint64_t thread, waxwing_traceback_frame *frames,
                             int most) {
  int count = 0;
  for (waxwing_lane *lane = state->busy_lanes; lane; lane = lane->next) {
    if (lane->thread == thread)
      count += waxwing_capture_traceback(lane->L, 0, frames + count, most - count);
  }
  return count;
}

/* }================================================================== */

void waxwing_trim_idle(waxwing_state *state) {
  while (state->idle_lane_count > WAXWING_MOST_KEPT_LANES) {
    waxwing_lane *lane = state->idle_lanes;
    state->idle_lanes = lane->next;
    state->idle_lane_count--;
    drop_lane(lane);
  }
  waxwing_spare_trim(&state->spare_calls, WAXWING_MOST_KEPT_LANES);
  waxwing_spare_trim(&state->spare_turns, WAXWING_MOST_KEPT_LANES);
}

/* What is looked at, besides Lua's own, in a step. */
#define SWEPT_PER_STEP 256

static int collect_protected(lua_State *L) {
  waxwing_state *state = waxwing_state_of(L);
  state->objects->sweep(L, SIZE_MAX);
  lua_gc(L, LUA_GCCOLLECT);
  state->objects->has_collected(state);
  return 0;
}

static int collect_step_protected(lua_State *L) {
  waxwing_state_of(L)->objects->sweep(L, SWEPT_PER_STEP);
  lua_pushboolean(L, lua_gc(L, LUA_GCSTEP, 0));
  return 1;
}

/* On a coroutine: finalizers of the script's may leave the state, and others use the main one. */
static bool run_protected(waxwing_state *state, lua_CFunction function) {
  waxwing_lane *lane = waxwing_lane_acquire(state);
  if (!lane) return false;
  lua_pushcfunction(lane->L, function);
  bool result = lua_pcall(lane->L, 0, 1, 0) == LUA_OK && lua_toboolean(lane->L, -1);
  lua_pop(lane->L, 1);
  waxwing_lane_release(lane);
  return result;
}

void waxwing_collect(waxwing_state *state) {
  waxwing_trim_idle(state);
  run_protected(state, collect_protected);
}

bool waxwing_collect_step(waxwing_state *state) {
  waxwing_trim_idle(state);
  if (!run_protected(state, collect_step_protected)) return false;
  state->objects->has_collected(state);
  return true;
}
