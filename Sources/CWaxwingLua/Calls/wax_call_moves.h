/* SPDX-License-Identifier: MIT
 *
 * Values between memory, as Swift lays them out, and Lua's stack.
 */
#ifndef WAX_CALL_MOVES_H
#define WAX_CALL_MOVES_H

#include <lua.h>
#include <stdlib.h>
#include <string.h>

#include "wax_call_direct.h"
#include "wax_call_override.h"
#include "wax_lua_budget.h"
#include "wax_lua_lent.h"
#include "wax_proxy_private.h"
#include "wax_abi_swift_string.h"
#include "wax_lua_values.h"

/* Bytes of a string that is converted sooner than lent. */
#define WAX_CALL_SHORT_STRING 64

extern void *swift_retain(void *object);
extern void *swift_bridgeObjectRetain(void *object);

/* {==================================================================
** Numbers and booleans
** =================================================================== */

/* As Swift widens a NaN for scripts: the sign and the payload stay. */
static inline double wax_call_widen(float value) {
  if (__builtin_expect(value == value, 1)) return (double)value;
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint64_t wide = (uint64_t)(bits & 0x80000000u) << 32 | UINT64_C(0x7ff0000000000000) |
                  (uint64_t)(bits & 0x007fffffu) << 29;
  double result;
  memcpy(&result, &wide, sizeof result);
  return result;
}

/* [-0, +1, -]  In a register, what is above a small value is undefined. False, and nothing pushed:
   it is something else, or takes memory. */
static inline bool wax_call_push_number(lua_State *L, uint8_t move, const void *source) {
  if (move == WAX_LUA_MOVE_INT64) { /* most are */
    lua_pushinteger(L, *(const int64_t *)source);
    return true;
  }
  switch ((wax_lua_move)move) {
    case WAX_LUA_MOVE_INT8: lua_pushinteger(L, *(const int8_t *)source); return true;
    case WAX_LUA_MOVE_INT16: lua_pushinteger(L, *(const int16_t *)source); return true;
    case WAX_LUA_MOVE_INT32: lua_pushinteger(L, *(const int32_t *)source); return true;
    case WAX_LUA_MOVE_UINT8: lua_pushinteger(L, *(const uint8_t *)source); return true;
    case WAX_LUA_MOVE_UINT16: lua_pushinteger(L, *(const uint16_t *)source); return true;
    case WAX_LUA_MOVE_UINT32: lua_pushinteger(L, *(const uint32_t *)source); return true;
    case WAX_LUA_MOVE_UINT64:
      if (*(const int64_t *)source < 0) return false; /* a proxy */
      lua_pushinteger(L, *(const int64_t *)source);
      return true;
    case WAX_LUA_MOVE_BOOLEAN: lua_pushboolean(L, *(const uint8_t *)source & 1); return true;
    case WAX_LUA_MOVE_FLOAT: lua_pushnumber(L, wax_call_widen(*(const float *)source)); return true;
    case WAX_LUA_MOVE_DOUBLE: lua_pushnumber(L, *(const double *)source); return true;
    default: return false;
  }
}

/* The value at `index`, if it is of the move's own Lua type and fits. */
static inline bool wax_call_read_number(lua_State *L, int index, uint8_t move, void *target) {
  if (move == WAX_LUA_MOVE_INT64) { /* most are */
    if (!lua_isinteger(L, index)) return false;
    *(int64_t *)target = lua_tointeger(L, index);
    return true;
  }
  if (move == WAX_LUA_MOVE_DOUBLE) {
    if (lua_type(L, index) != LUA_TNUMBER || lua_isinteger(L, index)) return false;
    *(double *)target = lua_tonumber(L, index);
    return true;
  }
  if (move == WAX_LUA_MOVE_BOOLEAN) {
    if (!lua_isboolean(L, index)) return false;
    *(uint8_t *)target = (uint8_t)lua_toboolean(L, index);
    return true;
  }
  if (move > WAX_LUA_MOVE_UINT64 || !lua_isinteger(L, index)) return false;
  int64_t value = lua_tointeger(L, index);
#define FITS(type)                                                                                 \
  if (value != (int64_t)(type)value) return false;                                                 \
  *(type *)target = (type)value;                                                                   \
  return true
  switch ((wax_lua_move)move) {
    case WAX_LUA_MOVE_INT8: FITS(int8_t);
    case WAX_LUA_MOVE_INT16: FITS(int16_t);
    case WAX_LUA_MOVE_INT32: FITS(int32_t);
    case WAX_LUA_MOVE_UINT8: FITS(uint8_t);
    case WAX_LUA_MOVE_UINT16: FITS(uint16_t);
    case WAX_LUA_MOVE_UINT32: FITS(uint32_t);
    case WAX_LUA_MOVE_UINT64:
      if (value < 0) return false;
      *(int64_t *)target = value;
      return true;
    default: *(int64_t *)target = value; return true;
  }
#undef FITS
}

