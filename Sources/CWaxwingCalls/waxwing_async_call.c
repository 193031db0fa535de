/* SPDX-License-Identifier: MIT */

#include "waxwing_async_call.h"

#include <stdio.h>
#include <string.h>

#include "waxwing_breadcrumbs.h"
#include "waxwing_direct_call.h"

extern void swift_errorRelease(void *error);

typedef enum call_phase {
  CALL_IS_NEW,
  CALL_IS_MADE, /* the next step comes when the function has returned */
  CALL_IS_OVER
} call_phase;

/* For an original with other overrides below it: these have homes of their own. */
typedef struct layers_below {
  waxwing_run run;
  waxwing_frame frame; /* of the call of waxwing_drive */
} layers_below;

struct waxwing_async_call {
  waxwing_callback callback;    /* with which Lua goes on; first */
  waxwing_async_call *previous; /* in the state's list … */
  waxwing_async_call *next;
  call_phase phase;
  bool is_taken; /* somebody has what came of it */
  bool is_throwing;
  uint8_t result_move;
  uint16_t result_offset;
  const void *layer; /* whose original it is; NULL: it is none */
  layers_below *below;
  void *receiver; /* retained; NULL: it lives as long as the call */
  uint64_t patch; /* that breadcrumbs name while an original runs; 0: none */
  waxwing_crumb crumb;
  waxwing_wait wait;
  /* What has been made for arguments: the layouts are gone when the state is. */
  uint8_t made_count;
  struct {
    uint8_t move;
    bool is_owned; /* the function takes it over */
    void *owner;
  } made[WAXWING_MOST_STEPS];
  direct_call call;
};

/* {== Memory ====== */

/* [state entered]  NULL: there is none. */
static waxwing_async_call *make_call(waxwing_state *state) {
  waxwing_async_call *call = waxwing_spare_take(&state->spare_calls);
  if (!call) call = malloc(sizeof *call);
  if (call) memset(call, 0, offsetof(waxwing_async_call, made));
  return call;
}

static void link_call(waxwing_state *state, waxwing_async_call *call) {
  call->previous = NULL;
  call->next = state->async_calls;
  if (call->next) call->next->previous = call;
  state->async_calls = call;
}

static void unlink_call(waxwing_state *state, waxwing_async_call *call) {
  if (call->next) call->next->previous = call->previous;
  if (call->previous)
    call->previous->next = call->next;
  else
    state->async_calls = call->next;
}

void waxwing_async_call_adopt(waxwing_async_call *call) { unlink_call(call->call.state, call); }

void waxwing_async_call_hand_over(waxwing_async_call *call) { link_call(call->call.state, call); }

/* ====== }== */

/* {== What was made for it ====== */

/* Of a string, an object or a function: what counts its references. */
static void *owner_of(uint8_t move, const void *value) {
  return ((void *const *)value)[move == WAXWING_MOVE_OBJECT ? 0 : 1];
}

static void release_owner(uint8_t move, void *owner) {
  if (move == WAXWING_MOVE_STRING)
    swift_bridgeObjectRelease(owner);
  else
    swift_release(owner);
}

static void note_made(waxwing_async_call *call) {
  const waxwing_direct *direct = call->call.direct;
  for (int i = 0; i < direct->count; i++) {
    const waxwing_step *step = &direct->steps[i];
    if (step->move < WAXWING_MOVE_OBJECT || step->move == WAXWING_MOVE_VALUE) continue;
    const char *value = (const char *)&call->call.frame + step->offset;
    int place = call->made_count++;
    call->made[place].move = step->move;
    call->made[place].is_owned = step->is_owned;
    call->made[place].owner = owner_of(step->move, value);
  }
}

