/* SPDX-License-Identifier: MIT
 *
 * Errors: where they were raised, what they say, and how C raises them.
 */
#include <lauxlib.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wax_lua_call_private.h"
#include "wax_lua_debug_private.h"
#include "wax_lua_turn.h"

/* In the registry. */
static const char explicit_key = 0; /* the value that `error` last raised */
static const char message_key = 0;  /* what `error` was called with then */

/* {==================================================================
** Tracebacks
** =================================================================== */

static void copy_text(char *to, size_t size, const char *from) {
  size_t count = from ? strnlen(from, size - 1) : 0;
  if (count) memcpy(to, from, count);
  to[count] = '\0';
}

static void copy_frame(wax_lua_traceback_frame *frame, const lua_Debug *ar) {
  copy_text(frame->source, sizeof frame->source, ar->short_src);
  copy_text(frame->name, sizeof frame->name, ar->name);
  frame->line = ar->currentline;
  frame->what = *ar->what;
}

void wax_lua_hide_function(wax_lua_state *state, lua_CFunction function) {
  for (int i = 0; i < state->hidden_count; i++)
    if (state->hidden[i] == function) return;
  if (state->hidden_count < WAX_LUA_MAX_HIDDEN) state->hidden[state->hidden_count++] = function;
}

/* [-0, +0, -]  The function that the record is about. */
static bool is_hidden(lua_State *L, lua_Debug *ar) {
  lua_getinfo(L, "f", ar);
  lua_CFunction function = lua_tocfunction(L, -1);
  const wax_lua_state *state = wax_lua_state_of(L);
  lua_pop(L, 1);
  for (int i = 0; function && i < state->hidden_count; i++)
    if (state->hidden[i] == function) return true;
  return false;
}

/* Whether the function at this level is the prelude's own, or stands for one. */
static bool is_prelude(lua_State *L, int level) {
  lua_Debug ar;
  if (!lua_getstack(L, level, &ar)) return false;
  lua_getinfo(L, "S", &ar);
  return !strcmp(ar.short_src, WAX_LUA_PRELUDE) || is_hidden(L, &ar);
}

/* What the prelude calls is no more the script's own than the prelude is. */
int wax_lua_capture_traceback(lua_State *L, int level, wax_lua_traceback_frame *frames, int most) {
  lua_Debug ar;
  int count = 0;
  while (count < most && lua_getstack(L, level++, &ar)) {
    lua_getinfo(L, "nSl", &ar);
    if (!strcmp(ar.short_src, WAX_LUA_PRELUDE)) continue;
    if (*ar.what == 'C' && is_prelude(L, level)) continue;
    if (*ar.what == 'C' && !strcmp(ar.namewhat, "metamethod")) continue;
    if (*ar.what == 'C' && is_hidden(L, &ar)) continue;
    copy_frame(&frames[count++], &ar);
  }
  return count;
}

bool wax_lua_take_frames(wax_lua_traceback_frame **frames) {
  if (!*frames) *frames = malloc(WAX_LUA_MAX_FRAMES * sizeof **frames);
  return *frames != NULL;
}

int wax_lua_capture_frames(lua_State *L, int level, wax_lua_traceback_frame **frames) {
  if (!wax_lua_take_frames(frames)) return 0;
  return wax_lua_capture_traceback(L, level, *frames, WAX_LUA_MAX_FRAMES);
}

int wax_lua_capture_call(lua_State *L, int level, wax_lua_coroutine *coroutine) {
  int count = wax_lua_capture_frames(L, level, &coroutine->frames);
  /* A stack of Lua's own has none of them, and of a deep one they are not among those captured. */
  bool has_outer = L == coroutine->L && count < WAX_LUA_MAX_FRAMES;
  if (has_outer && count >= coroutine->outer_frames) count -= coroutine->outer_frames;
  return coroutine->frame_count = count;
}

/* Whether the function is the library's: its callers are who wrote what goes wrong. */
static bool is_library(const lua_Debug *ar) {
  return !strncmp(ar->source, WAX_LUA_LIBRARY, sizeof WAX_LUA_LIBRARY - 1);
}

