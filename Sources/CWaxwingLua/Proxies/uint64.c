/* SPDX-License-Identifier: MIT
 *
 * UInt64 values above Int64.max: a userdata that compares, prints and calculates exactly. A result
 * that fits an integer is an integer again; one that fits neither is an error.
 */
#include <inttypes.h>
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>

#include "wax_lua_operand.h"
#include "wax_proxy_private.h"

/* Wide enough for every sum and difference of two operands. */
typedef __int128 wide;

static bool to_wide(lua_State *L, int index, wide *value) {
  if (lua_isinteger(L, index)) {
    *value = lua_tointeger(L, index);
    return true;
  }
  wax_proxy *proxy = wax_proxy_to_proxy(L, index);
  if (!proxy || proxy->kind != WAX_PROXY_KIND_UINT64) return false;
  *value = (uint64_t)(uintptr_t)proxy->pointer;
  return true;
}

static wide check_wide(lua_State *L, int index) {
  wide value = 0;
  wax_lua_operand_name name;
  if (to_wide(L, index, &value)) return value;
  bool is_named = wax_lua_find_operand_name(
      L, index == 1 ? WAX_LUA_OPERAND_LEFT : WAX_LUA_OPERAND_RIGHT, &name);
  luaL_error(L, "attempt to calculate with a UInt64 and a %s%s%s%s", luaL_typename(L, index),
             is_named ? " (" : "", is_named ? name.text : "", is_named ? ")" : "");
  return value;
}

static int push_wide(lua_State *L, wide value) {
  if (value >= INT64_MIN && value <= INT64_MAX)
    lua_pushinteger(L, (lua_Integer)value);
  else if (value > 0 && value <= (wide)UINT64_MAX)
    wax_proxy_push(L, WAX_PROXY_KIND_UINT64, (void *)(uintptr_t)(uint64_t)value, NULL);
  else
    luaL_error(L, "integer overflow: the result fits neither Int64 nor UInt64");
  return 1;
}

static int add(lua_State *L) { return push_wide(L, check_wide(L, 1) + check_wide(L, 2)); }
static int subtract(lua_State *L) { return push_wide(L, check_wide(L, 1) - check_wide(L, 2)); }

static int multiply(lua_State *L) {
  wide product;
  if (__builtin_mul_overflow(check_wide(L, 1), check_wide(L, 2), &product))
    luaL_error(L, "integer overflow: the result fits neither Int64 nor UInt64");
  return push_wide(L, product);
}

/* Lua's `//` and `%` round towards minus infinity. */
static int divide(lua_State *L) {
  wide left = check_wide(L, 1), right = check_wide(L, 2);
  if (right == 0) luaL_error(L, "attempt to perform 'n//0'");
  wide quotient = left / right;
  if (left % right != 0 && (left < 0) != (right < 0)) quotient--;
  return push_wide(L, quotient);
}

static int modulo(lua_State *L) {
  wide left = check_wide(L, 1), right = check_wide(L, 2);
  if (right == 0) luaL_error(L, "attempt to perform 'n%%%%0'");
  wide rest = left % right;
  if (rest != 0 && (rest < 0) != (right < 0)) rest += right;
  return push_wide(L, rest);
}

typedef enum order { BELOW, SAME, ABOVE, UNORDERED } order;

static order order_of(wide left, wide right) {
  return left < right ? BELOW : left > right ? ABOVE : SAME;
}

/* Exact: neither is rounded to the other's type. */
static order order_with_float(wide left, double right) {
  if (isnan(right)) return UNORDERED;
  if (fabs(right) > 0x1p100) return right > 0 ? BELOW : ABOVE;
  double whole = floor(right);
  order result = order_of(left, (wide)whole);
  return result == SAME && right > whole ? BELOW : result;
}

static order reversed(order order) {
  return order == BELOW ? ABOVE : order == ABOVE ? BELOW : order;
}

static order compare(lua_State *L) {
  wide left, right;
  bool left_is_wide = to_wide(L, 1, &left), right_is_wide = to_wide(L, 2, &right);
  if (left_is_wide && right_is_wide) return order_of(left, right);
  if (!(left_is_wide || lua_type(L, 1) == LUA_TNUMBER) ||
      !(right_is_wide || lua_type(L, 2) == LUA_TNUMBER))
    luaL_error(L, "attempt to compare a UInt64 with a %s", luaL_typename(L, left_is_wide ? 2 : 1));
  if (left_is_wide) return order_with_float(left, lua_tonumber(L, 2));
  return reversed(order_with_float(right, lua_tonumber(L, 1)));
}

static int equals(lua_State *L) {
  wide left, right;
  lua_pushboolean(L, to_wide(L, 1, &left) && to_wide(L, 2, &right) && left == right);
  return 1;
}

static int less(lua_State *L) {
  lua_pushboolean(L, compare(L) == BELOW);
  return 1;
}

static int less_or_equal(lua_State *L) {
  order order = compare(L);
  lua_pushboolean(L, order == BELOW || order == SAME);
  return 1;
}

static int describe(lua_State *L) {
  char text[24];
  wax_proxy *proxy = wax_proxy_to_proxy(L, 1);
  snprintf(text, sizeof text, "%" PRIu64, proxy ? (uint64_t)(uintptr_t)proxy->pointer : 0);
  lua_pushstring(L, text);
  return 1;
}

static int describe_pointer(lua_State *L) {
  wax_proxy *proxy = wax_proxy_to_proxy(L, 1);
  lua_pushfstring(L, "pointer: %p", proxy ? proxy->pointer : NULL);
  return 1;
}

static int equal_pointers(lua_State *L) {
  wax_proxy *left = wax_proxy_to_proxy(L, 1), *right = wax_proxy_to_proxy(L, 2);
  lua_pushboolean(L, left && right && left->kind == right->kind && left->pointer == right->pointer);
  return 1;
}

static const luaL_Reg uint64_methods[] = {
    {"__add", add},           {"__sub", subtract}, {"__mul", multiply}, {"__idiv", divide},
    {"__mod", modulo},        {"__eq", equals},    {"__lt", less},      {"__le", less_or_equal},
    {"__tostring", describe}, {NULL, NULL}};

static const luaL_Reg pointer_methods[] = {
    {"__eq", equal_pointers}, {"__tostring", describe_pointer}, {NULL, NULL}};

static void define(lua_State *L, wax_proxy_kind kind, const char *name, const luaL_Reg *methods) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &wax_proxy_metatables_key);
  lua_newtable(L);
  luaL_setfuncs(L, methods, 0);
  lua_pushstring(L, name);
  lua_setfield(L, -2, "__name");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_rawsetp(L, -2, (const void *)(uintptr_t)kind);
  lua_pop(L, 1);
}

void wax_proxy_open_uint64(lua_State *L) {
  define(L, WAX_PROXY_KIND_UINT64, "UInt64", uint64_methods);
  define(L, WAX_PROXY_KIND_POINTER, "pointer", pointer_methods);
}
