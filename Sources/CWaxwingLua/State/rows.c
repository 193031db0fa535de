/* SPDX-License-Identifier: MIT
 *
 * Values of one trivial kind in a row, as arrays have them.
 */
#include "wax_lua.h"

#define ADD_INTEGERS(type)                                                                         \
  for (size_t i = 0; i < count; i++)                                                               \
    values[i] =                                                                                    \
        (wax_lua_value){.tag = WAX_LUA_VALUE_INTEGER, .integer = ((const type *)source)[i]};       \
  break

void wax_lua_buffer_add_row(wax_lua_buffer *buffer, wax_lua_move move, const void *source,
                            size_t count) {
  wax_lua_value *values = wax_lua_buffer_append_row(buffer, count);
  if (!values) return;
  switch (move) {
    case WAX_LUA_MOVE_INT8: ADD_INTEGERS(int8_t);
    case WAX_LUA_MOVE_INT16: ADD_INTEGERS(int16_t);
    case WAX_LUA_MOVE_INT32: ADD_INTEGERS(int32_t);
    case WAX_LUA_MOVE_UINT8: ADD_INTEGERS(uint8_t);
    case WAX_LUA_MOVE_UINT16: ADD_INTEGERS(uint16_t);
    case WAX_LUA_MOVE_UINT32: ADD_INTEGERS(uint32_t);
    case WAX_LUA_MOVE_BOOLEAN:
      for (size_t i = 0; i < count; i++)
        values[i] = (wax_lua_value){.tag = WAX_LUA_VALUE_BOOLEAN,
                                    .integer = ((const uint8_t *)source)[i] & 1};
      break;
    case WAX_LUA_MOVE_DOUBLE:
      for (size_t i = 0; i < count; i++)
        values[i] =
            (wax_lua_value){.tag = WAX_LUA_VALUE_NUMBER, .number = ((const double *)source)[i]};
      break;
    default: ADD_INTEGERS(int64_t);
  }
}

#define TAKE_INTEGERS(type)                                                                        \
  for (; i < count && values[i].tag == WAX_LUA_VALUE_INTEGER; i++) {                               \
    if (values[i].integer != (int64_t)(type)values[i].integer) break;                              \
    ((type *)target)[i] = (type)values[i].integer;                                                 \
  }                                                                                                \
  break

size_t wax_lua_take_row(const wax_lua_value *values, wax_lua_move move, void *target,
                        size_t count) {
  size_t i = 0;
  switch (move) {
    case WAX_LUA_MOVE_INT8: TAKE_INTEGERS(int8_t);
    case WAX_LUA_MOVE_INT16: TAKE_INTEGERS(int16_t);
    case WAX_LUA_MOVE_INT32: TAKE_INTEGERS(int32_t);
    case WAX_LUA_MOVE_INT64: TAKE_INTEGERS(int64_t);
    case WAX_LUA_MOVE_UINT8: TAKE_INTEGERS(uint8_t);
    case WAX_LUA_MOVE_UINT16: TAKE_INTEGERS(uint16_t);
    case WAX_LUA_MOVE_UINT32: TAKE_INTEGERS(uint32_t);
    case WAX_LUA_MOVE_BOOLEAN:
      for (; i < count && values[i].tag == WAX_LUA_VALUE_BOOLEAN; i++)
        ((uint8_t *)target)[i] = values[i].integer != 0;
      break;
    case WAX_LUA_MOVE_DOUBLE:
      for (; i < count && values[i].tag == WAX_LUA_VALUE_NUMBER; i++)
        ((double *)target)[i] = values[i].number;
      break;
    default: break;
  }
  return i;
}

#define MATCH_INTEGERS(type)                                                                       \
  for (; i < count && values[i].tag == WAX_LUA_VALUE_INTEGER; i++)                                 \
    if (values[i].integer != (int64_t)((const type *)source)[i]) break;                            \
  break

size_t wax_lua_match_row(const wax_lua_value *values, wax_lua_move move, const void *source,
                         size_t count) {
  size_t i = 0;
  switch (move) {
    case WAX_LUA_MOVE_INT8: MATCH_INTEGERS(int8_t);
    case WAX_LUA_MOVE_INT16: MATCH_INTEGERS(int16_t);
    case WAX_LUA_MOVE_INT32: MATCH_INTEGERS(int32_t);
    case WAX_LUA_MOVE_INT64: MATCH_INTEGERS(int64_t);
    case WAX_LUA_MOVE_UINT8: MATCH_INTEGERS(uint8_t);
    case WAX_LUA_MOVE_UINT16: MATCH_INTEGERS(uint16_t);
    case WAX_LUA_MOVE_UINT32: MATCH_INTEGERS(uint32_t);
    case WAX_LUA_MOVE_BOOLEAN:
      for (; i < count && values[i].tag == WAX_LUA_VALUE_BOOLEAN; i++)
        if ((values[i].integer != 0) != (((const uint8_t *)source)[i] & 1)) break;
      break;
    case WAX_LUA_MOVE_DOUBLE: /* their bits: -0.0 is not 0.0, and a NaN may be the same */
      for (; i < count && values[i].tag == WAX_LUA_VALUE_NUMBER; i++)
        if (values[i].integer != ((const int64_t *)source)[i]) break;
      break;
    default: break;
  }
  return i;
}