/* The library's functions count only where no others are below them. */
bool wax_lua_call_location(lua_State *L, int level, wax_lua_traceback_frame *frame) {
  lua_Debug ar;
  bool is_found = false;
  for (int i = 0; lua_getstack(L, i, &ar); i++) {
    lua_getinfo(L, "nSl", &ar);
    if (*ar.what == 'C' || !strcmp(ar.short_src, WAX_LUA_PRELUDE)) continue;
    bool is_last_resort = is_library(&ar);
    if (is_last_resort && is_found) continue;
    if (!is_last_resort && level-- > 0) continue;
    copy_frame(frame, &ar);
    is_found = true;
    if (!is_last_resort) return true;
  }
  return is_found;
}

int wax_lua_keep_traceback(lua_State *L, int level) {
  wax_lua_state *state = wax_lua_state_of(L);
  return state->kept_frame_count = wax_lua_capture_frames(L, level, &state->kept_frames);
}

/* The traceback of an error that was caught and is raised again. False: it is another error. */
static bool take_kept_traceback(wax_lua_coroutine *coroutine) {
  wax_lua_state *state = coroutine->state;
  if (!state->raises_kept) return false;
  state->raises_kept = false;
  coroutine->frame_count = wax_lua_take_frames(&coroutine->frames) ? state->kept_frame_count : 0;
  if (coroutine->frame_count)
    memcpy(coroutine->frames, state->kept_frames,
           (size_t)coroutine->frame_count * sizeof *coroutine->frames);
  return true;
}

/* Its first upvalue is the coroutine: a light userdata. */
int wax_lua_record_traceback(lua_State *L) {
  wax_lua_coroutine *coroutine = lua_touserdata(L, lua_upvalueindex(1));
  if (coroutine->budget.marks & WAX_LUA_MARK_PLACED || take_kept_traceback(coroutine)) return 1;
  wax_lua_capture_call(L, 1, coroutine);
  wax_lua_debug_fault(L);
  return 1;
}

/* }================================================================== */

/* {==================================================================
** What scripts raise
** =================================================================== */

/* What the prelude raises is a mistake of the script's, and no error that it throws. */
static int raise(lua_State *L, int level, bool is_explicit) {
  lua_settop(L, 1);
  if (is_explicit) {
    lua_pushvalue(L, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &message_key);
  }
  if (lua_type(L, 1) == LUA_TSTRING && level > 0) {
    luaL_where(L, level);
    lua_insert(L, 1);
    lua_concat(L, 2);
  }
  if (is_explicit) {
    lua_pushvalue(L, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &explicit_key);
    wax_lua_state_of(L)->has_explicit = true;
  }
  return lua_error(L);
}

int wax_lua_error_function(lua_State *L) {
  return raise(L, (int)luaL_optinteger(L, 2, 1), !is_prelude(L, 1));
}

int wax_lua_throw_function(lua_State *L) { return raise(L, 0, true); }

/* (error, was explicit): raises it as if it had not been caught. */
int wax_lua_raise_again(lua_State *L) {
  bool was_explicit = lua_toboolean(L, 2);
  lua_settop(L, 1);
  if (was_explicit) {
    for (int i = 0; i < 2; i++) {
      lua_pushvalue(L, 1);
      lua_rawsetp(L, LUA_REGISTRYINDEX, i == 0 ? &explicit_key : &message_key);
    }
    wax_lua_state_of(L)->has_explicit = true;
  }
  return lua_error(L);
}

bool wax_lua_is_explicit(wax_lua_host_call *call, int index) {
  lua_State *L = call->L;
  if (!lua_checkstack(L, 2)) return false;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &explicit_key);
  bool is_same = !lua_isnil(L, -1) && lua_rawequal(L, -1, index);
  lua_pop(L, 1);
  return is_same;
}

/* The keys are there: nothing is allocated. */
void wax_lua_forget_explicit(wax_lua_state *state) {
  state->has_explicit = false;
  for (int i = 0; i < 2; i++) {
    lua_pushnil(state->main);
    lua_rawsetp(state->main, LUA_REGISTRYINDEX, i == 0 ? &explicit_key : &message_key);
  }
}

/* }================================================================== */

/* {==================================================================
** Reading an error
** =================================================================== */

/* A message of a megabyte is an attack, or a mistake. */
#define LONGEST_MESSAGE 4096

