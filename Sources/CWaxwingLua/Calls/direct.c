/* SPDX-License-Identifier: MIT */

#include "wax_call_host_call.h"

static _Thread_local wax_runtime_frame *thrown_frame __attribute__((tls_model("initial-exec")));

wax_runtime_frame *wax_call_thrown_frame(void) { return thrown_frame; }

int wax_call_raise_thrown(direct_call *call) {
  thrown_frame = &call->frame;
  return wax_lua_run_member_callback(call->L, call->direct->raise, 0, NULL);
}

static inline uint32_t suspend(wax_lua_state *state, const wax_lua_coroutine *coroutine) {
  uint32_t depth = state->depth;
  if (__builtin_expect(state->pending_count || coroutine->budget.clock_runs, 0))
    return wax_lua_suspend(state);
  wax_lua_end_turn(state);
  return depth;
}

static inline void resume(wax_lua_state *state, const wax_lua_coroutine *coroutine,
                          uint32_t depth) {
  if (__builtin_expect(coroutine->budget.paused_at || !wax_lua_enter_at_once(state), 0)) {
    wax_lua_resume(state, depth);
    return;
  }
  state->depth = depth;
}

/* [state left] */
static inline void invoke(direct_call *call, const void *layer) {
  if (layer)
    wax_runtime_call_next(layer, &call->frame);
  else
    wax_runtime_invoke(call->code, &call->frame, 0);
}

/* Where strings, objects and functions that were made for the call are, in the frame as it was: the
   function has changed it. */
typedef struct argument_copy {
  uint64_t words[WAX_RUNTIME_INTEGER_ARGUMENTS];
} argument_copy;

/* The call has been stopped by wax_lua_stop_nested while the function ran. False: there is what the
   function has left. */
__attribute__((noinline, cold)) static bool was_cancelled(const direct_call *call,
                                                          wax_lua_coroutine *coroutine) {
  wax_lua_budget_stop_soon(coroutine);
  return wax_runtime_was_cancelled(&call->frame);
}

/* [-0, +n, e]  Receiver and record have been looked at; the arguments begin at `first`. Returns as
   wax_lua_callback.direct does. The stack has room: what is called from here is a function of C's
   that Lua has just called. */
static inline int run(direct_call *call, wax_lua_coroutine *coroutine, int first) {
  const wax_call_direct *direct = call->direct;
  lua_State *L = call->L;
  const void *layer = call->record ? wax_call_gate_layer(call->record->gate) : NULL;
  if ((direct->point && !layer) || !read_arguments(call, first)) return -1;
  argument_copy copy;
  if (direct->makes_references) memcpy(copy.words, call->frame.integer, sizeof copy.words);
  call->frame.error = call->frame.entry_error = 0;
  call->frame.stack = NULL;
  wax_runtime_allow_cancel(&call->frame);
  coroutine->budget.instructions += direct->count + 1;
  int64_t crossed_at = coroutine->budget.limits.nanoseconds ? wax_lua_budget_cross(L) : 0;
  uint32_t depth = suspend(call->state, coroutine);
  invoke(call, layer);
  /* With the state left: deinitializers may run. */
  if (direct->makes_references)
    release_arguments(call, (const char *)copy.words, direct->count, true);
  resume(call->state, coroutine, depth);
  bool is_nested = coroutine->budget.exceeded_limit == WAX_LUA_LIMIT_DEPTH;
  if (__builtin_expect(is_nested, 0) && was_cancelled(call, coroutine)) wax_lua_check_limit(L);
  wax_lua_release_backlog(call->state);
  if (__builtin_expect(crossed_at != 0, 0))
    wax_lua_budget_return(L, crossed_at, false, !call->frame.error);
  if (__builtin_expect(call->frame.error != 0, 0) && direct->raise)
    return wax_call_raise_thrown(call);
  return finish(call);
}

int wax_call_run_direct(lua_State *L, void *plan, int argument_count) {
  direct_call call;
  wax_call_direct *direct = plan;
  int first = direct->receiver_class ? 2 : 1;
  if (argument_count != direct->count + first - 1) return -1;
  if (direct->counter && *direct->counter != direct->made_at) return -1;
  call.direct = direct;
  call.code = direct->address;
  call.L = L;
  call.state = wax_lua_state_of(L);
  wax_lua_coroutine *coroutine = usable_coroutine(call.state);
  if (!coroutine || (direct->receiver_class && !read_receiver(&call))) return -1;
  call.record = direct->point ? find_record(direct->point) : NULL;
  if (direct->point && (!call.record || !is_own(&call))) return -1;
  return run(&call, coroutine, first);
}

int wax_call_run_running_original(lua_State *L, void *unused, int argument_count) {
  (void)unused;
  const wax_call_active *record = wax_lua_active_call();
  if (!record || !record->gate->original || !record->coroutine) return -1;
  if (record->coroutine->state != wax_lua_state_of(L)) return -1;
  return record->gate->original(L, record->gate->original_plan, argument_count);
}

/* {==================================================================
** Closures
** =================================================================== */

/* Bytes of a Swift object before its first field: metadata and count of references. */
#define OBJECT_HEADER 16

int wax_call_run_closure(lua_State *L, const wax_proxy *proxy, int argument_count) {
  direct_call call;
  if (!wax_proxy_is_closure(proxy->kind) || !proxy->pointer) return -1;
  const wax_call_closure *closure = (const void *)((const char *)proxy->pointer + OBJECT_HEADER);
  if (!closure->direct || argument_count != closure->direct->count) return -1;
  if (closure->thread && closure->thread != wax_lua_kernel_thread()) return -1;
  call.direct = closure->direct;
  call.code = closure->code;
  call.L = L;
  call.state = wax_lua_state_of(L);
  if (wax_lua_refuses_effects(call.state)) return -1;
  call.record = NULL;
  call.frame.self_register = (uint64_t)(uintptr_t)closure->context;
  wax_lua_coroutine *coroutine = usable_coroutine(call.state);
  return coroutine ? run(&call, coroutine, 1) : -1;
}

/* }================================================================== */

/* {==================================================================
** Stored properties
** =================================================================== */

/* The object that the proxy at 1, of the property's class, is of; NULL: it is of none now. */
static inline char *base_of(lua_State *L) {
  const wax_proxy *proxy = wax_proxy_to_proxy(L, 1);
  return proxy && proxy->kind == WAX_PROXY_KIND_OBJECT ? proxy->pointer : NULL;
}

int wax_call_get_stored(lua_State *L, void *plan, int argument_count) {
  const wax_call_stored *stored = plan;
  const char *base = base_of(L);
  if (!base || argument_count != 1) return -1;
  wax_lua_budget_add(L, 1);
  return push_sure(L, stored->move, base + stored->offset) ? 1 : -1;
}

int wax_call_set_stored(lua_State *L, void *plan, int argument_count) {
  const wax_call_stored *stored = plan;
  char *base = base_of(L);
  if (!base || argument_count != 2 || stored->move >= WAX_LUA_MOVE_OBJECT) return -1;
  return wax_call_read_number(L, 2, stored->move, base + stored->offset) ? 0 : -1;
}

/* }================================================================== */
