/* SPDX-License-Identifier: MIT
 *
 * The function of the override that runs the pieces of advice `before` and `after` at a point: what
 * `observer` of lua/waxwing/advice.lua is, for functions of one result or none.
 *
 * A call whose pieces return nothing and are not for one call only is run here. All else goes on in
 * Lua from where it is; so do failures, where they are reported.
 *
 * A call goes on with the pieces that it began with: they are in a userdata, which is another one
 * once they change.
 */
#include <lauxlib.h>

#include "wax_lua_budget.h"
#include "wax_proxy_pieces.h"
#include "wax_proxy_private.h"

/* At one point of more of them, or with more arguments, the calls are Lua's. */
#define MAX_PIECES 10000
#define MAX_ARGUMENTS 255

/* What Lua code would be charged with for a piece, besides what that does. */
#define PIECE_COST 20

/* First those before the call, then those after it. The user values keep them. */
typedef struct pieces {
  int before, after; /* how many */
  bool has_receiver; /* the first argument of its calls */
  wax_proxy_advice *advice[];
} pieces;

/* User values of that. */
#define POINT 1
#define BEFORE 2 /* the lists, as Lua code has them */
#define AFTER 3
#define ORIGINAL 4
#define FUNCTIONS 5 /* and so on: those of the pieces */

/* Upvalues of the function. */
#define PIECES lua_upvalueindex(1) /* false: there are too many */
#define OBSERVER lua_upvalueindex(2)
#define FAIL lua_upvalueindex(3)
#define GO_ON_BEFORE lua_upvalueindex(4)
#define GO_ON_AFTER lua_upvalueindex(5)

/* {==================================================================
** One call
**
** The stack of the function has the arguments, the pieces, their message handler and, once the
** original has returned where there are pieces after it, its result.
** =================================================================== */

/* A step is a piece, or the original: that is between those before it and those after it. */
typedef struct advised_call {
  lua_State *L;
  const pieces *pieces;
  int arguments;
} advised_call;

static int pieces_index(const advised_call *call) { return call->arguments + 1; }
static int handler_index(const advised_call *call) { return call->arguments + 2; }
static int result_index(const advised_call *call) { return call->arguments + 3; }

static bool is_after(const advised_call *call, int step) { return step > call->pieces->before; }

/* Of the piece that is the step, among all. */
static int piece_number(const advised_call *call, int step) {
  return is_after(call, step) ? step - 1 : step;
}

/* What stays on the stack when the step is over. */
static int kept(const advised_call *call, int step) {
  return is_after(call, step) ? result_index(call) : handler_index(call);
}

static lua_KContext context_of(const advised_call *call, int step) {
  return (lua_KContext)step * (MAX_ARGUMENTS + 1) + call->arguments;
}

/* [-0, +n, -] */
static void push_arguments(const advised_call *call, int first) {
  for (int i = first; i <= call->arguments; i++) lua_pushvalue(call->L, i);
}

static int return_rest(lua_State *L, int status, lua_KContext below) {
  (void)status; /* errors do not come here */
  return lua_gettop(L) - (int)below;
}

/* [-n, +?, e]  The function and its arguments are above `below`: its results are the call's. */
static int end_with(lua_State *L, int below) {
  lua_callk(L, lua_gettop(L) - below - 1, LUA_MULTRET, below, return_rest);
  return return_rest(L, LUA_OK, below);
}

static int resume(lua_State *L, int status, lua_KContext context);

/* Of the piece that is the step, in its list. */
static int place(const advised_call *call, int step) {
  return is_after(call, step) ? step - call->pieces->before : step + 1;
}

/* [-n, +1, m]  What is above `below` as `table.pack` has it. */
static void pack(lua_State *L, int below) {
  int count = lua_gettop(L) - below;
  lua_createtable(L, count, 1);
  lua_insert(L, below + 1);
  for (int i = count; i > 0; i--) lua_rawseti(L, below + 1, i);
  lua_pushinteger(L, count);
  lua_setfield(L, below + 1, "n");
}