/* Of a table that is an error. */
#define MAX_FIELDS 16
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
static void read_table(lua_State *L, int index, wax_lua_buffer *buffer) {
  char fields[MAX_FIELDS][FIELD_SIZE], key[FIELD_SIZE / 2], value[FIELD_SIZE / 2];
  char text[MAX_FIELDS * (FIELD_SIZE + 2) + 16];
  size_t count = 0, length = 0;
  bool is_whole = true;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    if (count == MAX_FIELDS) {
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
  wax_lua_buffer_add_string(buffer, text, length);
}

/* [-0, +0, -]  A string is cut where it gets too long. */
static void read_message(lua_State *L, int index, wax_lua_buffer *buffer) {
  size_t count = 0;
  index = lua_absindex(L, index);
  if (is_plain_table(L, index)) return read_table(L, index, buffer);
  const char *text = lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &count) : NULL;
  if (count <= LONGEST_MESSAGE) {
    wax_lua_read(L, index, buffer);
    return;
  }
  count = LONGEST_MESSAGE;
  while (count > 0 && ((unsigned char)text[count] & 0xC0) == 0x80) count--; /* inside a character */
  wax_lua_buffer_add_string(buffer, text, count);
}

wax_lua_status wax_lua_read_error_at(lua_State *L, int index, wax_lua_buffer *buffer) {
  int top = lua_gettop(L);
  wax_lua_status result = WAX_LUA_STATUS_ERROR;
  index = lua_absindex(L, index);
  read_message(L, index, buffer);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &explicit_key) != LUA_TNIL && lua_rawequal(L, -1, index)) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &message_key);
    read_message(L, -1, buffer); /* the registry keeps it */
    result = WAX_LUA_STATUS_EXPLICIT;
  }
  lua_settop(L, top);
  return result;
}

wax_lua_status wax_lua_read_coroutine_error(wax_lua_coroutine *coroutine, int status) {
  wax_lua_buffer_clear(&coroutine->buffer);
  /* What the call held is garbage now, and the program may have nothing left but that. */
  if (coroutine->budget.exceeded_limit == WAX_LUA_LIMIT_MEMORY) {
    lua_gc(coroutine->L, LUA_GCCOLLECT);
    wax_lua_hasten_cycles(coroutine->state);
  }
  /* Where a stack could not grow it is another error. */
  if (coroutine->budget.exceeded_limit || wax_lua_is_limit_error(coroutine->L, -1)) {
    const char *text = wax_lua_limit_error_text(coroutine);
    wax_lua_buffer_add_string(&coroutine->buffer, text, strlen(text));
    return WAX_LUA_STATUS_LIMIT_EXCEEDED;
  }
  wax_lua_status result = wax_lua_read_error_at(coroutine->L, -1, &coroutine->buffer);
  return status == LUA_ERRMEM && result == WAX_LUA_STATUS_ERROR ? WAX_LUA_STATUS_NO_MEMORY : result;
}

/* }================================================================== */

/* {==================================================================
** Raising from C
** =================================================================== */

/* [-0, +1, me]  "overdraft.lua:12: " for the innermost function of the script's own. */
static void push_position(lua_State *L) {
  lua_Debug ar;
  lua_pushliteral(L, "");
  bool is_found = false;
  for (int level = 1; lua_getstack(L, level, &ar); level++) {
    lua_getinfo(L, "Sl", &ar);
    if (ar.currentline < 0 || !strcmp(ar.short_src, WAX_LUA_PRELUDE)) continue;
    bool is_last_resort = is_library(&ar);
    if (is_last_resort && is_found) continue;
    lua_pushfstring(L, "%s:%d: ", ar.short_src, ar.currentline);
    lua_replace(L, -2);
    is_found = true;
    if (!is_last_resort) return;
  }
}

void wax_lua_add_position(lua_State *L) {
  if (lua_type(L, -1) != LUA_TSTRING) return;
  push_position(L);
  lua_insert(L, -2);
  lua_concat(L, 2);
}

/* What raising pushes. */
#define RAISING_SLOTS 8

void wax_lua_make_room(lua_State *L) {
  if (!lua_checkstack(L, RAISING_SLOTS)) lua_settop(L, -RAISING_SLOTS - 1);
}

int wax_lua_raise(lua_State *L, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  lua_pushvfstring(L, format, arguments);
  va_end(arguments);
  wax_lua_add_position(L);
  return lua_error(L);
}

/* }================================================================== */