static void release_made(waxwing_async_call *call, bool only_borrowed) {
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
static int refuse_call(lua_State *L, waxwing_async_call *call) {
  waxwing_state *state = call->call.state;
  unlink_call(state, call);
  uint32_t depth = waxwing_suspend(state); /* deinitializers may run */
  waxwing_async_call_drop(call);
  waxwing_resume(state, depth);
  return waxwing_raise(L, "%s", impossible);
}

/* (…) -> the result. A waxwing_callback.direct, of the call itself. */
static int finish_async(lua_State *L, void *plan, int argument_count) {
  (void)argument_count;
  waxwing_async_call *call = plan;
  if (__builtin_expect(call->phase != CALL_IS_OVER, 0)) return refuse_call(L, call);
  /* What follows may raise: nothing is left of the call then. */
  direct_call copy = call->call;
  copy.L = L;
  unlink_call(copy.state, call);
  waxwing_spare_give(&copy.state->spare_calls, call);
  if (__builtin_expect(copy.frame.error != 0, 0)) return waxwing_raise_thrown(&copy);
  return finish(&copy);
}

waxwing_async_call *waxwing_async_call_of(waxwing_callback *waits) {
  return waits->direct == finish_async ? (waxwing_async_call *)waits : NULL;
}

static void describe(waxwing_async_call *call) {
  const waxwing_direct *direct = call->call.direct;
  call->callback.direct = finish_async;
  call->callback.direct_plan = call;
  call->is_throwing = direct->raise != NULL;
  call->result_move = direct->result.move;
  call->result_offset = direct->result.offset;
  if (direct->makes_references) note_made(call);
  call->call.frame.error = call->call.frame.entry_error = 0;
  call->call.frame.stack = NULL;
  if (call->layer) {
    call->patch = direct->crumb;
    return; /* who made the override's call keeps the object */
  }
  if (direct->receiver_class) call->receiver = swift_retain((void *)call->call.frame.self);
}

/* False: it takes Swift. */
static bool place(waxwing_async_call *call, waxwing_direct *direct, lua_State *L, int first) {
  direct_call *made = &call->call;
  made->direct = direct;
  made->code = direct->address;
  made->L = L;
  made->state = waxwing_state_of(L);
  if (direct->receiver_class && !read_receiver(made)) return false;
  made->record = direct->point ? find_record(direct->point) : NULL;
  if (direct->point) {
    if (!made->record || !is_own(made)) return false;
    call->layer = waxwing_gate_layer(made->record->gate);
    if (!call->layer) return false;
  }
  return read_arguments(made, first);
}

int waxwing_begin_async(lua_State *L, void *plan, int argument_count) {
  waxwing_direct *direct = plan;
  int first = direct->receiver_class ? 2 : 1;
  if (argument_count != direct->count + first - 1 || !lua_isyieldable(L)) return -1;
  if (direct->counter && *direct->counter != direct->made_at) return -1;
  if (!direct->point && direct->is_cancelled()) return -1;
  waxwing_state *state = waxwing_state_of(L);
  waxwing_lane *lane = usable_lane(state);
  waxwing_async_call *call = lane ? make_call(state) : NULL;
  if (!call) return -1;
  if (!place(call, direct, L, first)) {
    waxwing_spare_give(&state->spare_calls, call);
    return -1;
  }
  describe(call);
  lane->spending.instructions += direct->count + 1;
  link_call(state, call);
  return waxwing_wait_for(L, &call->callback);
}

/* ====== }== */

/* {== The call ====== */

static layers_below *make_below(void) {
  layers_below *below = calloc(1, sizeof *below);
  if (below) return below;
  fputs("waxwing: out of memory for a call of an original\n", stderr);
  abort();
}

static const waxwing_wait *call_original(waxwing_async_call *call) {
  waxwing_frame *frame = &call->call.frame;
  if (call->patch) call->crumb = waxwing_crumb_begin(call->patch);
  if (waxwing_wait_for_original(call->layer, frame, &call->wait)) return &call->wait;
  call->below = make_below();
  waxwing_run_next(&call->below->run, call->layer, frame, false);
  call->below->frame.integer[0] = (uint64_t)(uintptr_t)&call->below->run;
  call->wait = (waxwing_wait){.function = waxwing_drive_pointer(), .frame = &call->below->frame};
  return &call->wait;
}

static const waxwing_wait *call_function(waxwing_async_call *call) {
  call->wait = (waxwing_wait){.function = call->call.code, .frame = &call->call.frame};
  return &call->wait;
}

/* The function has returned. */
static void end_call(waxwing_async_call *call) {
  call->phase = CALL_IS_OVER;
  waxwing_crumb_end(call->crumb);
  call->crumb = (waxwing_crumb){0};
  free(call->below);
  call->below = NULL;
  if (!call->is_throwing) call->call.frame.error = 0; /* something else is in its register */
  release_made(call, true);
}

const waxwing_wait *waxwing_async_call_next(waxwing_async_call *call) {
  if (call->phase == CALL_IS_NEW) {
    call->phase = CALL_IS_MADE;
    return call->layer ? call_original(call) : call_function(call);
  }
  if (call->phase == CALL_IS_MADE) end_call(call);
  return NULL;
}

waxwing_frame *waxwing_async_call_take_outcome(waxwing_async_call *call) {
  if (call->phase == CALL_IS_MADE) end_call(call);
  if (call->phase == CALL_IS_NEW || !call->layer) return NULL;
  call->is_taken = true;
  return &call->call.frame;
}

static void release_outcome(const waxwing_async_call *call) {
  waxwing_frame frame = call->call.frame;
  if (frame.error)
    swift_errorRelease((void *)frame.error);
  else
    release_value(call->result_move, (char *)&frame + call->result_offset);
}

void waxwing_async_call_drop(waxwing_async_call *call) {
  if (call->phase == CALL_IS_MADE) end_call(call);
  if (call->phase == CALL_IS_NEW)
    release_made(call, false);
  else if (!call->is_taken)
    release_outcome(call);
  free(call);
}

void waxwing_async_calls_close(waxwing_state *state) {
  waxwing_enter(state);
  waxwing_async_call *call = state->async_calls;
  state->async_calls = NULL;
  waxwing_leave(state);
  while (call) {
    waxwing_async_call *next = call->next;
    waxwing_async_call_drop(call);
    call = next;
  }
}

/* ====== }== */
