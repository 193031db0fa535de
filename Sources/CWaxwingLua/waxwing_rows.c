/* SPDX-License-Identifier: MIT
 *
 * Values of one trivial kind in a row, as arrays have them.
 */
#include "waxwing_lua.h"

#define ADD_INTEGERS(type)                                                                         \
  for (size_t i = 0; i < count; i++)                                                               \
    values[i] = (waxwing_value){.tag = WAXWING_INTEGER, .integer = ((const type *)source)[i]};     \
  break

void waxwing_buffer_add_row(waxwing_buffer *buffer, waxwing_move move, const void *source,
                            size_t count) {
  waxwing_value *values = waxwing_buffer_append_row(buffer, count);
  if (!values) return;
  switch (move) {
    case WAXWING_MOVE_INT8: ADD_INTEGERS(int8_t);
    case WAXWING_MOVE_INT16: ADD_INTEGERS(int16_t);
    case WAXWING_MOVE_INT32: ADD_INTEGERS(int32_t);
    case WAXWING_MOVE_UINT8: ADD_INTEGERS(uint8_t);
    case WAXWING_MOVE_UINT16: ADD_INTEGERS(uint16_t);
    case WAXWING_MOVE_UINT32: ADD_INTEGERS(uint32_t);
    case WAXWING_MOVE_BOOLEAN:
      for (size_t i = 0; i < count; i++)
        values[i] =
            (waxwing_value){.tag = WAXWING_BOOLEAN, .integer = ((const uint8_t *)source)[i] & 1};
      break;
    case WAXWING_MOVE_DOUBLE:
      for (size_t i = 0; i < count; i++)
        values[i] = (waxwing_value){.tag = WAXWING_NUMBER, .number = ((const double *)source)[i]};
      break;
    default: ADD_INTEGERS(int64_t);
  }
}

#define TAKE_INTEGERS(type)                                                                        \
  for (; i < count && values[i].tag == WAXWING_INTEGER; i++) {                                     \
    if (values[i].integer != (int64_t)(type)values[i].integer) break;                              \
    ((type *)target)[i] = (type)values[i].integer;                                                 \
  }                                                                                                \
  break

size_t waxwing_take_row(const waxwing_value *values, waxwing_move move, void *target,
                        size_t count) {
  size_t i = 0;
  switch (move) {
    case WAXWING_MOVE_INT8: TAKE_INTEGERS(int8_t);
    case WAXWING_MOVE_INT16: TAKE_INTEGERS(int16_t);
    case WAXWING_MOVE_INT32: TAKE_INTEGERS(int32_t);
    case WAXWING_MOVE_INT64: TAKE_INTEGERS(int64_t);
    case WAXWING_MOVE_UINT8: TAKE_INTEGERS(uint8_t);
    case WAXWING_MOVE_UINT16: TAKE_INTEGERS(uint16_t);
    case WAXWING_MOVE_UINT32: TAKE_INTEGERS(uint32_t);
    case WAXWING_MOVE_BOOLEAN:
      for (; i < count && values[i].tag == WAXWING_BOOLEAN; i++)
        ((uint8_t *)target)[i] = values[i].integer != 0;
      break;
    case WAXWING_MOVE_DOUBLE:
      for (; i < count && values[i].tag == WAXWING_NUMBER; i++)
        ((double *)target)[i] = values[i].number;
      break;
    default: break;
  }
  return i;
}
