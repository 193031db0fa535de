/* SPDX-License-Identifier: MIT
 *
 * The functions of `string` that take time or memory in proportion to their arguments: Lua's own do
 * the work, once what it costs has been checked and charged. For patterns see matching.c.
 */
#include <ctype.h>
#include <string.h>

#include "wax_library_private.h"

/* The time that one instruction of Lua's takes is enough for so many bytes. */
#define BYTES_PER_INSTRUCTION 16

static void charge_bytes(lua_State *L, size_t count) {
  wax_lua_budget_consume(L, count / BYTES_PER_INSTRUCTION);
}

/* {==================================================================
** Functions of one string
** =================================================================== */

/* [-0, +0, -]  Of the first argument, if it is a string. */
static size_t first_length(lua_State *L) {
  return lua_type(L, 1) == LUA_TSTRING ? (size_t)lua_rawlen(L, 1) : 0;
}

/* upper, lower, reverse, packsize */
static int whole(lua_State *L) {
  charge_bytes(L, first_length(L));
  return wax_library_call_builtin(L);
}

static int sub(lua_State *L) {
  int count = wax_library_call_builtin(L);
  charge_bytes(L, (size_t)lua_rawlen(L, -1));
  return count;
}

/* Its results are values, each of which takes an instruction's time. */
static int byte(lua_State *L) {
  int count = wax_library_call_builtin(L);
  if (count > 1) wax_lua_budget_consume(L, (size_t)count);
  return count;
}

static int from_bytes(lua_State *L) {
  wax_lua_budget_consume(L, (size_t)lua_gettop(L) / 2);
  return wax_library_call_builtin(L);
}

/* Numbers that are strings: reading one takes time in proportion to its length. */
static int arithmetic(lua_State *L) {
  for (int i = 1; i <= 2; i++) {
    if (lua_type(L, i) == LUA_TSTRING) wax_lua_budget_consume(L, (size_t)lua_rawlen(L, i));
  }
  return wax_library_call_builtin(L);
}

/* }================================================================== */

/* {==================================================================
** rep
** =================================================================== */

/* Fills it with as many copies of its first `count` bytes as there is room for. */
static void fill(char *bytes, size_t count, size_t total) {
  while (count < total) {
    size_t more = count < total - count ? count : total - count;
    memcpy(bytes + count, bytes, more);
    count += more;
  }
}

