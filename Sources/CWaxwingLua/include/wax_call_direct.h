/* SPDX-License-Identifier: MIT
 *
 * One call of a Swift function by Lua code, from Lua's stack to the registers and back, without
 * Swift.
 *
 * The Swift side compiles a FunctionCall into a wax_call_direct where it is of values that C can
 * move, and hangs it on the callback that Lua code calls. Arguments that are not of their
 * parameters' own Lua types, and whatever else is unusual, go the long way, through Swift, which
 * converts them or says what is wrong. See docs/call-path.md.
 */
#ifndef WAX_CALL_DIRECT_H
#define WAX_CALL_DIRECT_H

#include "wax_lua_call.h"
#include "wax_call_override.h"

#define WAX_CALL_MAX_PIECES 8

/* A type whose values are nothing but their bytes, and how one is passed in registers. */
typedef struct wax_call_value_layout {
  const void *type; /* its metadata */
  uint16_t size;
  uint8_t piece_count;
  struct wax_call_piece {
    uint16_t frame_offset, value_offset;
    uint8_t byte_count; /* at most 8 */
  } pieces[WAX_CALL_MAX_PIECES];
} wax_call_value_layout;

/* Belongs to one state: only the thread that is in uses it. */
typedef struct wax_call_direct {
  const void *address; /* of the function; of an original, see `point` */
  /* The originals of the overrides at this point: that of the call which this thread is in. NULL:
     it is no original. */
  const void *point;
  const void *plan;  /* that such a call must have, so that the result is what comes of it */
  const void *codec; /* of the result, for the call's record */
  /* The plan holds as long as this counter stands at `made_at`; NULL: always. */
  const int64_t *counter;
  int64_t made_at;
  /* An object comes first, of this class or one below it: in the self register. NULL: nothing does.
   */
  const void *receiver_class;
  const void *other_class;  /* the last one below it that was seen */
  bool passes_made_classes; /* a class of Lua's may have something else in its vtable */
  uint8_t count;
  bool makes_references; /* strings, objects or functions for some arguments, to be released */
  wax_call_step result;
  wax_call_step steps[WAX_CALL_MAX_STEPS];
  /* The classes of arguments that are objects; of functions a ClosurePlan, of values a
   * wax_call_value_layout. */
  const void *types[WAX_CALL_MAX_STEPS];
  wax_call_value_layout
      *layouts; /* of the arguments, then of the result; NULL: no value is passed */
  bool (*make_string)(const char *bytes, size_t count, void *target);
  /* A function value that owns this reference, at +1. False: there can be none, and the reference
     is given back. */
  bool (*make_function)(const void *plan, wax_lua_state *state, int reference, void *target);
  /* Makes a string of a form that Swift alone reads one that C reads, in its place. */
  void (*make_readable)(void *string);
  /* Raises what the function has thrown: wax_call_thrown_frame. NULL: it throws nothing. */
  wax_lua_callback *raise;
  /* Whether the task that runs has been cancelled: then async calls throw. */
  bool (*is_cancelled)(void);
  uint64_t breadcrumb; /* of an async original: how breadcrumbs name the patch */
} wax_call_direct;

/* The function for wax_lua_callback.direct, with a wax_call_direct as its plan. */
int wax_call_run_direct(lua_State *L, void *plan, int argument_count);

/* The part of a SwiftClosure that C reads, with which the object begins: the self-check ("objects")
   compares where an object's first field is. */
typedef struct wax_call_closure {
  wax_call_direct *direct; /* the call in a form that C runs; NULL: it takes Swift. The plan's */
  const void *code;
  void *context;   /* NULL: it has captured nothing */
  uint64_t thread; /* the only one that may call it; 0: any */
} wax_call_closure;

/* The function for wax_lua_callback.closure: Swift closures that Lua code holds. */
int wax_call_run_closure(lua_State *L, const struct wax_proxy *proxy, int argument_count);

/* A stored property of a class, for wax_call_get_stored and wax_call_set_stored. */
typedef struct wax_call_stored {
  uint64_t offset; /* from the start of the object, in bytes */
  uint8_t move;    /* a wax_lua_move */
} wax_call_stored;

int wax_call_get_stored(lua_State *L, void *plan, int argument_count);
int wax_call_set_stored(lua_State *L, void *plan, int argument_count);

/* The frame of the call that has thrown, while its `raise` runs. */
wax_runtime_frame *wax_call_thrown_frame(void);

/* [-0, +n, e]  The `direct` of the function `original`: calls the original of the override that the
   thread is in, if that is one of the state's. */
int wax_call_run_running_original(lua_State *L, void *unused, int argument_count);

#endif