/* [-?, +?, e]  Lua code goes on from this step, whose piece has returned what is above what is
   kept, or has not been run. */
static int go_on_in_lua(const advised_call *call, int step, bool has_run) {
  lua_State *L = call->L;
  int below = kept(call, step);
  luaL_checkstack(L, call->arguments + 12, NULL);
  if (has_run)
    pack(L, below);
  else
    lua_pushnil(L);
  lua_pushvalue(L, is_after(call, step) ? GO_ON_AFTER : GO_ON_BEFORE);
  lua_getiuservalue(L, pieces_index(call), POINT);
  lua_getiuservalue(L, pieces_index(call), BEFORE);
  lua_getiuservalue(L, pieces_index(call), AFTER);
  lua_pushinteger(L, place(call, step));
  lua_pushvalue(L, below + 1);
  if (is_after(call, step)) lua_pushvalue(L, result_index(call));
  if (!call->pieces->has_receiver) lua_pushnil(L);
  push_arguments(call, 1);
  return end_with(L, below + 1);
}

/* [-1, +0, e]  The error on top is reported, or raised again. */
static void report(const advised_call *call, int step) {
  lua_State *L = call->L;
  wax_lua_check_limit(L);
  lua_pushvalue(L, FAIL);
  lua_getiuservalue(L, pieces_index(call), is_after(call, step) ? AFTER : BEFORE);
  lua_rawgeti(L, -1, place(call, step));
  lua_remove(L, -2);
  lua_pushvalue(L, -3);
  lua_call(L, 2, 0);
  lua_pop(L, 1);
}

/* Not a number of results. */
#define GOES_ON (-1)

/* [-?, +?, e]  The call of the step's piece is over. Returns the number of the call's results, if
   they are there. */
static int end_piece(const advised_call *call, int step, int status) {
  if (__builtin_expect(status != LUA_OK && status != LUA_YIELD, 0))
    report(call, step);
  else if (__builtin_expect(lua_gettop(call->L) != kept(call, step), 0))
    return go_on_in_lua(call, step, true);
  return GOES_ON;
}

/* [-0, +?, e]  The same for the whole step. */
static int run_piece(const advised_call *call, int step) {
  lua_State *L = call->L;
  const pieces *pieces = call->pieces;
  int number = piece_number(call, step);
  wax_proxy_advice *advice = pieces->advice[number];
  if (__builtin_expect(wax_proxy_advice_is_once(advice), 0)) return go_on_in_lua(call, step, false);
  bool has_instance = pieces->has_receiver && wax_proxy_advice_has_instance(advice);
  if (!wax_proxy_advice_claim(advice, has_instance ? wax_proxy_advised_object(L, 1) : NULL))
    return GOES_ON;
  wax_lua_check_stack(L);
  int first = 1, count = call->arguments;
  lua_getiuservalue(L, pieces_index(call), FUNCTIONS + number);
  if (is_after(call, step)) {
    if (pieces->has_receiver) lua_pushvalue(L, first++);
    lua_pushvalue(L, result_index(call));
    count++;
  }
  push_arguments(call, first);
  int status =
      lua_pcallk(L, count, LUA_MULTRET, handler_index(call), context_of(call, step), resume);
  return end_piece(call, step, status);
}

/* [-0, +1, e]  Calls the original, if there are pieces after it. */
static int run_original(const advised_call *call, int step) {
  lua_State *L = call->L;
  lua_getiuservalue(L, pieces_index(call), ORIGINAL);
  push_arguments(call, 1);
  if (call->pieces->after == 0) return end_with(L, handler_index(call));
  lua_callk(L, call->arguments, 1, context_of(call, step), resume);
  return GOES_ON;
}

