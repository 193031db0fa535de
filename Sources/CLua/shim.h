/* SPDX-License-Identifier: MIT */
#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>
