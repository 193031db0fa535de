/* SPDX-License-Identifier: MIT
 *
 * Lua 5.4 for Swift. No function declared here raises a Lua error or lets one pass: what may
 * raise runs inside lua_pcall, and Swift callbacks return a status that C turns into an error
 * after the Swift frame has gone.
 */
#ifndef WAXWING_LUA_H
#define WAXWING_LUA_H

#include "waxwing_values.h"
#include "waxwing_state.h"
#include "waxwing_call.h"
#include "waxwing_references.h"
#include "waxwing_interrupt.h"
#include "waxwing_lock.h"

#endif
