/* SPDX-License-Identifier: MIT
 *
 * States: memory, the lock, coroutines, and what is released after leaving.
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

#include "wax_lua_call_private.h"
#include "wax_lua_debug_private.h"
#include "wax_lua_finalizers.h"
#include "wax_lua_turn.h"

void *wax_lua_state_context(const wax_lua_state *state) { return state->context; }

_Thread_local void *wax_lua_current_active_call;
_Thread_local void *wax_lua_transients;

/* Every entry into Lua is protected: an error that arrives here is a bug of this target. */
static int panic(lua_State *L) {
  const char *message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "(no message)";
  fprintf(stderr, "waxwing: unprotected Lua error, please report: %s\n", message);
  abort();
}

/* (what is in the state) */
static int open_state(lua_State *L) {
  const wax_lua_state_parts *parts = lua_touserdata(L, 1);
  lua_settop(L, 0);
  parts->open_libraries(L);
  parts->objects->open(L);
  return 0;
}

wax_lua_state *wax_lua_state_make(size_t memory_limit, const wax_lua_state_parts *parts) {
  wax_lua_state *state = wax_lua_allocate_lines(parts->objects->state_size);
  if (!state) return NULL;
  memset(state, 0, parts->objects->state_size);
  state->objects = parts->objects;
  state->release = parts->release;
  state->context = parts->context;
  state->memory_limit = memory_limit;
  wax_lua_fill_memory_reserve();
  state->main = lua_newstate(wax_lua_allocate, state);
  if (!state->main) {
    free(state);
    return NULL;
  }
  if (!wax_lua_find_stacks(state->main)) {
    lua_close(state->main);
    free(state);
    return NULL;
  }
  lua_atpanic(state->main, panic);
  *(wax_lua_state **)lua_getextraspace(state->main) = state;
  wax_lua_set_collector_pause(state, 0);
  wax_lua_keep_finalizers(state->main);
  lua_pushcfunction(state->main, open_state);
  lua_pushlightuserdata(state->main, (void *)parts);
  if (lua_pcall(state->main, 1, 0, 0) != LUA_OK || !wax_lua_memory_fits(state, 0)) {
    wax_lua_state_close(state);
    wax_lua_state_free(state);
    return NULL;
  }
  return state;
}

void wax_lua_state_set_name(wax_lua_state *state, const char *name) {
  snprintf(state->name, sizeof state->name, "%s", name);
}

void wax_lua_allow_weak_tables(wax_lua_state *state) { state->allows_weak_tables = true; }

void wax_lua_refuse_effects(wax_lua_state *state) { state->refuses_effects = true; }

bool wax_lua_refuses_effects(const wax_lua_state *state) { return state->refuses_effects; }

void wax_lua_begin_piece(wax_lua_coroutine *coroutine) {
  atomic_store(&coroutine->state->piece_is_interrupted, false);
  atomic_store(&coroutine->state->piece, coroutine);
}

void wax_lua_end_piece(wax_lua_coroutine *coroutine) {
  wax_lua_coroutine *mine = coroutine;
  atomic_compare_exchange_strong(&coroutine->state->piece, &mine, NULL);
}

void wax_lua_interrupt_piece(wax_lua_state *state) {
  atomic_store(&state->piece_is_interrupted, true);
}

static void free_coroutines(wax_lua_coroutine *coroutine);

void wax_lua_state_close(wax_lua_state *state) {
  wax_lua_enter(state);
  lua_close(state->main);
  state->objects->close(state);
  free_coroutines(state->idle_coroutines);
  free_coroutines(state->busy_coroutines); /* they wait, and will not go on */
  state->idle_coroutines = state->busy_coroutines = NULL;
  wax_lua_debug_close(state);
  wax_lua_leave(state);
  free(state->returned);
  wax_lua_forget_memory(state);
  free(state->pending);
  wax_lua_spare_trim(&state->spare_calls, 0);
  wax_lua_spare_trim(&state->spare_turns, 0);
  free(state->kept_frames);
}

void wax_lua_state_free(wax_lua_state *state) { free(state); }

/* {==================================================================
** The lock
** =================================================================== */

bool wax_lua_is_entered(const wax_lua_state *state) {
  return atomic_load_explicit(&state->owner, memory_order_relaxed) == wax_lua_this_thread();
}

