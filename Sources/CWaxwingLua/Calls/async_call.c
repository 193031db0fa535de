/* SPDX-License-Identifier: MIT */

#include "wax_call_async_call.h"

#include <stdio.h>
#include <string.h>

#include "wax_process_breadcrumbs.h"
#include "wax_call_host_call.h"

extern void swift_errorRelease(void *error);

typedef enum call_phase {
  CALL_IS_NEW,
  CALL_IS_MADE, /* the next step comes when the function has returned */
  CALL_IS_OVER
} call_phase;

/* For an original with other overrides below it: these have homes of their own. */
typedef struct layers_below {
  wax_runtime_async_call async_call;
  wax_runtime_frame frame; /* of the call of wax_runtime_drive */
} layers_below;

struct wax_call_async_call {
  wax_lua_callback callback;     /* with which Lua goes on; first */
  wax_call_async_call *previous; /* in the state's list … */
  wax_call_async_call *next;
  call_phase phase;
  bool is_taken; /* somebody has what came of it, or nothing did */
  bool is_throwing;
  uint8_t result_move;
  uint16_t result_offset;
  const void *layer; /* whose original it is; NULL: it is none */
  layers_below *below;
  void *receiver; /* retained; NULL: it lives as long as the call */
  uint64_t patch; /* that breadcrumbs name while an original runs; 0: none */
  wax_process_breadcrumb breadcrumb;
  wax_runtime_suspension suspension;
  /* What has been made for arguments: the layouts are gone when the state is. */
  uint8_t made_count;
  struct {
    uint8_t move;
    bool is_owned; /* the function takes it over */
    void *owner;
  } made[WAX_CALL_MAX_STEPS];
  direct_call call;
};

/* {== Memory ====== */

/* [state entered]  NULL: there is none. */
static wax_call_async_call *make_call(wax_lua_state *state) {
  wax_call_async_call *call = wax_lua_spare_take(&state->spare_calls);
  if (!call) call = malloc(sizeof *call);
  if (call) memset(call, 0, offsetof(wax_call_async_call, made));
  return call;
}

static void link_call(wax_lua_state *state, wax_call_async_call *call) {
  call->previous = NULL;
  call->next = state->async_calls;
  if (call->next) call->next->previous = call;
  state->async_calls = call;
}

static void unlink_call(wax_lua_state *state, wax_call_async_call *call) {
  if (call->next) call->next->previous = call->previous;
  if (call->previous)
    call->previous->next = call->next;
  else
    state->async_calls = call->next;
}

void wax_call_async_call_adopt(wax_call_async_call *call) { unlink_call(call->call.state, call); }

void wax_call_async_call_hand_over(wax_call_async_call *call) { link_call(call->call.state, call); }

/* ====== }== */

/* {== What was made for it ====== */

/* Of a string, an object or a function: what counts its references. */
static void *owner_of(uint8_t move, const void *value) {
  return ((void *const *)value)[move == WAX_LUA_MOVE_OBJECT ? 0 : 1];
}

static void release_owner(uint8_t move, void *owner) {
  if (move == WAX_LUA_MOVE_STRING)
    swift_bridgeObjectRelease(owner);
  else
    swift_release(owner);
}

static void note_made(wax_call_async_call *call) {
  const wax_call_direct *direct = call->call.direct;
  for (int i = 0; i < direct->count; i++) {
    const wax_call_step *step = &direct->steps[i];
    if (step->move < WAX_LUA_MOVE_OBJECT || step->move == WAX_LUA_MOVE_VALUE) continue;
    const char *value = (const char *)&call->call.frame + step->offset;
    int place = call->made_count++;
    call->made[place].move = step->move;
    call->made[place].is_owned = step->is_owned;
    call->made[place].owner = owner_of(step->move, value);
  }
}

