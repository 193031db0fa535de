/* SPDX-License-Identifier: MIT
 *
 * Calls from Swift into Lua and from Lua into Swift.
 */
#include "waxwing_lua.h"

#include <lauxlib.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "waxwing_pieces.h"
#include "waxwing_turn.h"

const char waxwing_explicit_key = 0;
const char waxwing_message_key = 0;

/* {==================================================================
** Errors
** =================================================================== */

static void copy_text(char *to, size_t size, const char *from) {
  size_t count = from ? strnlen(from, size - 1) : 0;
  if (count) memcpy(to, from, count);
  to[count] = '\0';
}

static void copy_frame(waxwing_traceback_frame *frame, const lua_Debug *activation) {
  copy_text(frame->source, sizeof frame->source, activation->short_src);
  copy_text(frame->name, sizeof frame->name, activation->name);
  frame->line = activation->currentline;
  frame->what = *activation->what;
}

/* Whether the function at this level is the prelude's own, or what stands for one. */
static bool is_prelude(lua_State *L, int level) {
  lua_Debug activation;
  if (!lua_getstack(L, level, &activation)) return false;
  lua_getinfo(L, "Sf", &activation);
  bool runs_pieces = lua_tocfunction(L, -1) == waxwing_run_pieces;
  lua_pop(L, 1);
  return runs_pieces || !strcmp(activation.short_src, WAXWING_PRELUDE);
}

/* Whether it is what `xpcall` puts around a handler, or what runs pieces of advice. */
static bool is_around(lua_State *L, lua_Debug *activation) {
  lua_getinfo(L, "f", activation);
  lua_CFunction function = lua_tocfunction(L, -1);
  lua_pop(L, 1);
  return function == waxwing_handle_message || function == waxwing_run_pieces;
}

/* What the prelude calls is no more the script's own than the prelude is. */
int waxwing_capture_traceback(lua_State *L, int level, waxwing_traceback_frame *frames, int most) {
  lua_Debug activation;
  int count = 0;
  while (count < most && lua_getstack(L, level++, &activation)) {
    lua_getinfo(L, "nSl", &activation);
    if (!strcmp(activation.short_src, WAXWING_PRELUDE)) continue;
    if (*activation.what == 'C' && is_prelude(L, level)) continue;
    if (*activation.what == 'C' && !strcmp(activation.namewhat, "metamethod")) continue;
    if (*activation.what == 'C' && is_around(L, &activation)) continue;
    copy_frame(&frames[count++], &activation);
  }
  return count;
}

bool waxwing_take_frames(waxwing_traceback_frame **frames) {
  if (!*frames) *frames = malloc(WAXWING_MAX_FRAMES * sizeof **frames);
  return *frames != NULL;
}

int waxwing_capture_frames(lua_State *L, int level, waxwing_traceback_frame **frames) {
  if (!waxwing_take_frames(frames)) return 0;
  return waxwing_capture_traceback(L, level, *frames, WAXWING_MAX_FRAMES);
}

bool waxwing_where(lua_State *L, int level, waxwing_traceback_frame *frame) {
  lua_Debug activation;
  for (int i = 0; lua_getstack(L, i, &activation); i++) {
    lua_getinfo(L, "nSl", &activation);
    if (*activation.what == 'C' || !strcmp(activation.short_src, WAXWING_PRELUDE)) continue;
    if (level-- > 0) continue;
    copy_frame(frame, &activation);
    return true;
  }
  return false;
}

/* Its first upvalue is the lane: a light userdata. */
int waxwing_record_traceback(lua_State *L) {
  waxwing_lane *lane = lua_touserdata(L, lua_upvalueindex(1));
  if (lane->spending.trip_is_placed || waxwing_take_advice_traceback(lane)) return 1;
  int count = waxwing_capture_frames(L, 1, &lane->frames);
  /* The outermost are C functions of ours, which nobody wrote. */
  if (count < WAXWING_MAX_FRAMES && count >= lane->outer_frames) count -= lane->outer_frames;
  lane->frame_count = count;
  return 1;
}

