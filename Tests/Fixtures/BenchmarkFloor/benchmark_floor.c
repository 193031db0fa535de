/* SPDX-License-Identifier: MIT */

#include "benchmark_floor.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>

struct benchmark_floor {
  lua_State *L;
  int function;
};

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

static const luaL_Reg methods[] = {{"ORIGadd", original_add}, {NULL, NULL}};

/* [-0, +0, me]  Of the userdata on top. */
static void set_metatable(lua_State *L) {
  luaL_newmetatable(L, object_type);
  luaL_newlib(L, methods);
  lua_pushcclosure(L, get_method, 1);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
}

/* [-0, +0, me] */
static void make_proxy(lua_State *L, const void *object) {
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "v");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_newuserdatauv(L, 16, 0);
  set_metatable(L);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &keep_key);
  lua_rawsetp(L, -2, object);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &proxies_key);
}

benchmark_floor *benchmark_floor_create(const char *source, const void *object) {
  lua_State *L = luaL_newstate();
  if (!L) return NULL;
  luaL_openlibs(L);
  if (luaL_dostring(L, source) != LUA_OK) {
    lua_close(L);
    return NULL;
  }
  benchmark_floor *floor = malloc(sizeof *floor);
  if (!floor) abort();
  *floor = (benchmark_floor){L, luaL_ref(L, LUA_REGISTRYINDEX)};
  make_proxy(L, object);
  return floor;
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
  lua_rawgetp(L, LUA_REGISTRYINDEX, &proxies_key);
  lua_rawgetp(L, -1, object);
  lua_replace(L, -2);
}

int64_t benchmark_floor_integers(benchmark_floor *floor, const void *object, long count) {
  lua_State *L = floor->L;
  int64_t sum = 0;
  for (long i = 0; i < count; i++) {
    push_call(floor, object);
    lua_pushinteger(L, i);
    lua_pushinteger(L, 2);
    if (lua_pcall(L, 3, 1, 0) != LUA_OK) abort();
    sum += lua_tointeger(L, -1);
    lua_settop(L, 0);
  }
  return sum;
}

/* [-n, +0, -]  What the function returned for what is on the stack. */
static int64_t take_integer(lua_State *L, int arguments) {
  if (lua_pcall(L, arguments, 1, 0) != LUA_OK) abort();
  int64_t result = lua_tointeger(L, -1);
  lua_settop(L, 0);
  return result;
}

int64_t benchmark_floor_bare(benchmark_floor *floor, const void *object, long count) {
  int64_t sum = 0;
  for (long i = 0; i < count; i++) {
    push_call(floor, object);
    sum += take_integer(floor->L, 1);
  }
  return sum;
}

int64_t benchmark_floor_mixed(benchmark_floor *floor, const void *object, const char *text,
                              size_t length, long count) {
  lua_State *L = floor->L;
  int64_t sum = 0;
  for (long i = 0; i < count; i++) {
    push_call(floor, object);
    lua_pushinteger(L, i);
    lua_pushnumber(L, 2.5);
    lua_pushboolean(L, 1);
    lua_pushlstring(L, text, length);
    lua_pushvalue(L, 2);
    lua_pushinteger(L, 2);
    sum += take_integer(L, 7);
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
    if (lua_pcall(L, 3, 1, 1) == LUA_OK) abort();
    lua_settop(L, 0);
  }
}

int64_t benchmark_floor_resumed(benchmark_floor *floor, long count) {
  lua_State *L = floor->L, *coroutine = lua_newthread(L);
  int64_t sum = 0;
  for (long i = 0; i < count; i++) {
    lua_rawgeti(coroutine, LUA_REGISTRYINDEX, floor->function);
    lua_pushnil(coroutine);
    lua_pushinteger(coroutine, i);
    lua_pushinteger(coroutine, 2);
    int results, status = lua_resume(coroutine, L, 3, &results);
    while (status == LUA_YIELD) {
      lua_Integer answer = lua_tointeger(coroutine, -1);
      lua_pop(coroutine, results);
      lua_pushinteger(coroutine, answer);
      status = lua_resume(coroutine, L, 1, &results);
    }
    if (status != LUA_OK) abort();
    sum += lua_tointeger(coroutine, -1);
    lua_settop(coroutine, 0);
  }
  lua_settop(L, 0);
  return sum;
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
    lua_settop(L, 0);
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
