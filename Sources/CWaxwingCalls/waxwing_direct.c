/* SPDX-License-Identifier: MIT */

#include "waxwing_direct.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdlib.h>

#include "waxwing_budget.h"
#include "waxwing_made_class.h"
#include "waxwing_moves.h"
#include "waxwing_runtime.h"
#include "waxwing_turn.h"

extern void swift_release(void *object);
extern void swift_bridgeObjectRelease(void *object);

static _Thread_local waxwing_frame *thrown_frame __attribute__((tls_model("initial-exec")));

waxwing_frame *waxwing_thrown_frame(void) { return thrown_frame; }

/* One call while it lasts. */
typedef struct direct_call {
  waxwing_direct *direct;
  const void *code; /* what runs where it is no original */
  lua_State *L;
  waxwing_state *state;
  waxwing_call_record *record; /* of the override whose original it is; NULL: it is no original */
  waxwing_frame frame;
} direct_call;

/* {==================================================================
** Arguments
** =================================================================== */

static bool inherits(const void *type, const void *from) {
  for (; type; type = ((const void *const *)type)[1]) /* of a class's metadata: the superclass */
    if (type == from) return true;
  return false;
}

/* Whether an object of this class may be the receiver. */
static bool takes_class(waxwing_direct *direct, const void *type) {
  if (!inherits(type, direct->receiver_class)) return false;
  if (direct->passes_made_classes && waxwing_made_class_of(type)) return false;
  direct->other_class = type;
  return true;
}

static inline bool read_receiver(direct_call *call) {
  waxwing_direct *direct = call->direct;
  const waxwing_proxy *proxy = waxwing_to_proxy(call->L, 1);
  if (!proxy || proxy->kind != WAXWING_PROXY_OBJECT) return false;
  const void *type = *(const void **)proxy->pointer;
  call->frame.self = (uint64_t)(uintptr_t)proxy->pointer;
  return type == direct->receiver_class || type == direct->other_class || takes_class(direct, type);
}

static void release_value(uint8_t move, void *value) {
  if (move == WAXWING_MOVE_STRING) swift_bridgeObjectRelease(((void **)value)[1]);
  if (move == WAXWING_MOVE_OBJECT) swift_release(*(void **)value);
  if (move == WAXWING_MOVE_FUNCTION) swift_release(((void **)value)[1]);
}

/* Of the first so many arguments, which have been made for the call. */
static void release_arguments(const direct_call *call, const char *saved, int count,
                              bool only_borrowed) {
  for (int i = 0; i < count; i++) {
    const waxwing_step *step = &call->direct->steps[i];
    if (step->move < WAXWING_MOVE_OBJECT || (only_borrowed && step->is_owned)) continue;
    release_value(step->move, (char *)saved + step->offset);
  }
}

/* Of Lua's own functions: those of C may stand for closures of Swift's. */
static bool read_function(const direct_call *call, int index, const void *plan, void *target) {
  if (!lua_isfunction(call->L, index) || lua_iscfunction(call->L, index)) return false;
  int reference = waxwing_reference_at_once(call->L, index);
  return reference && call->direct->make_function(plan, call->state, reference, target);
}

static inline bool read_argument(direct_call *call, int index, int step_index) {
  const waxwing_direct *direct = call->direct;
  const waxwing_step *step = &direct->steps[step_index];
  void *target = (char *)&call->frame + step->offset;
  if (step->move == WAXWING_MOVE_VALUE)
    return waxwing_read_value(call->L, index, &call->frame, direct->types[step_index]);
  if (step->move == WAXWING_MOVE_STRING)
    return waxwing_read_string(call->L, index, target, direct->make_string);
  if (step->move == WAXWING_MOVE_OBJECT)
    return waxwing_read_object(call->L, index, target, direct->types[step_index]);
  if (step->move == WAXWING_MOVE_FUNCTION)
    return read_function(call, index, direct->types[step_index], target);
  return waxwing_read_number(call->L, index, step->move, target);
}

/* False: one of them takes Swift to be read, and none is there. What is released then is Lua's,
   too: no deinitializer runs. */
static inline bool read_arguments(direct_call *call, int first) {
  for (int i = 0; i < call->direct->count; i++) {
    if (__builtin_expect(read_argument(call, first + i, i), 1)) continue;
    release_arguments(call, (const char *)&call->frame, i, false);
    return false;
  }
  return true;
}

/* }================================================================== */

/* {==================================================================
** Results
** =================================================================== */

