/* SPDX-License-Identifier: MIT */

#include "benchmark_floor.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>

struct benchmark_floor {
  lua_State *L;
  int function;
  /* Whether the table of proxies is kept at the bottom of the stack. */
  bool keeps_table;
  /* For benchmark_floor_resumed_once; NULL before its first call. */
  lua_State *coroutine;
};

/* The userdata that stands for an object; its word tells it from others without a look at types. */
typedef struct proxy {
  uint64_t word;
  uint64_t padding;
} proxy;

static const uint64_t proxy_word = 0x70726f78790a5741;

static const char proxies_key = 0;
static const char keep_key = 0;

static const char *const object_type = "object";

static int original_add(lua_State *L) {
  luaL_checkudata(L, 1, object_type);
  lua_pushinteger(L, luaL_checkinteger(L, 2) + luaL_checkinteger(L, 3));
  return 1;
}

/* Upvalue 1: the methods. */
static int get_method(lua_State *L) {
  luaL_checkudata(L, 1, object_type);
  luaL_checkstring(L, 2);
  lua_settop(L, 2);
  lua_rawget(L, lua_upvalueindex(1));
  return 1;
}

/* [-0, +0, v]  What luaL_checkudata makes sure of, in fewer instructions. */
static void check_word(lua_State *L) {
  const proxy *self = lua_touserdata(L, 1);
  if (!self || lua_rawlen(L, 1) < sizeof *self || self->word != proxy_word)
    luaL_checkudata(L, 1, object_type);
}

static int original_add_strictly(lua_State *L) {
  check_word(L);
  lua_pushinteger(L, luaL_checkinteger(L, 2) + luaL_checkinteger(L, 3));
  return 1;
}

static int get_method_strictly(lua_State *L) {
  check_word(L);
  luaL_checktype(L, 2, LUA_TSTRING);
  lua_settop(L, 2);
  lua_rawget(L, lua_upvalueindex(1));
  return 1;
}

/* [-0, +0, me]  Of the userdata on top. */
static void set_metatable(lua_State *L, bool is_strict) {
  luaL_newmetatable(L, object_type);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, is_strict ? original_add_strictly : original_add);
  lua_setfield(L, -2, "ORIGadd");
  lua_pushcclosure(L, is_strict ? get_method_strictly : get_method, 1);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
}

/* [-0, +0, me] */
static void make_proxy(lua_State *L, const void *object, bool is_strict) {
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "v");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  *(proxy *)lua_newuserdatauv(L, sizeof(proxy), 0) = (proxy){proxy_word, 0};
  set_metatable(L, is_strict);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &keep_key);
  lua_rawsetp(L, -2, object);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &proxies_key);
}

static benchmark_floor *create(const char *source, const void *object, bool is_strict) {
  lua_State *L = luaL_newstate();
  if (!L) return NULL;
  luaL_openlibs(L);
  if (luaL_dostring(L, source) != LUA_OK) {
    lua_close(L);
    return NULL;
  }
  benchmark_floor *floor = malloc(sizeof *floor);
  if (!floor) abort();
  *floor = (benchmark_floor){L, luaL_ref(L, LUA_REGISTRYINDEX), is_strict, NULL};
  make_proxy(L, object, is_strict);
  if (is_strict) lua_rawgetp(L, LUA_REGISTRYINDEX, &proxies_key);
  return floor;
}

benchmark_floor *benchmark_floor_create(const char *source, const void *object) {
  return create(source, object, false);
}

benchmark_floor *benchmark_floor_create_strict(const char *source, const void *object) {
  return create(source, object, true);
}

void benchmark_floor_destroy(benchmark_floor *floor) {
  lua_close(floor->L);
  free(floor);
}

static void push_call(const benchmark_floor *floor, const void *object) {
  lua_State *L = floor->L;
  lua_rawgeti(L, LUA_REGISTRYINDEX, floor->function);
  if (!object) {
    lua_pushnil(L);
    return;
  }
  if (floor->keeps_table) {
    lua_rawgetp(L, 1, object);
    return;
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, &proxies_key);
  lua_rawgetp(L, -1, object);
  lua_replace(L, -2);
}

/* [-n, +0, -]  What a call has left. */
static void clear(const benchmark_floor *floor) { lua_settop(floor->L, floor->keeps_table); }

int64_t benchmark_floor_integers(benchmark_floor *floor, const void *object, long count) {
  lua_State *L = floor->L;
  int64_t sum = 0;
  for (long i = 0; i < count; i++) {
    push_call(floor, object);
    lua_pushinteger(L, i);
    lua_pushinteger(L, 2);
    if (lua_pcall(L, 3, 1, 0) != LUA_OK) abort();
    sum += lua_tointeger(L, -1);
    clear(floor);
  }
  return sum;
}

/* [-n, +0, -]  What the function returned for what is on the stack. */
static int64_t take_integer(const benchmark_floor *floor, int arguments) {
  if (lua_pcall(floor->L, arguments, 1, 0) != LUA_OK) abort();
  int64_t result = lua_tointeger(floor->L, -1);
  clear(floor);
  return result;
}