static void release_made(wax_call_async_call *call, bool only_borrowed) {
  for (int i = 0; i < call->made_count; i++)
    if (!only_borrowed || !call->made[i].is_owned)
      release_owner(call->made[i].move, call->made[i].owner);
  call->made_count = 0;
  if (call->receiver) swift_release(call->receiver);
  call->receiver = NULL;
}

/* ====== }== */

/* {== Its beginning and its end, in Lua ====== */

static const char impossible[] = "it cannot wait here: resume a coroutine that waits only where "
                                 "code can wait, in task(function() ... end) or an override of an "
                                 "async function";

/* The coroutine was resumed at once, as nothing can wait: nobody has adopted the call. */
static int refuse_call(lua_State *L, wax_call_async_call *call) {
  wax_lua_state *state = call->call.state;
  unlink_call(state, call);
  uint32_t depth = wax_lua_suspend(state); /* deinitializers may run */
  wax_call_async_call_drop(call);
  wax_lua_resume(state, depth);
  return wax_lua_raise(L, "%s", impossible);
}

/* The function has left nothing: the Lua code has been stopped. */
__attribute__((noinline, cold)) static int raise_stopped(lua_State *L) {
  wax_lua_check_limit(L);
  return wax_lua_raise(L, "the call has been stopped");
}

/* (…) -> the result. A wax_lua_callback.direct, of the call itself. */
static int finish_async(lua_State *L, void *plan, int argument_count) {
  (void)argument_count;
  wax_call_async_call *call = plan;
  if (__builtin_expect(call->phase != CALL_IS_OVER, 0)) return refuse_call(L, call);
  /* What follows may raise: nothing is left of the call then. */
  direct_call copy = call->call;
  bool is_over = !call->is_taken;
  copy.L = L;
  unlink_call(copy.state, call);
  wax_lua_spare_give(&copy.state->spare_calls, call);
  if (__builtin_expect(!is_over, 0)) return raise_stopped(L);
  if (__builtin_expect(copy.frame.error != 0, 0)) return wax_call_raise_thrown(&copy);
  return finish(&copy);
}

wax_call_async_call *wax_call_async_call_of(wax_lua_callback *waits) {
  return waits->direct == finish_async ? (wax_call_async_call *)waits : NULL;
}

static void describe(wax_call_async_call *call) {
  const wax_call_direct *direct = call->call.direct;
  call->callback.direct = finish_async;
  call->callback.direct_plan = call;
  call->is_throwing = direct->raise != NULL;
  call->result_move = direct->result.move;
  call->result_offset = direct->result.offset;
  if (direct->makes_references) note_made(call);
  call->call.frame.error = call->call.frame.entry_error = 0;
  call->call.frame.stack = NULL;
  if (call->layer) {
    call->patch = direct->breadcrumb;
    return; /* who made the override's call keeps the object */
  }
  if (direct->receiver_class) call->receiver = swift_retain((void *)call->call.frame.self_register);
}

/* False: it takes Swift. */
static bool place(wax_call_async_call *call, wax_call_direct *direct, lua_State *L, int first) {
  direct_call *made = &call->call;
  made->direct = direct;
  made->code = direct->address;
  made->L = L;
  made->state = wax_lua_state_of(L);
  if (direct->receiver_class && !read_receiver(made)) return false;
  made->record = direct->point ? find_record(direct->point) : NULL;
  if (direct->point) {
    if (!made->record || !is_own(made)) return false;
    call->layer = wax_call_gate_layer(made->record->gate);
    if (!call->layer) return false;
  }
  return read_arguments(made, first);
}

int wax_call_begin_async_call(lua_State *L, void *plan, int argument_count) {
  wax_call_direct *direct = plan;
  int first = direct->receiver_class ? 2 : 1;
  if (argument_count != direct->count + first - 1 || !lua_isyieldable(L)) return -1;
  if (direct->counter && *direct->counter != direct->made_at) return -1;
  if (!direct->point && direct->is_cancelled()) return -1;
  wax_lua_state *state = wax_lua_state_of(L);
  wax_lua_coroutine *coroutine = usable_coroutine(state);
  wax_call_async_call *call = coroutine ? make_call(state) : NULL;
  if (!call) return -1;
  if (!place(call, direct, L, first)) {
    wax_lua_spare_give(&state->spare_calls, call);
    return -1;
  }
  describe(call);
  coroutine->budget.instructions += direct->count + 1;
  link_call(state, call);
  return wax_lua_yield_until(L, &call->callback);
}