/* What the prelude raises is a mistake of the script's, and no error that it throws. */
static int raise(lua_State *L, int level, bool is_explicit) {
  lua_settop(L, 1);
  if (is_explicit) {
    lua_pushvalue(L, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &waxwing_message_key);
  }
  if (lua_type(L, 1) == LUA_TSTRING && level > 0) {
    luaL_where(L, level);
    lua_insert(L, 1);
    lua_concat(L, 2);
  }
  if (is_explicit) {
    lua_pushvalue(L, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &waxwing_explicit_key);
    waxwing_state_of(L)->has_explicit = true;
  }
  return lua_error(L);
}

int waxwing_error_function(lua_State *L) {
  return raise(L, (int)luaL_optinteger(L, 2, 1), !is_prelude(L, 1));
}

int waxwing_throw_function(lua_State *L) { return raise(L, 0, true); }

/* (error, was explicit): raises it as if it had not been caught. */
int waxwing_raise_again(lua_State *L) {
  bool was_explicit = lua_toboolean(L, 2);
  lua_settop(L, 1);
  if (was_explicit) {
    for (int i = 0; i < 2; i++) {
      lua_pushvalue(L, 1);
      lua_rawsetp(L, LUA_REGISTRYINDEX, i == 0 ? &waxwing_explicit_key : &waxwing_message_key);
    }
    waxwing_state_of(L)->has_explicit = true;
  }
  return lua_error(L);
}

bool waxwing_is_explicit(waxwing_lua_call *call, int index) {
  lua_State *L = call->L;
  if (!lua_checkstack(L, 2)) return false;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &waxwing_explicit_key);
  bool is_same = !lua_isnil(L, -1) && lua_rawequal(L, -1, index);
  lua_pop(L, 1);
  return is_same;
}

/* The keys are there: nothing is allocated. */
void waxwing_forget_explicit(waxwing_state *state) {
  state->has_explicit = false;
  for (int i = 0; i < 2; i++) {
    lua_pushnil(state->main);
    lua_rawsetp(state->main, LUA_REGISTRYINDEX,
                i == 0 ? &waxwing_explicit_key : &waxwing_message_key);
  }
}

/* A message of a megabyte is an attack, or a mistake. */
#define LONGEST_MESSAGE 4096

/* Of a table that is an error. */
#define MOST_FIELDS 16
#define FIELD_SIZE 96

/* [-0, +0, -]  What a key or a value of such a table is, in a few words: no metamethod may run
 * here. */
static void describe(lua_State *L, int index, bool is_key, char text[FIELD_SIZE / 2]) {
  size_t size = FIELD_SIZE / 2;
  switch (lua_type(L, index)) {
    case LUA_TSTRING:
      snprintf(text, size, is_key ? "%.40s" : "\"%.40s\"", lua_tostring(L, index));
      break;
    case LUA_TNUMBER:
      if (lua_isinteger(L, index))
        snprintf(text, size, is_key ? "[%lld]" : "%lld", (long long)lua_tointeger(L, index));
      else
        snprintf(text, size, is_key ? "[%.14g]" : "%.14g", lua_tonumber(L, index));
      break;
    case LUA_TBOOLEAN:
      snprintf(text, size, "%s", lua_toboolean(L, index) ? "true" : "false");
      break;
    default: snprintf(text, size, "%s", lua_typename(L, lua_type(L, index)));
  }
}

static int by_text(const void *left, const void *right) { return strcmp(left, right); }

/* [-0, +0, -]  Whether it has something in it and nothing to say itself. */
static bool is_plain_table(lua_State *L, int index) {
  if (!lua_istable(L, index) || !lua_checkstack(L, 4)) return false;
  if (luaL_getmetafield(L, index, "__tostring") != LUA_TNIL) {
    lua_pop(L, 1);
    return false;
  }
  lua_pushnil(L);
  if (!lua_next(L, index)) return false;
  lua_pop(L, 2);
  return true;
}