static int repeat(lua_State *L) {
  size_t count, separator_count;
  const char *text = luaL_checklstring(L, 1, &count);
  lua_Integer times = luaL_checkinteger(L, 2);
  const char *separator = luaL_optlstring(L, 3, "", &separator_count);
  size_t each = count + separator_count;
  if (times <= 0 || each == 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  if (each > (WAX_LIBRARY_MAX_BYTES + separator_count) / (size_t)times)
    return wax_library_raise_too_large(L, "string.rep");
  size_t total = each * (size_t)times - separator_count;
  charge_bytes(L, total);
  luaL_Buffer buffer;
  char *bytes = luaL_buffinitsize(L, &buffer, total);
  memcpy(bytes, text, count);
  if (times > 1) memcpy(bytes + count, separator, separator_count);
  fill(bytes, each, total);
  luaL_pushresultsize(&buffer, total);
  return 1;
}

/* }================================================================== */

/* {==================================================================
** format
** =================================================================== */

/* The most that a conversion of a number gives: `%99.99f` of the largest. */
#define MAX_OF_NUMBER 512

/* What converting a number or a boolean costs, in instructions. */
#define CONVERSION_COST 8

/* Instead of a value that says itself what it is as text, that text. */
static size_t text_length(lua_State *L, int argument) {
  size_t count;
  if (lua_type(L, argument) == LUA_TSTRING) return (size_t)lua_rawlen(L, argument);
  if (!luaL_getmetafield(L, argument, "__tostring") && !luaL_getmetafield(L, argument, "__name"))
    return MAX_OF_NUMBER;
  lua_pop(L, 1);
  luaL_tolstring(L, argument, &count);
  lua_replace(L, argument);
  return count;
}

/* Of `%q`, which writes a byte as four at most. */
static size_t quoted_length(lua_State *L, int argument) {
  size_t count, total = 2;
  if (lua_type(L, argument) != LUA_TSTRING) return MAX_OF_NUMBER;
  const char *text = lua_tolstring(L, argument, &count);
  for (size_t i = 0; i < count; i++) {
    unsigned char c = (unsigned char)text[i];
    total += c == '"' || c == '\\' || c == '\n' ? 2 : iscntrl(c) ? 4 : 1;
  }
  return total;
}

/* At most so many bytes come of the conversion whose letter is `letter`. */
static size_t converted_length(lua_State *L, char letter, bool is_cut, int argument) {
  if (letter == 'q') return quoted_length(L, argument);
  if (letter != 's') return MAX_OF_NUMBER;
  size_t count = text_length(L, argument);
  return is_cut && count > MAX_OF_NUMBER ? MAX_OF_NUMBER : count;
}

/* At most so many bytes come of all. A format that is wrong is Lua's own to complain about. */
static size_t formatted_length(lua_State *L, const char *format, size_t count) {
  const char *end = format + count;
  size_t total = count;
  int top = lua_gettop(L);
  int argument = 1;
  while ((format = memchr(format, '%', (size_t)(end - format))) != NULL) {
    if (++format == end) break;
    bool is_cut = false;
    while (format < end && strchr("-+ #0123456789.", *format) && *format) {
      is_cut |= *format == '.';
      format++;
    }
    if (format == end || *format++ == '%') continue;
    if (++argument > top) break;
    total += converted_length(L, format[-1], is_cut, argument);
    if (total > WAX_LIBRARY_MAX_BYTES) break;
  }
  return total;
}

/* Whether the result cannot be too long, which is quickly seen of the usual arguments. */
static bool is_harmless(lua_State *L, size_t count) {
  int top = lua_gettop(L);
  if (top > 64) return false;
  size_t total = count;
  for (int i = 2; i <= top; i++) {
    int type = lua_type(L, i);
    if (type == LUA_TSTRING)
      total += (size_t)lua_rawlen(L, i);
    else if (type == LUA_TTABLE || type == LUA_TUSERDATA)
      return false;
  }
  return total <= 128 * 1024;
}

static int format(lua_State *L) {
  size_t count;
  const char *text = luaL_checklstring(L, 1, &count);
  int arguments = lua_gettop(L);
  if (!is_harmless(L, count)) {
    wax_lua_check_stack(L);
    charge_bytes(L, count);
    size_t total = formatted_length(L, text, count);
    if (total > WAX_LIBRARY_MAX_BYTES) return wax_library_raise_too_large(L, "string.format");
  }
  int results = wax_library_call_builtin(L);
  wax_lua_budget_consume(L, (size_t)arguments * CONVERSION_COST +
                                (size_t)lua_rawlen(L, -1) / BYTES_PER_INSTRUCTION);
  return results;
}

/* }================================================================== */

/* {==================================================================
** pack and unpack
** =================================================================== */

/* Strings of a fixed size, `c1000`, are padded; nothing else makes more than 16 bytes of a
   character of the format, but for the arguments' own bytes. */
static size_t padded_length(const char *format, size_t count) {
  const char *end = format + count;
  size_t total = 0;
  while ((format = memchr(format, 'c', (size_t)(end - format))) != NULL) {
    size_t size = 0;
    for (format++; format < end && isdigit((unsigned char)*format); format++) {
      if (size <= WAX_LIBRARY_MAX_BYTES) size = size * 10 + (size_t)(*format - '0');
    }
    total += size;
    if (total > WAX_LIBRARY_MAX_BYTES) break;
  }
  return total;
}

static int pack(lua_State *L) {
  size_t count;
  const char *text = luaL_checklstring(L, 1, &count);
  size_t total = padded_length(text, count);
  for (int i = 2; i <= lua_gettop(L) && total <= WAX_LIBRARY_MAX_BYTES; i++) {
    if (lua_type(L, i) == LUA_TSTRING) total += (size_t)lua_rawlen(L, i);
  }
  if (total > WAX_LIBRARY_MAX_BYTES) return wax_library_raise_too_large(L, "string.pack");
  wax_lua_budget_consume(L, count + total / BYTES_PER_INSTRUCTION);
  int results = wax_library_call_builtin(L);
  total = (size_t)lua_rawlen(L, -1);
  return total > WAX_LIBRARY_MAX_BYTES ? wax_library_raise_too_large(L, "string.pack") : results;
}

static int unpack(lua_State *L) {
  wax_lua_budget_consume(L, first_length(L) * 2);
  if (lua_type(L, 2) == LUA_TSTRING) charge_bytes(L, (size_t)lua_rawlen(L, 2) / 16);
  return wax_library_call_builtin(L);
}

/* }================================================================== */

/* [-0, +0, m]  What strings do as numbers; and nobody gets at their metatable. */
static void seal_strings(lua_State *L) {
  static const wax_library_replacement events[] = {
      {"__add", arithmetic},  {"__sub", arithmetic}, {"__mul", arithmetic},
      {"__mod", arithmetic},  {"__pow", arithmetic}, {"__div", arithmetic},
      {"__idiv", arithmetic}, {"__unm", arithmetic}, {NULL, NULL}};
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  wax_library_replace(L, events);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 2);
}

void wax_library_open_strings(lua_State *L) {
  static const wax_library_replacement functions[] = {
      {"upper", whole},   {"lower", whole}, {"reverse", whole},   {"packsize", whole},
      {"sub", sub},       {"byte", byte},   {"char", from_bytes}, {"rep", repeat},
      {"format", format}, {"pack", pack},   {"unpack", unpack},   {NULL, NULL}};
  static const char *const unsafe[] = {"dump", NULL};
  wax_library_replace(L, functions);
  wax_library_remove_functions(L, unsafe);
  seal_strings(L);
}