int64_t benchmark_floor_bare(benchmark_floor *floor, const void *object, long count) {
  int64_t sum = 0;
  for (long i = 0; i < count; i++) {
    push_call(floor, object);
    sum += take_integer(floor, 1);
  }
  return sum;
}

int64_t benchmark_floor_mixed(benchmark_floor *floor, const void *object, const char *text,
                              size_t length, long count) {
  lua_State *L = floor->L;
  int self = floor->keeps_table + 2;
  int64_t sum = 0;
  for (long i = 0; i < count; i++) {
    push_call(floor, object);
    lua_pushinteger(L, i);
    lua_pushnumber(L, 2.5);
    lua_pushboolean(L, 1);
    lua_pushlstring(L, text, length);
    lua_pushvalue(L, self);
    lua_pushinteger(L, 2);
    sum += take_integer(floor, 7);
  }
  return sum;
}

/* The message, and where each function that is active was. luaL_traceback looks functions up among
   all that libraries have, which takes ten times as long. */
static int add_traceback(lua_State *L) {
  lua_Debug activation;
  int pieces = 1;
  for (int level = 1; lua_getstack(L, level, &activation); level++) {
    lua_getinfo(L, "Sln", &activation);
    lua_pushfstring(L, "\n%s:%d: %s", activation.short_src, activation.currentline,
                    activation.name ? activation.name : "?");
    pieces++;
  }
  lua_concat(L, pieces);
  return 1;
}

void benchmark_floor_failing(benchmark_floor *floor, const void *object, long count) {
  lua_State *L = floor->L;
  for (long i = 0; i < count; i++) {
    lua_pushcfunction(L, add_traceback);
    push_call(floor, object);
    lua_pushinteger(L, i);
    lua_pushinteger(L, 2);
    if (lua_pcall(L, 3, 1, -5) == LUA_OK) abort();
    clear(floor);
  }
}

int64_t benchmark_floor_kept(benchmark_floor *floor, long count) {
  lua_State *L = floor->L;
  int64_t sum = 0;
  for (long i = 0; i < count; i++) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, floor->function);
    lua_pushinteger(L, i);
    lua_pushinteger(L, 2);
    sum += take_integer(floor, 2);
  }
  return sum;
}

/* [-n, +0, -]  What the function returned, on a coroutine of the state's, for what is on its stack.
   When it yields an integer it is resumed with that. */
static int64_t resume(lua_State *coroutine, lua_State *L, int arguments) {
  int results, status = lua_resume(coroutine, L, arguments, &results);
  while (status == LUA_YIELD) {
    lua_Integer answer = lua_tointeger(coroutine, -1);
    lua_pop(coroutine, results);
    lua_pushinteger(coroutine, answer);
    status = lua_resume(coroutine, L, 1, &results);
  }
  if (status != LUA_OK) abort();
  int64_t result = lua_tointeger(coroutine, -1);
  lua_settop(coroutine, 0);
  return result;
}

int64_t benchmark_floor_resumed(benchmark_floor *floor, long count) {
  lua_State *L = floor->L, *coroutine = lua_newthread(L);
  int64_t sum = 0;
  for (long i = 0; i < count; i++) {
    lua_rawgeti(coroutine, LUA_REGISTRYINDEX, floor->function);
    lua_pushnil(coroutine);
    lua_pushinteger(coroutine, i);
    lua_pushinteger(coroutine, 2);
    sum += resume(coroutine, L, 3);
  }
  lua_settop(L, 0);
  return sum;
}

int64_t benchmark_floor_resumed_once(benchmark_floor *floor, const void *object, int64_t a) {
  lua_State *L = floor->L;
  if (!floor->coroutine) {
    floor->coroutine = lua_newthread(L);
    luaL_ref(L, LUA_REGISTRYINDEX);
  }
  lua_State *coroutine = floor->coroutine;
  lua_rawgeti(coroutine, LUA_REGISTRYINDEX, floor->function);
  lua_rawgetp(coroutine, LUA_REGISTRYINDEX, &proxies_key);
  lua_rawgetp(coroutine, -1, object);
  lua_replace(coroutine, -2);
  lua_pushinteger(coroutine, a);
  lua_pushinteger(coroutine, 2);
  return resume(coroutine, L, 3);
}

size_t benchmark_floor_strings(benchmark_floor *floor, const void *object, const char *text,
                               size_t length, long count) {
  lua_State *L = floor->L;
  size_t sum = 0;
  for (long i = 0; i < count; i++) {
    push_call(floor, object);
    lua_pushlstring(L, text, length);
    if (lua_pcall(L, 2, 1, 0) != LUA_OK) abort();
    size_t result_length;
    const char *result = lua_tolstring(L, -1, &result_length);
    char *copy = malloc(result_length + 1);
    if (!result || !copy) abort();
    memcpy(copy, result, result_length);
    sum += result_length + (unsigned char)copy[0] * 0u;
    free(copy);
    clear(floor);
  }
  return sum;
}

benchmark_state *benchmark_floor_load(const char *source) {
  lua_State *L = luaL_newstate();
  if (!L) return NULL;
  luaL_openlibs(L);
  if (luaL_dostring(L, source) == LUA_OK) return L;
  lua_close(L);
  return NULL;
}

void benchmark_floor_close(benchmark_state *L) { lua_close(L); }
