/* SPDX-License-Identifier: MIT
 *
 * Reads Lua values into buffers and pushes them back.
 */
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "wax_lua_budget.h"
#include "wax_lua_call_private.h"
#include "wax_lua_lent.h"
#include "wax_lua_sequence.h"
#include "wax_lua_state_private.h"
#include "wax_lua_turn.h"

/* The coroutine in which the thread tries values: what others in it tell is for somebody. */
static _Thread_local const void *quiet_in __attribute__((tls_model("initial-exec")));

static const void *running(void) { return wax_lua_running ? (void *)wax_lua_running : &quiet_in; }

bool wax_lua_is_quiet(void) { return quiet_in && quiet_in == running(); }

bool wax_lua_set_quiet(bool is_quiet) {
  bool before = wax_lua_is_quiet();
  quiet_in = is_quiet ? running() : NULL;
  return before;
}

static _Thread_local uint64_t text_count __attribute__((tls_model("initial-exec")));

void wax_lua_count_text(void) { text_count++; }

uint64_t wax_lua_text_count(void) { return text_count; }

void wax_lua_buffer_init(wax_lua_buffer *buffer) {
  buffer->L = NULL;
  buffer->values = buffer->inline_values;
  buffer->count = 0;
  buffer->capacity = WAX_LUA_INLINE_VALUES;
  buffer->bytes = NULL;
  buffer->byte_count = 0;
  buffer->byte_capacity = 0;
  buffer->failed = false;
  buffer->has_lent = false;
  buffer->is_trial = false;
}

void wax_lua_buffer_free(wax_lua_buffer *buffer) {
  if (buffer->values != buffer->inline_values) free(buffer->values);
  if (buffer->bytes) free(buffer->bytes);
  wax_lua_buffer_init(buffer);
}

wax_lua_value *wax_lua_buffer_grow(wax_lua_buffer *buffer) {
  uint32_t capacity = buffer->capacity * 2;
  wax_lua_value *grown = NULL;
  if (capacity <= WAX_LUA_MAX_ENTRIES * 2) {
    bool on_heap = buffer->values != buffer->inline_values;
    grown = realloc(on_heap ? buffer->values : NULL, capacity * sizeof(wax_lua_value));
    if (grown && !on_heap) memcpy(grown, buffer->values, buffer->count * sizeof(wax_lua_value));
  }
  if (!grown) { /* start over in place: the contents are void, the memory is not */
    buffer->failed = true;
    buffer->count = 0;
    return &buffer->values[buffer->count++];
  }
  buffer->values = grown;
  buffer->capacity = capacity;
  return &buffer->values[buffer->count++];
}

wax_lua_value *wax_lua_buffer_append_row(wax_lua_buffer *buffer, size_t count) {
  if (buffer->failed) return NULL;
  while (buffer->capacity - buffer->count < count) {
    wax_lua_buffer_grow(buffer);
    if (buffer->failed) return NULL;
    buffer->count--;
  }
  wax_lua_value *row = &buffer->values[buffer->count];
  buffer->count += (uint32_t)count;
  return row;
}

size_t wax_lua_buffer_add_bytes(wax_lua_buffer *buffer, const void *bytes, size_t count) {
  size_t offset = buffer->byte_count;
  if (count > buffer->byte_capacity - offset) {
    size_t capacity = buffer->byte_capacity ? buffer->byte_capacity : 256;
    while (capacity - offset < count) capacity *= 2;
    char *grown = realloc(buffer->bytes, capacity);
    if (!grown) {
      buffer->failed = true;
      return 0;
    }
    buffer->bytes = grown;
    buffer->byte_capacity = capacity;
  }
  if (count) memcpy(buffer->bytes + offset, bytes, count);
  buffer->byte_count = offset + count;
  return offset;
}

/* {==================================================================
** Reading
** =================================================================== */

static void add_other(wax_lua_buffer *buffer, const char *what) {
  wax_lua_value *value = wax_lua_buffer_append(buffer);
  value->tag = WAX_LUA_VALUE_OTHER;
  value->count = (uint32_t)strlen(what);
  value->bytes = what;
}

/* The tables around the value that is read. */
typedef struct enclosing {
  const void *table;
  const struct enclosing *outer;
  int depth;
} enclosing;

static void read_at(lua_State *L, int index, wax_lua_buffer *buffer, const enclosing *outer);

/* The number on top. False: it is something else. */
static inline bool read_number(lua_State *L, wax_lua_buffer *buffer) {
  if (lua_isinteger(L, -1)) /* not only many are, it is also the cheapest to ask */
    wax_lua_buffer_add(buffer, WAX_LUA_VALUE_INTEGER, lua_tointeger(L, -1));
  else if (lua_type(L, -1) == LUA_TNUMBER)
    wax_lua_buffer_add_number(buffer, lua_tonumber(L, -1));
  else
    return false;
  return true;
}