/* }================================================================== */

/* {==================================================================
** Strings
** =================================================================== */

/* [-0, +1, -] or [-0, +0, -] and false: it might raise, or takes Swift to be read. */
static inline bool wax_call_push_sure_string(lua_State *L, const void *source) {
  const char *bytes;
  size_t count;
  if (!wax_abi_string_bytes(source, &bytes, &count)) return false;
  if (count > WAX_LUA_SURE_STRING - 64) return false; /* the block has a header */
  lua_pushlstring(L, bytes, count);
  return true;
}

/* Initializes `target` with a Swift string of the text, if it is valid UTF-8. */
typedef bool (*wax_call_string_maker)(const char *bytes, size_t count, void *target);

/* The string at `index` into memory for one of Swift's. False: there is none, or it is not UTF-8.
 */
static inline bool wax_call_read_string(lua_State *L, int index, void *target,
                                        wax_call_string_maker make) {
  if (lua_type(L, index) != LUA_TSTRING) return false;
  size_t count;
  const char *bytes = lua_tolstring(L, index, &count);
  if (count > 15 || !wax_lua_is_ascii(bytes, count)) return make(bytes, count, target);
  wax_abi_make_small_string(bytes, count, target);
  return true;
}

/* Passes a string if it is the text of the Swift string at `source`, which has memory of its own:
   that very string. False: it is another one. */
static inline bool wax_call_pass_string(lua_State *L, int index, const void *source, void *target) {
  const char *bytes;
  size_t count, length;
  if (wax_abi_is_small_string(source) || !wax_abi_string_bytes(source, &bytes, &count))
    return false;
  if (lua_type(L, index) != LUA_TSTRING) return false;
  const char *text = lua_tolstring(L, index, &length);
  if (length != count || memcmp(text, bytes, count) != 0) return false;
  swift_bridgeObjectRetain(((void *const *)source)[1]);
  memcpy(target, source, 16);
  return true;
}

/* Passes a string if it is one that the call in the frame came with, most likely the one of this
   step. */
static inline bool wax_call_pass_argument(lua_State *L, int index, const wax_runtime_frame *frame,
                                          const wax_call_step *steps, int count, int likely,
                                          void *target) {
  const char *base = (const char *)frame;
  if (likely >= 0 && wax_call_pass_string(L, index, base + steps[likely].offset, target))
    return true;
  for (int i = 0; i < count; i++)
    if (steps[i].move == WAX_LUA_MOVE_STRING && i != likely &&
        wax_call_pass_string(L, index, base + steps[i].offset, target))
      return true;
  return false;
}

/* Makes an entry for a string that a call's function is to be lent: NULL if it is cheap to convert,
   or no more can be lent. Its place and owner are not set. */
static inline wax_lua_lent *wax_call_lend_string(wax_call_active *record, const void *source,
                                                 const void *codec) {
  const char *bytes;
  size_t count;
  if (wax_abi_is_small_string(source)) return NULL;
  if (wax_abi_string_bytes(source, &bytes, &count) && count <= WAX_CALL_SHORT_STRING) return NULL;
  wax_lua_lent *lent = wax_lua_lent_add(&record->lent, record);
  if (!lent) return NULL;
  lent->codec = codec;
  lent->is_string = true;
  return lent;
}

/* The lent string at `index` into memory for one of Swift's. False: the value there is none. */
static inline bool wax_call_take_lent_string(lua_State *L, int index, void *target) {
  const wax_lua_lent *lent = wax_lua_lent_at(L, index);
  if (!lent || !lent->is_string) return false;
  memcpy(target, lent->value, 16);
  swift_bridgeObjectRetain(((void *const *)target)[1]);
  return true;
}