/* ====== }== */

/* {== The call ====== */

static layers_below *make_below(void) {
  layers_below *below = calloc(1, sizeof *below);
  if (below) return below;
  fputs("waxwing: out of memory for a call of an original\n", stderr);
  abort();
}

static const wax_runtime_suspension *call_original(wax_call_async_call *call) {
  wax_runtime_frame *frame = &call->call.frame;
  wax_runtime_allow_cancel(frame);
  if (call->patch) call->breadcrumb = wax_process_breadcrumb_begin(call->patch);
  if (wax_runtime_suspend_for_original(call->layer, frame, &call->suspension))
    return &call->suspension;
  call->below = make_below();
  wax_runtime_call_next_async(&call->below->async_call, call->layer, frame, false);
  call->below->async_call.outer = call->call.record;
  call->below->frame.integer[0] = (uint64_t)(uintptr_t)&call->below->async_call;
  call->suspension = (wax_runtime_suspension){.function = wax_runtime_drive_pointer(),
                                              .frame = &call->below->frame};
  return &call->suspension;
}

static const wax_runtime_suspension *call_function(wax_call_async_call *call) {
  wax_runtime_allow_cancel(&call->call.frame);
  call->suspension =
      (wax_runtime_suspension){.function = call->call.code, .frame = &call->call.frame};
  return &call->suspension;
}

/* The function has returned. */
static void end_call(wax_call_async_call *call) {
  call->phase = CALL_IS_OVER;
  wax_process_breadcrumb_end(call->breadcrumb);
  call->breadcrumb = (wax_process_breadcrumb){0};
  free(call->below);
  call->below = NULL;
  if (wax_runtime_was_cancelled(&call->call.frame)) {
    call->is_taken = true;
    call->call.frame.error = 0;
  }
  if (!call->is_throwing) call->call.frame.error = 0; /* something else is in its register */
  release_made(call, true);
}

const wax_runtime_suspension *wax_call_async_call_next(wax_call_async_call *call) {
  if (call->phase == CALL_IS_NEW) {
    call->phase = CALL_IS_MADE;
    return call->layer ? call_original(call) : call_function(call);
  }
  if (call->phase == CALL_IS_MADE) end_call(call);
  return NULL;
}

wax_runtime_frame *wax_call_async_call_take_outcome(wax_call_async_call *call) {
  if (call->phase == CALL_IS_MADE) end_call(call);
  if (call->phase == CALL_IS_NEW || !call->layer || call->is_taken) return NULL;
  call->is_taken = true;
  return &call->call.frame;
}

static void release_outcome(const wax_call_async_call *call) {
  wax_runtime_frame frame = call->call.frame;
  if (frame.error)
    swift_errorRelease((void *)frame.error);
  else
    release_value(call->result_move, (char *)&frame + call->result_offset);
}

void wax_call_async_call_drop(wax_call_async_call *call) {
  if (call->phase == CALL_IS_MADE) end_call(call);
  if (call->phase == CALL_IS_NEW)
    release_made(call, false);
  else if (!call->is_taken)
    release_outcome(call);
  free(call);
}

void wax_call_async_calls_close(wax_lua_state *state) {
  wax_lua_enter(state);
  wax_call_async_call *call = state->async_calls;
  state->async_calls = NULL;
  wax_lua_leave(state);
  while (call) {
    wax_call_async_call *next = call->next;
    wax_call_async_call_drop(call);
    call = next;
  }
}

/* ====== }== */
