/* SPDX-License-Identifier: MIT
 *
 * Lua 5.4 for Swift. No function declared here raises a Lua error or lets one pass: what may
 * raise runs inside lua_pcall, and Swift callbacks return a status that C turns into an error
 * after the Swift frame has gone.
 */
#ifndef WAX_LUA_H
#define WAX_LUA_H

#include "wax_lua_values.h"
#include "wax_lua_lent.h"
#include "wax_lua_state.h"
#include "wax_lua_call.h"
#include "wax_lua_debug.h"
#include "wax_lua_references.h"
#include "wax_lua_interrupt.h"
#include "wax_lua_syntax.h"
#include "wax_lua_lock.h"
#include "wax_lua_operand.h"

#endif
