/* SPDX-License-Identifier: MIT
 *
 * Whether a call of a Lua function keeps what it sees: what its code tells, once, and what the
 * variables and tables around it have when the call begins.
 */
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "wax_proxy_keeping.h"
#include "wax_proxy_keeping_private.h"
#include "wax_proxy_private.h"

/* What has to be known of a place when a call begins. */
typedef struct kept_place {
  int16_t parent;
  uint8_t upvalue;
  bool is_environment, is_table, is_scalar, is_name, is_type_object;
} kept_place;

typedef struct kept_places {
  size_t count;
  kept_place places[];
} kept_places;

/* Its address is a key of the registry: places by function. */
static const char places_key = 0;

static bool is_looked_at(const place *place) {
  return place->is_scalar || place->is_name || place->is_type_object ||
         (place->is_table && !place->is_environment);
}

/* [-0, +0, m]  Pushes the table of the functions' places. */
static void push_places(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &places_key) == LUA_TTABLE) return;
  lua_pop(L, 1);
  wax_proxy_push_weak_table(L, "k");
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &places_key);
}

/* [-0, +0, m]  Keeps the places of the function at `index`. */
static void keep_places(lua_State *L, int index, const finding *found) {
  push_places(L);
  lua_pushvalue(L, index);
  size_t count = found->place_count;
  kept_places *kept = lua_newuserdatauv(L, sizeof *kept + count * sizeof *kept->places, (int)count);
  kept->count = count;
  for (size_t i = 0; i < count; i++) {
    const place *place = &found->places[i];
    kept->places[i] =
        (kept_place){place->parent,    place->upvalue, place->is_environment, place->is_table,
                     place->is_scalar, place->is_name, place->is_type_object};
    if (place->name.start)
      lua_pushlstring(L, place->name.start, place->name.size);
    else
      lua_pushinteger(L, (lua_Integer)place->name.size);
    lua_setiuservalue(L, -2, (int)i + 1);
  }
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

/* Not on the stack: a thread's may be short. */
static wax_proxy_keeping keeping_in(lua_State *L, int index, code *code, finding *found) {
  /* Most of either is never used: what is, is set here or where it is read. */
  function *function = malloc(sizeof *function);
  walk *walk = malloc(sizeof *walk);
  wax_proxy_keeping result = WAX_PROXY_KEEPING_ANYTHING;
  if (function && walk && read_function(code, function)) {
    walk->L = L;
    walk->index = index;
    walk->function = function;
    walk->found = found;
    walk->is_lost = false;
    memset(walk->is_target, 0, function->count + 2);
    walk->known = malloc(function->count * function->registers + 1);
    walk->is_reached = calloc(function->count + 1, sizeof *walk->is_reached);
    walk->is_narrow = true;
    if (walk->known && walk->is_reached && wax_proxy_code_keeps_nothing(walk))
      result =
          walk->is_narrow ? WAX_PROXY_KEEPING_NOTHING_CALLS_ORIGINALS : WAX_PROXY_KEEPING_NOTHING;
    free(walk->known);
    free(walk->is_reached);
  }
  free(function);
  free(walk);
  return result;
}

static int examine(lua_State *L) {
  finding *found = lua_touserdata(L, 2);
  bool is_dumped = lua_type(L, 1) == LUA_TFUNCTION && !lua_iscfunction(L, 1) &&
                   (lua_pushvalue(L, 1), wax_lua_dump(L, true, &found->compiled));
  code code = {.bytes = found->compiled.bytes, .size = found->compiled.count};
  lua_settop(L, 1);
  wax_proxy_keeping result =
      is_dumped ? keeping_in(L, 1, &code, found) : WAX_PROXY_KEEPING_ANYTHING;
  bool has_places = false;
  for (size_t i = 0; i < found->place_count; i++) has_places |= is_looked_at(&found->places[i]);
  if (result != WAX_PROXY_KEEPING_ANYTHING && has_places) {
    keep_places(L, 1, found);
    result = WAX_PROXY_KEEPING_NOTHING_OF_SCALARS;
  }
  lua_pushinteger(L, result);
  return 1;
}

/* [-1, +0, -]  Of the function on top. */
wax_proxy_keeping wax_proxy_keeping_on_top(lua_State *L) {
  finding found = {.compiled = {NULL, 0}, .place_count = 0};
  if (!lua_checkstack(L, 8)) {
    lua_settop(L, -2);
    return WAX_PROXY_KEEPING_ANYTHING;
  }
  lua_pushcfunction(L, examine);
  lua_insert(L, -2);
  lua_pushlightuserdata(L, &found);
  wax_proxy_keeping result = WAX_PROXY_KEEPING_ANYTHING;
  if (lua_pcall(L, 2, 1, 0) == LUA_OK) result = (wax_proxy_keeping)lua_tointeger(L, -1);
  lua_pop(L, 1);
  free(found.compiled.bytes);
  return result;
}

wax_proxy_keeping wax_proxy_find_keeping(wax_lua_state *state, int reference) {
  lua_rawgeti(state->main, LUA_REGISTRYINDEX, reference);
  return wax_proxy_keeping_on_top(state->main);
}

/* [-0, +0, -]  Whether the value on top is a type object of the prelude's. */
static bool is_type_object(lua_State *L) {
  int top = lua_gettop(L);
  lua_pushglobaltable(L);
  lua_pushliteral(L, "waxwing.type_objects");
  bool result = lua_rawget(L, -2) == LUA_TTABLE && lua_istable(L, top) &&
                (lua_pushvalue(L, top), lua_rawget(L, -2)) == LUA_TSTRING;
  lua_settop(L, top);
  return result;
}

/* [-0, +0, -]  Whether the value on top is what the place has to be. */
static bool is_as_needed(lua_State *L, const kept_place *place) {
  int type = lua_type(L, -1);
  if (place->is_type_object && !is_type_object(L)) return false;
  if (place->is_table && type != LUA_TTABLE) return false;
  if (place->is_table && !place->is_environment && lua_getmetatable(L, -1)) {
    lua_pop(L, 1);
    return false;
  }
  if (place->is_scalar && type != LUA_TNUMBER && type != LUA_TNIL && type != LUA_TBOOLEAN &&
      type != LUA_TSTRING)
    return place->is_table; /* without metamethods */
  return !place->is_name || (type == LUA_TSTRING && !strncmp(lua_tostring(L, -1), "ORIG", 4));
}

/* [-0, +0, -]  Whether the function's places are what its code needs. */
static bool has_places(lua_State *L, int reference) {
  int top = lua_gettop(L);
  if (!lua_checkstack(L, MAX_PLACES + 8)) return false;
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &places_key);
  lua_pushvalue(L, top + 1);
  lua_rawget(L, -2);
  const kept_places *kept = lua_touserdata(L, -1);
  bool result = kept != NULL;
  int base = lua_gettop(L);
  for (size_t i = 0; result && i < kept->count; i++) {
    const kept_place *place = &kept->places[i];
    if (place->parent < 0) {
      result = lua_getupvalue(L, top + 1, place->upvalue + 1) != NULL;
    } else {
      lua_getiuservalue(L, base, (int)i + 1);
      lua_rawget(L, base + 1 + place->parent); /* a table: it comes first */
    }
    result = result && is_as_needed(L, place);
  }
  lua_settop(L, top);
  return result;
}

bool wax_proxy_keeps_nothing(lua_State *L, int reference, wax_proxy_keeping keeping) {
  if (keeping != WAX_PROXY_KEEPING_NOTHING_OF_SCALARS) return keeping != WAX_PROXY_KEEPING_ANYTHING;
  return has_places(L, reference);
}