/* [-0, +1, -] or [-0, +0, -] and false: it might raise. */
static inline bool push_sure(lua_State *L, uint8_t move, const void *source) {
  if (move == WAXWING_MOVE_STRING) return waxwing_push_sure_string(L, source);
  if (move == WAXWING_MOVE_OBJECT) {
    void *object = *(void **)source;
    return waxwing_push_known_object(L, object) || waxwing_push_sure_object(L, object);
  }
  return waxwing_push_number(L, move, source);
}

/* (move, source) -> value */
static int push_protected(lua_State *L) {
  uint8_t move = (uint8_t)lua_tointeger(L, 1);
  const void *source = lua_touserdata(L, 2);
  if (move == WAXWING_MOVE_STRING)
    waxwing_push_string(L, source);
  else if (move == WAXWING_MOVE_OBJECT)
    waxwing_push_proxy(L, WAXWING_PROXY_OBJECT, *(void **)source, **(void ***)source);
  else
    waxwing_push_proxy(L, WAXWING_PROXY_UINT64, *(void **)source, NULL);
  return 1;
}

/* [-0, +1, -]  The result, or an error. Returns Lua's status. */
static inline int push_result(lua_State *L, uint8_t move, void *source) {
  if (__builtin_expect(push_sure(L, move, source), 1)) return LUA_OK;
  lua_pushcfunction(L, push_protected);
  lua_pushinteger(L, move);
  lua_pushlightuserdata(L, source);
  return lua_pcall(L, 2, 1, 0);
}

/* (box, type) -> proxy */
static int push_value_protected(lua_State *L) {
  return waxwing_push_proxy(L, WAXWING_PROXY_VALUE, lua_touserdata(L, 1), lua_touserdata(L, 2));
}

/* [-0, +1, e]  The result, of a trivial type: should a proxy not be made, its box is just freed. */
static int push_value(const direct_call *call) {
  lua_State *L = call->L;
  const waxwing_value_layout *layout = &call->direct->layouts[call->direct->count];
  void *box = waxwing_box_value(&call->frame, layout);
  if (__builtin_expect(waxwing_has_metatable(L, layout->type), 1))
    return waxwing_push_proxy(L, WAXWING_PROXY_VALUE, box, layout->type);
  lua_pushcfunction(L, push_value_protected);
  lua_pushlightuserdata(L, box);
  lua_pushlightuserdata(L, (void *)layout->type);
  if (lua_pcall(L, 2, 1, 0) == LUA_OK) return 1;
  free(box);
  return lua_error(L);
}

/* The override whose original has returned keeps the result. Returns where. */
static void *keep_result(const direct_call *call, void *result) {
  waxwing_call_record *record = call->record;
  uint8_t move = call->direct->result.move;
  record->original_ran = true;
  record->codec = NULL;
  if (move == WAXWING_MOVE_NOTHING) return result;
  record->codec = call->direct->codec;
  memcpy(record->place, result, move == WAXWING_MOVE_STRING ? 16 : 8);
  if (move >= WAXWING_MOVE_OBJECT) record->owns = true;
  return record->place;
}

/* }================================================================== */

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

/* The call of an override at the point that this thread is in, the innermost. */
static inline waxwing_call_record *find_record(const void *point) {
  waxwing_call_record *record = waxwing_activation();
  while (record && record->point != point) record = record->previous;
  return record;
}

/* Whether the call is one of the original of the record's own call: its result is that of it. */
static inline bool is_own(const direct_call *call) {
  const waxwing_call_record *record = call->record;
  if (record->owns || record->plan != call->direct->plan || !record->gate) return false;
  return !record->receiver || record->receiver == call->frame.self;
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

static int finish(direct_call *call) {
  const waxwing_direct *direct = call->direct;
  void *result = (char *)&call->frame + direct->result.offset;
  if (direct->result.move == WAXWING_MOVE_STRING && !waxwing_can_read_string(result))
    direct->make_readable(result);
  if (call->record) result = keep_result(call, result);
  if (direct->result.move == WAXWING_MOVE_NOTHING) return 0;
  if (direct->result.move == WAXWING_MOVE_VALUE) return push_value(call);
  int status = push_result(call->L, direct->result.move, result);
  if (!call->record) release_value(direct->result.move, result);
  if (status != LUA_OK) return lua_error(call->L);
  return 1;
}

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
  if (__builtin_expect(call->frame.error != 0, 0) && direct->raise) {
    thrown_frame = &call->frame;
    return waxwing_run_member_callback(L, direct->raise, 0, NULL);
  }
  return finish(call);
}

/* The lane that the thread runs, if a call can be made from it; NULL: it cannot, or not here. */
static inline waxwing_lane *usable_lane(const waxwing_state *state) {
  waxwing_lane *lane = waxwing_running_lane(state);
  if (!lane || lane->spending.paused_at || waxwing_stack_is_low()) return NULL;
  return lane;
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