/* A sequence that Lua keeps as an array. False: it is not known to be one, and nothing is read. */
static bool read_array(lua_State *L, int index, wax_lua_buffer *buffer, const enclosing *outer) {
  size_t count;
  const wax_lua_raw_value *values = wax_lua_find_sequence(L, index, &count);
  if (!values || count > WAX_LUA_MAX_ENTRIES) return false;
  wax_lua_buffer_add_collection(buffer, WAX_LUA_VALUE_ARRAY, (uint32_t)count);
  if (!wax_lua_buffer_append_row(buffer, count)) return true;
  buffer->count -= (uint32_t)count; /* there is room for as many */
  for (size_t i = 0; i < count && !buffer->failed; i++) {
    if (values[i].tag == WAX_LUA_RAW_INTEGER) {
      wax_lua_buffer_add(buffer, WAX_LUA_VALUE_INTEGER, values[i].integer);
    } else if (values[i].tag == WAX_LUA_RAW_FLOAT) {
      wax_lua_buffer_add_number(buffer, values[i].number);
    } else {
      lua_rawgeti(L, index, (lua_Integer)i + 1);
      read_at(L, lua_gettop(L), buffer, outer);
      lua_pop(L, 1);
    }
  }
  return true;
}

/* Keys 1, 2, 3 … in order, and no others? Then one ARRAY, else pairs. `lua_next` walks the array
   part in order, so a sequence is recognised on the way and only an odd table is walked twice. */
static bool read_sequence(lua_State *L, int index, wax_lua_buffer *buffer, const enclosing *outer) {
  uint32_t start = buffer->count;
  uint32_t count = 0;
  wax_lua_buffer_add_collection(buffer, WAX_LUA_VALUE_ARRAY, 0);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    if (!lua_isinteger(L, -2) || lua_tointeger(L, -2) != (lua_Integer)count + 1) {
      lua_pop(L, 2);
      if (!buffer->failed) buffer->count = start;
      return false;
    }
    count++;
    if (!read_number(L, buffer)) read_at(L, lua_gettop(L), buffer, outer);
    lua_pop(L, 1);
    if (buffer->failed) {
      lua_pop(L, 1);
      return true;
    }
  }
  buffer->values[start].count = count;
  return true;
}

static void read_pairs(lua_State *L, int index, wax_lua_buffer *buffer, const enclosing *outer) {
  uint32_t start = buffer->count;
  uint32_t count = 0;
  wax_lua_buffer_add_collection(buffer, WAX_LUA_VALUE_TABLE, 0);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    count++;
    read_at(L, lua_gettop(L) - 1, buffer, outer);
    read_at(L, lua_gettop(L), buffer, outer);
    lua_pop(L, 1);
    if (buffer->failed) {
      lua_pop(L, 1);
      return;
    }
  }
  buffer->values[start].count = count;
}

static void read_table(lua_State *L, int index, wax_lua_buffer *buffer, const enclosing *outer) {
  enclosing self = {lua_topointer(L, index), outer, outer ? outer->depth + 1 : 1};
  for (const enclosing *around = outer; around; around = around->outer) {
    if (around->table != self.table) continue;
    wax_lua_buffer_add(buffer, WAX_LUA_VALUE_CYCLE, 0);
    return;
  }
  if (self.depth > WAX_LUA_MAX_DEPTH || !lua_checkstack(L, 4)) {
    wax_lua_buffer_add(buffer, WAX_LUA_VALUE_TOO_DEEP, 0);
    return;
  }
  if (!read_array(L, index, buffer, &self) && !read_sequence(L, index, buffer, &self))
    read_pairs(L, index, buffer, &self);
}

static const wax_lua_objects *objects_of(lua_State *L) { return wax_lua_state_of(L)->objects; }