/* [-0, +0, -]  `{ code = 5, reason = "late" }` for the table at `index`, which has no say in it. */
static void read_table(lua_State *L, int index, waxwing_buffer *buffer) {
  char fields[MOST_FIELDS][FIELD_SIZE], key[FIELD_SIZE / 2], value[FIELD_SIZE / 2];
  char text[MOST_FIELDS * (FIELD_SIZE + 2) + 16];
  size_t count = 0, length = 0;
  bool is_whole = true;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    if (count == MOST_FIELDS) {
      is_whole = false;
      lua_pop(L, 2);
      break;
    }
    describe(L, -2, true, key);
    describe(L, -1, false, value);
    snprintf(fields[count++], FIELD_SIZE, "%s = %s", key, value);
    lua_pop(L, 1);
  }
  qsort(fields, count, FIELD_SIZE, by_text);
  text[length++] = '{';
  for (size_t i = 0; i < count; i++)
    length += (size_t)snprintf(text + length, FIELD_SIZE + 2, "%s%s", i ? ", " : " ", fields[i]);
  length += (size_t)snprintf(text + length, 8, is_whole ? " }" : ", … }");
  waxwing_buffer_add_string(buffer, text, length);
}

/* [-0, +0, -]  A string is cut where it gets too long. */
static void read_message(lua_State *L, int index, waxwing_buffer *buffer) {
  size_t count = 0;
  index = lua_absindex(L, index);
  if (is_plain_table(L, index)) return read_table(L, index, buffer);
  const char *text = lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &count) : NULL;
  if (count <= LONGEST_MESSAGE) {
    waxwing_read(L, index, buffer);
    return;
  }
  count = LONGEST_MESSAGE;
  while (count > 0 && ((unsigned char)text[count] & 0xC0) == 0x80) count--; /* inside a character */
  waxwing_buffer_add_string(buffer, text, count);
}

waxwing_status waxwing_read_error_at(lua_State *L, int index, waxwing_buffer *buffer) {
  int top = lua_gettop(L);
  waxwing_status result = WAXWING_ERROR;
  index = lua_absindex(L, index);
  read_message(L, index, buffer);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &waxwing_explicit_key) != LUA_TNIL &&
      lua_rawequal(L, -1, index)) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &waxwing_message_key);
    read_message(L, -1, buffer); /* the registry keeps it */
    result = WAXWING_EXPLICIT;
  }
  lua_settop(L, top);
  return result;
}

waxwing_status waxwing_read_lane_error(waxwing_lane *lane, int status) {
  waxwing_buffer_clear(&lane->buffer);
  /* What the call held is garbage now, and the program may have nothing left but that. */
  if (lane->spending.trip == WAXWING_TRIP_MEMORY) {
    lua_gc(lane->L, LUA_GCCOLLECT);
    waxwing_hasten_cycles(lane->state);
  }
  if (waxwing_is_trip(lane->L, -1)) {
    const char *text = waxwing_trip_text(lane);
    waxwing_buffer_add_string(&lane->buffer, text, strlen(text));
    return WAXWING_TRIPPED;
  }
  waxwing_status result = waxwing_read_error_at(lane->L, -1, &lane->buffer);
  return status == LUA_ERRMEM && result == WAXWING_ERROR ? WAXWING_NO_MEMORY : result;
}

/* }================================================================== */

/* {==================================================================
** From Swift into Lua
** =================================================================== */

int waxwing_keep_receiver(lua_State *L, waxwing_lane *lane, int function) {
  if (!lane->keeps_receiver) return function;
  lua_pushvalue(L, function + 1);
  lua_insert(L, function);
  lane->receiver = waxwing_to_proxy(L, function);
  return function + 1;
}

/* (lane) -> the kept receiver, if any, and the results. For values that need memory. */
static int call_protected(lua_State *L) {
  waxwing_lane *lane = lua_touserdata(L, 1);
  lua_settop(L, 0);
  lua_rawgeti(L, LUA_REGISTRYINDEX, lane->function);
  waxwing_push_values(L, &lane->buffer);
  int function = waxwing_keep_receiver(L, lane, 1);
  lua_call(L, lua_gettop(L) - function, LUA_MULTRET);
  return lua_gettop(L);
}

