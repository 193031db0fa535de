/* SPDX-License-Identifier: MIT */

#include "waxwing_direct_call.h"

static _Thread_local waxwing_frame *thrown_frame __attribute__((tls_model("initial-exec")));

waxwing_frame *waxwing_thrown_frame(void) { return thrown_frame; }

int waxwing_raise_thrown(direct_call *call) {
  thrown_frame = &call->frame;
  return waxwing_run_member_callback(call->L, call->direct->raise, 0, NULL);
}

static inline uint32_t suspend(waxwing_state *state, const waxwing_lane *lane) {
  uint32_t depth = state->depth;
  if (__builtin_expect(state->pending_count || lane->spending.clock_runs, 0))
    return waxwing_suspend(state);
  waxwing_end_turn(state);
  return depth;
}

static inline void resume(waxwing_state *state, const waxwing_lane *lane, uint32_t depth) {
  if (__builtin_expect(lane->spending.paused_at || !waxwing_enter_at_once(state), 0)) {
    waxwing_resume(state, depth);
    return;
  }
  state->depth = depth;
}

/* [state left] */
static inline void invoke(direct_call *call, const void *layer) {
  if (layer)
    waxwing_call_next(layer, &call->frame);
  else
    waxwing_invoke(call->code, &call->frame, 0);
}

/* Where strings, objects and functions that were made for the call are, in the frame as it was: the
   function has changed it. */
typedef struct argument_copy {
  uint64_t words[WAXWING_INTEGER_ARGUMENTS];
} argument_copy;

/* [-0, +n, e]  Receiver and record have been looked at; the arguments begin at `first`. Returns as
   waxwing_callback.direct does. The stack has room: what is called from here is a function of C's
   that Lua has just called. */
static inline int run(direct_call *call, waxwing_lane *lane, int first) {
  const waxwing_direct *direct = call->direct;
  lua_State *L = call->L;
  const void *layer = call->record ? waxwing_gate_layer(call->record->gate) : NULL;
  if ((direct->point && !layer) || !read_arguments(call, first)) return -1;
  argument_copy copy;
  if (direct->makes_references) memcpy(copy.words, call->frame.integer, sizeof copy.words);
  call->frame.error = call->frame.entry_error = 0;
  call->frame.stack = NULL;
  lane->spending.instructions += direct->count + 1;
  int64_t crossed_at = lane->spending.limits.nanoseconds ? waxwing_budget_cross(L) : 0;
  uint32_t depth = suspend(call->state, lane);
  invoke(call, layer);
  /* With the state left: deinitializers may run. */
  if (direct->makes_references)
    release_arguments(call, (const char *)copy.words, direct->count, true);
  resume(call->state, lane, depth);
  waxwing_release_backlog(call->state);
  if (__builtin_expect(crossed_at != 0, 0))
    waxwing_budget_back(L, crossed_at, false, !call->frame.error);
  if (__builtin_expect(call->frame.error != 0, 0) && direct->raise)
    return waxwing_raise_thrown(call);
  return finish(call);
}

int waxwing_run_direct(lua_State *L, void *plan, int argument_count) {
  direct_call call;
  waxwing_direct *direct = plan;
  int first = direct->receiver_class ? 2 : 1;
  if (argument_count != direct->count + first - 1) return -1;
  if (direct->counter && *direct->counter != direct->made_at) return -1;
  call.direct = direct;
  call.code = direct->address;
  call.L = L;
  call.state = waxwing_state_of(L);
  waxwing_lane *lane = usable_lane(call.state);
  if (!lane || (direct->receiver_class && !read_receiver(&call))) return -1;
  call.record = direct->point ? find_record(direct->point) : NULL;
  if (direct->point && (!call.record || !is_own(&call))) return -1;
  return run(&call, lane, first);
}

/* {==================================================================
** Closures
** =================================================================== */

/* A SwiftClosure, as far as C looks at it. */
typedef struct closure_object {
  const void *isa;
  uint64_t reference_count;
  waxwing_direct *direct; /* NULL: it takes Swift */
  const void *code;
  void *context;
  uint64_t thread; /* the only one that may call it; 0: any */
} closure_object;

int waxwing_run_closure(lua_State *L, const waxwing_proxy *proxy, int argument_count) {
  direct_call call;
  if (!waxwing_is_closure(proxy->kind) || !proxy->pointer) return -1;
  const closure_object *closure = proxy->pointer;
  if (!closure->direct || argument_count != closure->direct->count) return -1;
  if (closure->thread && closure->thread != waxwing_kernel_thread()) return -1;
  call.direct = closure->direct;
  call.code = closure->code;
  call.L = L;
  call.state = waxwing_state_of(L);
  call.record = NULL;
  call.frame.self = (uint64_t)(uintptr_t)closure->context;
  waxwing_lane *lane = usable_lane(call.state);
  return lane ? run(&call, lane, 1) : -1;
}

/* }================================================================== */

/* {==================================================================
** Stored properties
** =================================================================== */

/* The object that the proxy at 1, of the property's class, is of; NULL: it is of none now. */
static inline char *base_of(lua_State *L) {
  const waxwing_proxy *proxy = waxwing_to_proxy(L, 1);
  return proxy && proxy->kind == WAXWING_PROXY_OBJECT ? proxy->pointer : NULL;
}

int waxwing_get_stored(lua_State *L, void *plan, int argument_count) {
  const waxwing_stored *stored = plan;
  const char *base = base_of(L);
  if (!base || argument_count != 1) return -1;
  waxwing_spend(L, 1);
  return push_sure(L, stored->move, base + stored->offset) ? 1 : -1;
}

int waxwing_set_stored(lua_State *L, void *plan, int argument_count) {
  const waxwing_stored *stored = plan;
  char *base = base_of(L);
  if (!base || argument_count != 2 || stored->move >= WAXWING_MOVE_OBJECT) return -1;
  return waxwing_read_number(L, 2, stored->move, base + stored->offset) ? 0 : -1;
}

/* }================================================================== */