static void read_at(lua_State *L, int index, wax_lua_buffer *buffer, const enclosing *outer) {
  switch (lua_type(L, index)) {
    case LUA_TNONE:
    case LUA_TNIL: wax_lua_buffer_add(buffer, WAX_LUA_VALUE_NIL, 0); break;
    case LUA_TBOOLEAN:
      wax_lua_buffer_add(buffer, WAX_LUA_VALUE_BOOLEAN, lua_toboolean(L, index));
      break;
    case LUA_TNUMBER:
      if (lua_isinteger(L, index))
        wax_lua_buffer_add(buffer, WAX_LUA_VALUE_INTEGER, lua_tointeger(L, index));
      else
        wax_lua_buffer_add_number(buffer, lua_tonumber(L, index));
      break;
    case LUA_TSTRING: {
      size_t count;
      const char *bytes = lua_tolstring(L, index, &count);
      wax_lua_value *value = wax_lua_buffer_append(buffer);
      value->tag = WAX_LUA_VALUE_STRING;
      value->count = (uint32_t)count;
      value->bytes = bytes;
      if (count > UINT32_MAX) buffer->failed = true;
      break;
    }
    case LUA_TTABLE: {
      const void *type = objects_of(L)->type_at(L, index);
      if (type)
        wax_lua_buffer_add_pointer(buffer, WAX_LUA_VALUE_METATYPE, (void *)type);
      else
        read_table(L, index, buffer, outer);
      break;
    }
    case LUA_TFUNCTION: {
      wax_lua_value *value = wax_lua_buffer_append(buffer);
      value->tag = WAX_LUA_VALUE_FUNCTION;
      value->count = outer ? 0 : (uint32_t)index;
      value->pointer = (void *)lua_topointer(L, index);
      break;
    }
    case LUA_TUSERDATA:
      if (!objects_of(L)->read(L, index, buffer)) add_other(buffer, "userdata");
      break;
    case LUA_TLIGHTUSERDATA:
      if (lua_touserdata(L, index) == NULL) {
        wax_lua_buffer_add(buffer, WAX_LUA_VALUE_NULL, 0);
      } else if (!outer && wax_lua_lent_at(L, index)) {
        wax_lua_buffer_add_pointer(buffer, WAX_LUA_VALUE_LENT, lua_touserdata(L, index));
        buffer->has_lent = true;
      } else {
        add_other(buffer, "light userdata");
      }
      break;
    case LUA_TTHREAD: add_other(buffer, "coroutine"); break;
    default: add_other(buffer, "unknown"); break;
  }
}

void wax_lua_read(lua_State *L, int index, wax_lua_buffer *buffer) {
  read_at(L, lua_absindex(L, index), buffer, NULL);
}

/* }================================================================== */

/* {==================================================================
** Pushing
** =================================================================== */

bool wax_lua_push_plain(lua_State *L, const wax_lua_buffer *buffer, int proxies, int slots) {
  if ((int)buffer->count + 4 > slots && !lua_checkstack(L, (int)buffer->count + 4)) return false;
  for (uint32_t i = 0; i < buffer->count; i++) {
    const wax_lua_value *value = &buffer->values[i];
    switch (value->tag) {
      case WAX_LUA_VALUE_INTEGER: lua_pushinteger(L, value->integer); break;
      case WAX_LUA_VALUE_NUMBER: lua_pushnumber(L, value->number); break;
      case WAX_LUA_VALUE_BOOLEAN: lua_pushboolean(L, value->integer != 0); break;
      case WAX_LUA_VALUE_NIL: lua_pushnil(L); break;
      case WAX_LUA_VALUE_NULL: lua_pushlightuserdata(L, NULL); break;
      case WAX_LUA_VALUE_LENT: wax_lua_push_lent(L, value->pointer); break;
      case WAX_LUA_VALUE_REFERENCE: lua_rawgeti(L, LUA_REGISTRYINDEX, value->integer); break;
      case WAX_LUA_VALUE_OBJECT:
        if (objects_of(L)->push_known(L, value->pointer, proxies)) break;
        return false;
      default: return false;
    }
  }
  return true;
}

static wax_lua_value *push_value(lua_State *L, const wax_lua_buffer *buffer, wax_lua_value *value);

/* Of a table, as Lua 5.4 has them. */
#define BYTES_PER_ELEMENT 16
#define BYTES_PER_FIELD 24

/* [-0, +1, -]  False, and nothing pushed: it is something else. */
static inline bool push_number(lua_State *L, const wax_lua_value *value) {
  if (value->tag == WAX_LUA_VALUE_INTEGER)
    lua_pushinteger(L, value->integer);
  else if (value->tag == WAX_LUA_VALUE_NUMBER)
    lua_pushnumber(L, value->number);
  else
    return false;
  return true;
}

static wax_lua_value *push_array(lua_State *L, const wax_lua_buffer *buffer, wax_lua_value *value) {
  uint32_t count = value->count;
  wax_lua_reserve_memory(L, (size_t)count * BYTES_PER_ELEMENT);
  lua_createtable(L, (int)count, 0);
  value++;
  uint32_t i = 1;
  for (; i <= count && value->tag == WAX_LUA_VALUE_INTEGER; i++, value++) {
    lua_pushinteger(L, value->integer);
    lua_rawseti(L, -2, i);
  }
  for (; i <= count && push_number(L, value); i++, value++) lua_rawseti(L, -2, i);
  for (; i <= count; i++) {
    wax_lua_check_memory(L);
    value = push_value(L, buffer, value);
    lua_rawseti(L, -2, i);
  }
  return value;
}