static int run_protected(waxwing_lane *lane) {
  lua_State *L = lane->L;
  lua_pushcfunction(L, call_protected);
  lua_pushlightuserdata(L, lane);
  lane->outer_frames = 1; /* call_protected */
  int status = lua_pcall(L, 1, LUA_MULTRET, WAXWING_LANE_HANDLER);
  lane->outer_frames = 0;
  if (status != LUA_OK) waxwing_buffer_discard(lane->state, &lane->buffer);
  return status;
}

/* [-0, +n, -]  The results, or an error value; *first is where the first result is. */
static int run(waxwing_lane *lane, int *first) {
  lua_State *L = lane->L;
  int function = lua_gettop(L) + 1;
  lua_rawgeti(L, LUA_REGISTRYINDEX, lane->function);
  if (!lane->buffer.failed &&
      waxwing_push_plain(L, &lane->buffer, WAXWING_LANE_PROXIES, WAXWING_LANE_SLOTS - function)) {
    *first = waxwing_keep_receiver(L, lane, function);
    return lua_pcall(L, (int)lane->buffer.count, LUA_MULTRET, WAXWING_LANE_HANDLER);
  }
  lua_settop(L, function - 1);
  *first = lane->keeps_receiver ? function + 1 : function;
  return run_protected(lane);
}

waxwing_status waxwing_read_lane_results(waxwing_lane *lane, int first, int *result_count) {
  lua_State *L = lane->L;
  waxwing_buffer_clear(&lane->buffer);
  int top = lua_gettop(L);
  *result_count = top - first + 1;
  for (int i = first; i <= top; i++) {
    if (lua_isinteger(L, i)) /* not only most results are, it is also the cheapest to ask */
      waxwing_buffer_add(&lane->buffer, WAXWING_INTEGER, lua_tointeger(L, i));
    else
      waxwing_read(L, i, &lane->buffer);
  }
  return lane->buffer.failed ? WAXWING_NO_MEMORY : WAXWING_OK;
}

waxwing_status waxwing_lane_outcome(waxwing_lane *lane, int status, int first, int *result_count) {
  *result_count = 0;
  if (status != LUA_OK) return waxwing_read_lane_error(lane, status);
  return waxwing_read_lane_results(lane, first, result_count);
}

waxwing_status waxwing_lane_call(waxwing_lane *lane, int reference, int *result_count) {
  int first;
  lane->function = reference;
  lane->frame_count = 0;
  waxwing_budget_renew(lane);
  waxwing_lane *outer = waxwing_budget_begin(lane);
  int status = run(lane, &first);
  waxwing_budget_end(lane, outer);
  return waxwing_lane_outcome(lane, status, first, result_count);
}

typedef struct load_request {
  const char *source;
  size_t count;
  const char *chunk_name;
  const char *environment;
  waxwing_compiled *compiled; /* NULL: it is not to be kept */
  int reference;
} load_request;