_Thread_local uint64_t wax_lua_known_thread;
_Thread_local uint32_t wax_lua_states_entered;

uint64_t wax_lua_ask_thread(void) { return wax_lua_known_thread = (uint64_t)syscall(SYS_gettid); }

/* Threads in the order in which they first ask: neighbours get different states. */
static size_t thread_number(void) {
  static _Atomic size_t threads;
  static _Thread_local size_t known __attribute__((tls_model("initial-exec")));
  if (__builtin_expect(!known, 0))
    known = atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) + 1;
  return known;
}

/* As a rule it looks at the thread's own state alone: other threads write to the others. */
size_t wax_lua_choose(wax_lua_state *const *states, size_t count) {
  for (size_t i = 0; wax_lua_states_entered && i < count; i++) {
    if (wax_lua_is_entered(states[i])) return i;
  }
  size_t own = thread_number() % count;
  for (size_t i = 0; i < count; i++) {
    size_t at = own + i < count ? own + i : own + i - count;
    if (atomic_load_explicit(&states[at]->owner, memory_order_relaxed) == 0) return at;
  }
  return own;
}

void wax_lua_enter(wax_lua_state *state) {
  if (wax_lua_is_entered(state)) {
    state->depth++;
    return;
  }
  wax_lua_lock_take(&state->lock);
  wax_lua_begin_turn(state);
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

static bool wait_unless_given_up(wax_lua_state *state) {
  for (;;) {
    if (atomic_load_explicit(&state->is_abandoned, memory_order_acquire)) return false;
    struct timespec end = deadline_in(GIVEN_UP_NANOSECONDS);
    if (wax_lua_lock_wait(&state->lock, &end)) return true;
  }
}

bool wax_lua_enter_unless_abandoned(wax_lua_state *state) {
  if (wax_lua_is_entered(state)) {
    state->depth++;
    return true;
  }
  if (!wax_lua_lock_try(&state->lock) && !wait_unless_given_up(state)) return false;
  wax_lua_begin_turn(state);
  return true;
}

void wax_lua_abandon(wax_lua_state *state) {
  atomic_store_explicit(&state->is_abandoned, true, memory_order_release);
}

wax_lua_presence wax_lua_presence_now(const wax_lua_state *state) {
  bool is_in = atomic_load_explicit(&state->owner, memory_order_acquire) != 0;
  return (wax_lua_presence){
      .thread = is_in ? atomic_load_explicit(&state->owner_thread, memory_order_relaxed) : 0,
      .turn = atomic_load_explicit(&state->turns, memory_order_relaxed),
  };
}

bool wax_lua_try_enter(wax_lua_state *state, uint32_t milliseconds) {
  if (wax_lua_is_entered(state)) {
    state->depth++;
    return true;
  }
  struct timespec end = deadline_in(milliseconds * INT64_C(1000000));
  if (!wax_lua_lock_try(&state->lock) && !wax_lua_lock_wait(&state->lock, &end)) return false;
  wax_lua_begin_turn(state);
  return true;
}

/* What is to be released once the state has been left. */
typedef struct backlog {
  wax_lua_pending *pending;
  size_t count;
  void (*release)(uint32_t, void *, const void *);
} backlog;

static backlog unlock_keeping(wax_lua_state *state) {
  backlog backlog = {.count = state->pending_count, .release = state->release};
  if (backlog.count) {
    backlog.pending = state->pending;
    state->pending = NULL;
    state->pending_count = state->pending_capacity = 0;
  }
  wax_lua_end_turn(state);
  return backlog;
}

static void release(backlog backlog) {
  for (size_t i = 0; i < backlog.count; i++)
    backlog.release(backlog.pending[i].kind, backlog.pending[i].pointer, backlog.pending[i].type);
  free(backlog.pending);
}

/* Unlocks, then releases: a deinitializer may enter this state, or wait for a thread that does. */
static void unlock(wax_lua_state *state) { release(unlock_keeping(state)); }

void wax_lua_leave_all(wax_lua_state *const *states, size_t count) {
  if (count == 0) return;
  backlog first = unlock_keeping(states[0]);
  wax_lua_leave_all(states + 1, count - 1);
  release(first);
}

void wax_lua_leave(wax_lua_state *state) {
  if (state->depth > 1)
    state->depth--;
  else
    unlock(state);
}

uint32_t wax_lua_suspend(wax_lua_state *state) {
  uint32_t depth = state->depth;
  wax_lua_budget_pause(state);
  unlock(state);
  return depth;
}

void wax_lua_resume(wax_lua_state *state, uint32_t depth) {
  wax_lua_enter(state);
  state->depth = depth;
  wax_lua_budget_resume(state);
  wax_lua_coroutine *coroutine = wax_lua_running_coroutine(state);
  if (__builtin_expect(coroutine && coroutine->budget.exceeded_limit == WAX_LUA_LIMIT_DEPTH, 0))
    wax_lua_budget_stop_soon(coroutine);
}

static bool grow_pending(wax_lua_state *state, size_t capacity) {
  wax_lua_pending *grown = realloc(state->pending, capacity * sizeof *grown);
  if (!grown) return false;
  state->pending = grown;
  state->pending_capacity = capacity;
  return true;
}

bool wax_lua_reserve_releases(wax_lua_state *state, size_t count) {
  size_t capacity = state->pending_count + count;
  return capacity <= state->pending_capacity || grow_pending(state, capacity);
}

void wax_lua_defer_release(wax_lua_state *state, uint32_t kind, void *pointer, const void *type) {
  if (state->pending_count == state->pending_capacity) {
    size_t capacity = state->pending_capacity ? state->pending_capacity * 2 : 32;
    if (!grow_pending(state, capacity)) { /* better at an awkward moment than never */
      state->release(kind, pointer, type);
      return;
    }
  }
  state->pending[state->pending_count++] =
      (wax_lua_pending){.pointer = pointer, .type = type, .kind = kind};
}

/* As many proxies can be dropped in one call from Swift as it likes to make. */
#define LARGE_BACKLOG 256

void wax_lua_release_backlog(wax_lua_state *state) {
  if (state->pending_count < LARGE_BACKLOG) return;
  uint32_t depth = wax_lua_suspend(state);
  wax_lua_resume(state, depth);
}

/* }================================================================== */

/* {==================================================================
** Coroutines
** =================================================================== */

static int make_coroutine(lua_State *L) {
  wax_lua_coroutine *coroutine = lua_touserdata(L, 1);
  coroutine->L = lua_newthread(L);
  luaL_checkstack(coroutine->L, WAX_LUA_COROUTINE_SLOTS, "no memory for a coroutine");
  lua_pushlightuserdata(coroutine->L, coroutine);
  lua_pushcclosure(coroutine->L, wax_lua_record_traceback, 1);
  coroutine->state->objects->open_coroutine(coroutine);
  coroutine->reference = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

void wax_lua_coroutine_moved(wax_lua_coroutine *coroutine) {
  coroutine->thread = wax_lua_kernel_thread();
  coroutine->transients_mark = wax_lua_transients;
  coroutine->state->objects->unpark_coroutine(coroutine);
}

wax_lua_coroutine *wax_lua_coroutine_acquire(wax_lua_state *state) {
  wax_lua_coroutine *coroutine = wax_lua_take_idle_coroutine(state);
  if (coroutine) return coroutine;
  coroutine = wax_lua_allocate_lines(sizeof *coroutine);
  if (!coroutine) return NULL;
  memset(coroutine, 0, sizeof *coroutine);
  coroutine->state = state;
  wax_lua_buffer_init(&coroutine->buffer);
  lua_pushcfunction(state->main, make_coroutine);
  lua_pushlightuserdata(state->main, coroutine);
  state->takes_lines = true;
  int status = lua_pcall(state->main, 1, 0, 0);
  state->takes_lines = false;
  if (status != LUA_OK) {
    lua_pop(state->main, 1);
    wax_lua_buffer_free(&coroutine->buffer);
    free(coroutine);
    return NULL;
  }
  coroutine->buffer.L = coroutine->L;
  wax_lua_budget_open(coroutine);
  return wax_lua_take_coroutine(coroutine);
}

void wax_lua_coroutine_trim(wax_lua_coroutine *coroutine) {
  wax_lua_buffer_free(&coroutine->buffer);
  coroutine->buffer.L = coroutine->L;
}

static void free_coroutine(wax_lua_coroutine *coroutine) {
  coroutine->state->objects->free_coroutine(coroutine);
  wax_lua_buffer_free(&coroutine->buffer);
  free(coroutine->frames);
  free(coroutine);
}

static void free_coroutines(wax_lua_coroutine *coroutine) {
  while (coroutine) {
    wax_lua_coroutine *next = coroutine->next;
    free_coroutine(coroutine);
    coroutine = next;
  }
}

static void drop_coroutine(wax_lua_coroutine *coroutine) {
  luaL_unref(coroutine->state->main, LUA_REGISTRYINDEX, coroutine->reference);
  free_coroutine(coroutine);
}

void wax_lua_coroutine_release(wax_lua_coroutine *coroutine) {
  coroutine->state->objects->end_coroutine(coroutine);
  coroutine->drops_proxies = false;
  coroutine->may_wait = false;
  wax_lua_give_coroutine(coroutine);
  if (!coroutine->is_broken) wax_lua_reset_coroutine(coroutine);
  if (coroutine->state->has_explicit) wax_lua_forget_explicit(coroutine->state);
  wax_lua_buffer_clear(&coroutine->buffer);
  coroutine->keeps_receiver = false;
  coroutine->receiver = NULL;
  wax_lua_state *state = coroutine->state;
  if (coroutine->is_broken || state->idle_coroutine_count == WAX_LUA_MAX_IDLE_COROUTINES) {
    drop_coroutine(coroutine);
  } else {
    coroutine->next = state->idle_coroutines;
    state->idle_coroutines = coroutine;
    state->idle_coroutine_count++;
  }
  if (__builtin_expect(state->new_edges > state->edge_quota, 0))
    state->objects->collect_cycles(state);
}

int wax_lua_thread_traceback(wax_lua_state *state, uint64_t thread, wax_lua_traceback_frame *frames,
                             int most) {
  int count = 0;
  for (wax_lua_coroutine *coroutine = state->busy_coroutines; coroutine;
       coroutine = coroutine->next) {
    if (coroutine->thread == thread)
      count += wax_lua_capture_traceback(coroutine->L, 0, frames + count, most - count);
  }
  return count;
}

/* }================================================================== */

void wax_lua_trim_idle(wax_lua_state *state) {
  while (state->idle_coroutine_count > WAX_LUA_MAX_KEPT_COROUTINES) {
    wax_lua_coroutine *coroutine = state->idle_coroutines;
    state->idle_coroutines = coroutine->next;
    state->idle_coroutine_count--;
    drop_coroutine(coroutine);
  }
  wax_lua_spare_trim(&state->spare_calls, WAX_LUA_MAX_KEPT_COROUTINES);
  wax_lua_spare_trim(&state->spare_turns, WAX_LUA_MAX_KEPT_COROUTINES);
}

/* What is looked at, besides Lua's own, in a step. */
#define SWEPT_PER_STEP 256

static int collect_protected(lua_State *L) {
  wax_lua_state *state = wax_lua_state_of(L);
  state->objects->sweep(L, SIZE_MAX);
  lua_gc(L, LUA_GCCOLLECT);
  state->objects->has_collected(state);
  return 0;
}

static int collect_step_protected(lua_State *L) {
  wax_lua_state_of(L)->objects->sweep(L, SWEPT_PER_STEP);
  lua_pushboolean(L, lua_gc(L, LUA_GCSTEP, 0));
  return 1;
}

/* On a coroutine: finalizers of the script's may leave the state, and others use the main one. */
static bool run_protected(wax_lua_state *state, lua_CFunction function) {
  wax_lua_coroutine *coroutine = wax_lua_coroutine_acquire(state);
  if (!coroutine) return false;
  lua_pushcfunction(coroutine->L, function);
  bool result = lua_pcall(coroutine->L, 0, 1, 0) == LUA_OK && lua_toboolean(coroutine->L, -1);
  lua_pop(coroutine->L, 1);
  wax_lua_coroutine_release(coroutine);
  return result;
}

void wax_lua_collect(wax_lua_state *state) {
  wax_lua_trim_idle(state);
  run_protected(state, collect_protected);
}

bool wax_lua_collect_step(wax_lua_state *state) {
  wax_lua_trim_idle(state);
  if (!run_protected(state, collect_step_protected)) return false;
  state->objects->has_collected(state);
  return true;
}