static wax_lua_value *push_table(lua_State *L, const wax_lua_buffer *buffer, wax_lua_value *value) {
  uint32_t count = value->count;
  wax_lua_reserve_memory(L, (size_t)count * BYTES_PER_FIELD);
  lua_createtable(L, 0, (int)count);
  value++;
  for (uint32_t i = 0; i < count; i++) {
    wax_lua_check_memory(L);
    value = push_value(L, buffer, value);
    value = push_value(L, buffer, value);
    lua_rawset(L, -3);
  }
  return value;
}

/* After how many pairs the limit on instructions is looked at. */
#define PAIRS_PER_CONSUMPTION 256

/* As `__len` of a dictionary's table: (table) -> how many pairs it has. */
static int count_pairs(lua_State *L) {
  lua_Integer count = 0;
  lua_settop(L, 1);
  if (lua_type(L, 1) != LUA_TTABLE) return luaL_typeerror(L, 1, "table");
  lua_pushnil(L);
  while (lua_next(L, 1)) {
    if (++count % PAIRS_PER_CONSUMPTION == 0) wax_lua_budget_consume(L, PAIRS_PER_CONSUMPTION);
    lua_pop(L, 1);
  }
  lua_pushinteger(L, count);
  return 1;
}

/* [-0, +0, m]  Makes the table on top one whose length is the number of its pairs: Lua would count
   those with the keys 1, 2, 3 … only. */
static void make_dictionary(lua_State *L) {
  static const char key;
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &key) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, count_pairs);
    lua_setfield(L, -2, "__len");
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &key);
  }
  lua_setmetatable(L, -2);
}

/* [-0, +1, me]  Returns the entry after the pushed value. */
static wax_lua_value *push_value(lua_State *L, const wax_lua_buffer *buffer, wax_lua_value *value) {
  luaL_checkstack(L, 6, "value too deep");
  switch (value->tag) {
    case WAX_LUA_VALUE_NIL: lua_pushnil(L); break;
    case WAX_LUA_VALUE_BOOLEAN: lua_pushboolean(L, value->integer != 0); break;
    case WAX_LUA_VALUE_INTEGER: lua_pushinteger(L, value->integer); break;
    case WAX_LUA_VALUE_NUMBER: lua_pushnumber(L, value->number); break;
    case WAX_LUA_VALUE_STRING:
    case WAX_LUA_VALUE_BYTES:
      wax_lua_reserve_memory(L, value->count);
      lua_pushlstring(L, wax_lua_value_bytes(buffer, value), value->count);
      break;
    case WAX_LUA_VALUE_OBJECT:
      if (!objects_of(L)->push_known(L, value->pointer, 0))
        objects_of(L)->push_object(L, value->pointer);
      break;
    case WAX_LUA_VALUE_NEW_PROXY:
      objects_of(L)->push_new(L, value->count, value->pointer, value[1].pointer);
      value->count = 0;
      return value + 2;
    case WAX_LUA_VALUE_NULL: lua_pushlightuserdata(L, NULL); break;
    case WAX_LUA_VALUE_LENT: wax_lua_push_lent(L, value->pointer); break;
    case WAX_LUA_VALUE_FUNCTION: wax_lua_push_callback(L, value->pointer); break;
    case WAX_LUA_VALUE_REFERENCE: lua_rawgeti(L, LUA_REGISTRYINDEX, value->integer); break;
    case WAX_LUA_VALUE_PART: lua_rawgeti(L, -2, value->integer); break; /* below its key */
    case WAX_LUA_VALUE_METATYPE: objects_of(L)->push_type(L, value->pointer); break;
    case WAX_LUA_VALUE_ARRAY: return push_array(L, buffer, value);
    case WAX_LUA_VALUE_TABLE: return push_table(L, buffer, value);
    case WAX_LUA_VALUE_DICTIONARY:
      value = push_table(L, buffer, value);
      make_dictionary(L);
      return value;
    default: luaL_error(L, "waxwing: a value of tag %d cannot be pushed", (int)value->tag);
  }
  return value + 1;
}

void wax_lua_push_values(lua_State *L, const wax_lua_buffer *buffer) {
  if (buffer->failed) luaL_error(L, "not enough memory for the values of this call");
  wax_lua_value *value = buffer->values;
  wax_lua_value *end = value + buffer->count;
  while (value < end) value = push_value(L, buffer, value);
}

int wax_lua_push_protected(lua_State *L) {
  const wax_lua_buffer *buffer = lua_touserdata(L, 1);
  lua_settop(L, 0);
  wax_lua_push_values(L, buffer);
  return lua_gettop(L);
}

/* }================================================================== */