static int load_protected(lua_State *L) {
  load_request *request = lua_touserdata(L, 1);
  waxwing_compiled *compiled = request->compiled;
  bool is_compiled = compiled && compiled->bytes;
  const char *bytes = is_compiled ? (const char *)compiled->bytes : request->source;
  size_t count = is_compiled ? compiled->count : request->count;
  if (luaL_loadbufferx(L, bytes, count, request->chunk_name, is_compiled ? "b" : "t") != LUA_OK)
    return lua_error(L);
  /* Without memory for it the source is compiled again the next time. */
  if (compiled && !is_compiled) waxwing_dump(L, false, compiled);
  if (request->environment) {
    lua_getglobal(L, request->environment);
    lua_setupvalue(L, -2, 1); /* the only upvalue of a main chunk is _ENV */
  }
  request->reference = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

static waxwing_status load(waxwing_lane *lane, load_request request, int *reference) {
  lane->frame_count = 0;
  lua_pushcfunction(lane->L, load_protected);
  lua_pushlightuserdata(lane->L, &request);
  int status = lua_pcall(lane->L, 1, 0, 0);
  *reference = request.reference;
  return status == LUA_OK ? WAXWING_OK : waxwing_read_lane_error(lane, status);
}

waxwing_status waxwing_load(waxwing_lane *lane, const char *source, size_t count,
                            const char *chunk_name, const char *environment, int *reference) {
  load_request request = {source, count, chunk_name, environment, NULL, 0};
  return load(lane, request, reference);
}

waxwing_status waxwing_load_own(waxwing_lane *lane, const char *source, size_t count,
                                const char *chunk_name, waxwing_compiled *compiled,
                                int *reference) {
  load_request request = {source, count, chunk_name, NULL, compiled, 0};
  return load(lane, request, reference);
}

typedef struct global_request {
  const char *name;
  waxwing_buffer *buffer;
} global_request;

static int set_global_protected(lua_State *L) {
  global_request *request = lua_touserdata(L, 1);
  lua_pushcfunction(L, waxwing_push_protected);
  lua_pushlightuserdata(L, request->buffer);
  lua_call(L, 1, 1);
  lua_setglobal(L, request->name);
  return 0;
}

waxwing_status waxwing_set_global(waxwing_lane *lane, const char *name) {
  global_request request = {name, &lane->buffer};
  lua_pushcfunction(lane->L, set_global_protected);
  lua_pushlightuserdata(lane->L, &request);
  int status = lua_pcall(lane->L, 1, 0, 0);
  if (status != LUA_OK) waxwing_buffer_discard(lane->state, &lane->buffer);
  return status == LUA_OK ? WAXWING_OK : waxwing_read_lane_error(lane, status);
}

static int reference_protected(lua_State *L) {
  lua_pushinteger(L, luaL_ref(L, LUA_REGISTRYINDEX));
  return 1;
}

int waxwing_reference_argument(waxwing_lua_call *call, int index) {
  lua_State *L = call->L;
  if (!lua_checkstack(L, 3)) return 0;
  lua_pushcfunction(L, reference_protected);
  lua_pushvalue(L, index);
  bool made = lua_pcall(L, 1, 1, 0) == LUA_OK;
  int reference = made ? (int)lua_tointeger(L, -1) : 0;
  lua_pop(L, 1);
  return reference;
}

int waxwing_parameter_count(lua_State *L, int index) {
  lua_Debug about;
  if (!lua_isfunction(L, index) || lua_iscfunction(L, index) || !lua_checkstack(L, 1)) return -1;
  lua_pushvalue(L, index);
  lua_getinfo(L, ">u", &about);
  return about.isvararg ? -1 : about.nparams;
}

void waxwing_unreference(waxwing_state *state, int reference) {
  luaL_unref(state->main, LUA_REGISTRYINDEX, reference);
}

/* }================================================================== */

/* {==================================================================
** From Lua into Swift
** =================================================================== */

/* [-0, +n, -] or an error value on top. Frees nothing. */
static int push_results(lua_State *L, waxwing_buffer *results) {
  int top = lua_gettop(L);
  if (!results->failed && waxwing_push_plain(L, results, 0, LUA_MINSTACK)) return LUA_OK;
  lua_settop(L, top);
  lua_pushcfunction(L, waxwing_push_protected);
  lua_pushlightuserdata(L, results);
  return lua_pcall(L, 1, LUA_MULTRET, 0);
}

void waxwing_push_call_results(waxwing_lua_call *call) {
  call->push_status = push_results(call->L, &call->results);
  if (call->push_status != LUA_OK) waxwing_buffer_discard(call->state, &call->results);
  call->is_pushed = true;
}

/* [-0, +1, me]  "overdraft.lua:12: " for the innermost function of the script's own. */
static void push_position(lua_State *L) {
  lua_Debug activation;
  for (int level = 1; lua_getstack(L, level, &activation); level++) {
    lua_getinfo(L, "Sl", &activation);
    if (activation.currentline < 0 || !strcmp(activation.short_src, WAXWING_PRELUDE)) continue;
    lua_pushfstring(L, "%s:%d: ", activation.short_src, activation.currentline);
    return;
  }
  lua_pushliteral(L, "");
}

/* [-1, +1, me]  Puts the position of the calling Lua code before a message. */
static void add_position(lua_State *L) {
  if (lua_type(L, -1) != LUA_TSTRING) return;
  push_position(L);
  lua_insert(L, -2);
  lua_concat(L, 2);
}

/* What raising pushes. */
#define RAISING_SLOTS 8

void waxwing_make_room(lua_State *L) {
  if (!lua_checkstack(L, RAISING_SLOTS)) lua_settop(L, -RAISING_SLOTS - 1);
}

int waxwing_raise(lua_State *L, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  lua_pushvfstring(L, format, arguments);
  va_end(arguments);
  add_position(L);
  return lua_error(L);
}

/* The Swift function has returned before anything here can raise: no frame of it is skipped. */
void waxwing_return_argument(waxwing_lua_call *call, int index) {
  lua_pushvalue(call->L, index); /* the stack has room: see below */
  call->is_pushed = true;
  call->push_status = LUA_OK;
}

int waxwing_run_member_callback(lua_State *L, waxwing_callback *callback, int argument_count,
                                waxwing_member *member) {
  if (callback->direct) {
    int results = callback->direct(L, callback->direct_plan, argument_count);
    if (__builtin_expect(results >= 0, 1)) return results;
  }
  waxwing_lua_call call;
  call.state = waxwing_state_of(L);
  call.L = L;
  call.member = NULL;
  call.field = 0;
  call.accessor_function = 0;
  call.keeps_result = false;
  call.changed_receiver = false;
  call.waits = NULL;
  call.is_pushed = false;
  call.argument_count = argument_count;
  waxwing_buffer_init(&call.arguments);
  waxwing_buffer_init(&call.results);
  call.arguments.L = call.results.L = L;
  for (int i = 1; i <= call.argument_count; i++) waxwing_read(L, i, &call.arguments);
  waxwing_spend(L, call.arguments.count); /* of a table, each element */
  int top = lua_gettop(L);
  bool succeeded = false;
  int64_t crossed_at = waxwing_budget_cross(L);
  if (waxwing_stack_is_low()) {
    const char *problem = waxwing_stack_problem();
    waxwing_buffer_add_string(&call.results, problem, strlen(problem));
  } else if (!call.arguments.failed && lua_checkstack(L, LUA_MINSTACK))
    succeeded = callback->function(callback->context, &call);
  else
    waxwing_buffer_add_string(&call.results, "not enough memory", 17);
  if (!call.is_pushed) waxwing_push_call_results(&call);
  int status = call.push_status;
  waxwing_buffer_free(&call.arguments);
  waxwing_buffer_free(&call.results);
  if (!succeeded) waxwing_spend(L, callback->failure_cost);
  if (member)
    *member = (waxwing_member){call.member, call.field, call.accessor_function, call.keeps_result};
  waxwing_release_backlog(call.state);
  waxwing_budget_back(L, crossed_at, callback->declares, succeeded);
  if (status == LUA_OK && succeeded && call.waits) return waxwing_wait_for(L, call.waits);
  int results = lua_gettop(L) - top;
  /* As in Swift, also after an error. */
  if (status == LUA_OK && call.changed_receiver) waxwing_write_back(L, 1);
  if (status == LUA_OK && succeeded) return results;
  if (status == LUA_OK) add_position(L);
  return lua_error(L);
}

/* About what crossing into Swift and back takes. */
#define SWIFT_CALL_INSTRUCTIONS 20

int waxwing_run_callback(lua_State *L, waxwing_callback *callback) {
  waxwing_charge_inline(L, SWIFT_CALL_INSTRUCTIONS + callback->cost);
  return waxwing_run_member_callback(L, callback, lua_gettop(L), NULL);
}

int waxwing_run_closure_callback(lua_State *L, const waxwing_proxy *proxy, int index) {
  waxwing_callback *callback = (waxwing_callback *)proxy->type;
  int count = lua_gettop(L);
  waxwing_charge_inline(L, SWIFT_CALL_INSTRUCTIONS + callback->cost);
  int results = callback->closure ? callback->closure(L, proxy, count) : -1;
  if (__builtin_expect(results >= 0, 1)) return results;
  lua_pushvalue(L, index);
  lua_insert(L, 1);
  return waxwing_run_member_callback(L, callback, count + 1, NULL);
}

/* }================================================================== */