/* [-0, +?, e]  Returns the number of results. */
static int run_from(const advised_call *call, int step) {
  int last = call->pieces->before + call->pieces->after;
  for (; step <= last; step++) {
    bool is_original = step == call->pieces->before;
    int results = is_original ? run_original(call, step) : run_piece(call, step);
    if (results != GOES_ON) return results;
  }
  return 1; /* what the original returned is on top */
}

/* lua_KFunction: the function of this step has waited. */
static int resume(lua_State *L, int status, lua_KContext context) {
  int arguments = (int)(context % (MAX_ARGUMENTS + 1));
  int step = (int)(context / (MAX_ARGUMENTS + 1));
  const advised_call call = {L, lua_touserdata(L, arguments + 1), arguments};
  int results = step == call.pieces->before ? GOES_ON : end_piece(&call, step, status);
  return results == GOES_ON ? run_from(&call, step + 1) : results;
}

int wax_proxy_run_pieces(lua_State *L) {
  const pieces *pieces = lua_touserdata(L, PIECES);
  if (pieces && pieces->has_receiver && lua_gettop(L) == 0) lua_pushnil(L);
  int arguments = lua_gettop(L);
  if (!pieces || arguments > MAX_ARGUMENTS || !lua_checkstack(L, arguments + LUA_MINSTACK)) {
    lua_pushvalue(L, OBSERVER);
    lua_insert(L, 1);
    return end_with(L, 0);
  }
  wax_lua_budget_add(L, (size_t)(pieces->before + pieces->after) * PIECE_COST);
  lua_pushvalue(L, PIECES);
  lua_pushcfunction(L, wax_proxy_record_advice_error);
  const advised_call call = {L, pieces, arguments};
  return run_from(&call, 0);
}

/* }================================================================== */

/* {==================================================================
** What lua/waxwing/advice.lua calls
** =================================================================== */

/* (observer, fail, go_on_before, go_on_after) -> function, without pieces yet */
int wax_proxy_make_runner(lua_State *L) {
  lua_settop(L, 4);
  lua_pushboolean(L, 0);
  lua_insert(L, 1);
  lua_pushcclosure(L, wax_proxy_run_pieces, 5);
  return 1;
}

/* [-0, +0, e]  Adds the pieces of the list at `index` to the userdata on top. */
static void add_pieces(lua_State *L, pieces *pieces, int index, int number) {
  int count = (int)lua_rawlen(L, index);
  for (int i = 1; i <= count; i++, number++) {
    lua_rawgeti(L, index, i);
    lua_getfield(L, -1, "own");
    lua_setiuservalue(L, -3, FUNCTIONS + number);
    lua_getfield(L, -1, "advice");
    pieces->advice[number] = wax_proxy_to_advice(L, -1);
    lua_pop(L, 2);
  }
}

/* (function, point, before, after, original): gives the function its pieces. */
int wax_proxy_arrange_pieces(lua_State *L) {
  size_t before = lua_rawlen(L, BEFORE + 1), after = lua_rawlen(L, AFTER + 1);
  size_t count = before + after;
  if (count > MAX_PIECES) {
    lua_pushboolean(L, 0);
  } else {
    pieces *pieces = lua_newuserdatauv(L, sizeof *pieces + count * sizeof *pieces->advice,
                                       FUNCTIONS - 1 + (int)count);
    pieces->before = (int)before;
    pieces->after = (int)after;
    lua_getfield(L, POINT + 1, "has_receiver");
    pieces->has_receiver = lua_toboolean(L, -1);
    lua_pop(L, 1);
    for (int i = POINT; i <= ORIGINAL; i++) {
      lua_pushvalue(L, i + 1);
      lua_setiuservalue(L, -2, i);
    }
    add_pieces(L, pieces, BEFORE + 1, 0);
    add_pieces(L, pieces, AFTER + 1, (int)before);
  }
  lua_setupvalue(L, 1, 1);
  return 0;
}

/* }================================================================== */