/* [-0, +1, mve]  Only those that wax_abi_string_bytes reads. */
static inline void wax_call_push_string(lua_State *L, const void *source) {
  const char *bytes = "";
  size_t count = 0;
  wax_abi_string_bytes(source, &bytes, &count);
  wax_lua_reserve_memory(L, count);
  lua_pushlstring(L, bytes, count);
}

/* }================================================================== */

/* {==================================================================
** Values of trivial types
** =================================================================== */

/* Known at compile time, but for the last case, a copy is one instruction. */
static inline void wax_call_copy_piece(void *target, const void *source, size_t count) {
  if (__builtin_expect(count == 8, 1))
    memcpy(target, source, 8);
  else if (count == 4)
    memcpy(target, source, 4);
  else
    memcpy(target, source, count);
}

/* The value in the proxy at `index` into the registers. False: it is no value of this type. */
static inline bool wax_call_read_value(lua_State *L, int index, wax_runtime_frame *frame,
                                       const wax_call_value_layout *layout) {
  const wax_proxy *proxy = wax_proxy_to_proxy(L, index);
  if (!proxy || proxy->kind != WAX_PROXY_KIND_VALUE || proxy->type != layout->type) return false;
  for (int i = 0; i < layout->piece_count; i++) {
    const struct wax_call_piece *piece = &layout->pieces[i];
    wax_call_copy_piece((char *)frame + piece->frame_offset,
                        (const char *)proxy->pointer + piece->value_offset, piece->byte_count);
  }
  return true;
}

/* A copy of the value in the registers, for a proxy to own. */
static inline void *wax_call_box_value(const wax_runtime_frame *frame,
                                       const wax_call_value_layout *layout) {
  char *box = calloc(1, layout->size); /* so that padding is the same */
  if (!box) abort();
  for (int i = 0; i < layout->piece_count; i++) {
    const struct wax_call_piece *piece = &layout->pieces[i];
    wax_call_copy_piece(box + piece->value_offset, (const char *)frame + piece->frame_offset,
                        piece->byte_count);
  }
  return box;
}

/* Whether making a proxy of this type raises nothing: its metatable is there. */
static inline bool wax_call_has_metatable(lua_State *L, const void *type) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &wax_proxy_metatables_key);
  bool is_known = lua_rawgetp(L, -1, type) == LUA_TTABLE;
  lua_settop(L, -3);
  return is_known;
}

/* }================================================================== */

/* {==================================================================
** Objects
** =================================================================== */

/* [-0, +1, -] or [-0, +0, -] and false: it might raise. A new proxy, of an object that has none. */
static inline bool wax_call_push_sure_object(lua_State *L, void *object) {
  const void *type = *(const void **)object;
  if (swift_isDeallocating(object) || !wax_call_has_metatable(L, type)) return false;
  wax_proxy_push(L, WAX_PROXY_KIND_OBJECT, object, type);
  return true;
}

/* The object at `index`, if it is of this class itself, into memory for a strong reference. */
static inline bool wax_call_read_object(lua_State *L, int index, void *target, const void *type) {
  const wax_proxy *proxy = wax_proxy_to_proxy(L, index);
  if (!proxy || proxy->kind != WAX_PROXY_KIND_OBJECT) return false;
  if (*(const void **)proxy->pointer != type) return false;
  *(void **)target = swift_retain(proxy->pointer);
  return true;
}

/* [-0, +1, -]  A proxy of the object for as long as the coroutine's call, of a function that calls
   originals alone, lasts: it retains nothing, and is no other's. False, and nothing pushed: all are
   in use, or the object's class has no metatable yet. */
static inline bool wax_call_lend(wax_lua_coroutine *coroutine, void *object) {
  if (coroutine->lent_count == WAX_LUA_MAX_LENT) return false;
  lua_State *L = coroutine->L;
  wax_proxy *proxy = coroutine->lent[coroutine->lent_count];
  const void *type = *(const void **)object;
  lua_pushvalue(L, WAX_LUA_COROUTINE_LENT + coroutine->lent_count);
  if (__builtin_expect(proxy->type != type, 0)) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &wax_proxy_metatables_key);
    if (lua_rawgetp(L, -1, type) != LUA_TTABLE) {
      lua_settop(L, -4);
      return false;
    }
    lua_setmetatable(L, -3);
    lua_settop(L, -2);
    proxy->type = type;
  }
  proxy->pointer = object;
  proxy->kind = WAX_PROXY_KIND_OBJECT;
  coroutine->lent_count++;
  return true;
}

/* }================================================================== */

#endif
