/* SPDX-License-Identifier: MIT
 *
 * The instructions of Lua 5.4 that somebody here looks at.
 */
#ifndef WAX_LUA_OPCODES_H
#define WAX_LUA_OPCODES_H

/* lopcodes.h. */
enum {
  OP_MOVE = 0,
  OP_LOADI = 1,
  OP_LOADF = 2,
  OP_LOADK = 3,
  OP_LOADFALSE = 5,
  OP_LFALSESKIP = 6,
  OP_LOADTRUE = 7,
  OP_LOADNIL = 8,
  OP_GETUPVAL = 9,
  OP_SETUPVAL = 10,
  OP_GETTABUP = 11,
  OP_GETTABLE = 12,
  OP_GETI = 13,
  OP_GETFIELD = 14,
  OP_SETTABUP = 15,
  OP_SETTABLE = 16,
  OP_SETI = 17,
  OP_SETFIELD = 18,
  OP_NEWTABLE = 19,
  OP_SELF = 20,
  OP_ADDI = 21, /* the first that calculates … */
  OP_SHLI = 33, /* … with a constant; … */
  OP_ADD = 34,
  OP_SHR = 45, /* … the last */
  OP_MMBIN = 46,
  OP_MMBINI = 47,
  OP_MMBINK = 48,
  OP_UNM = 49,
  OP_BNOT = 50,
  OP_NOT = 51,
  OP_LEN = 52,
  OP_CONCAT = 53,
  OP_CLOSE = 54,
  OP_TBC = 55,
  OP_JMP = 56,
  OP_EQ = 57,
  OP_LT = 58,
  OP_LE = 59,
  OP_EQK = 60,
  OP_EQI = 61,
  OP_TEST = 66,
  OP_TESTSET = 67,
  OP_CALL = 68,
  OP_TAILCALL = 69,
  OP_RETURN = 70,
  OP_RETURN0 = 71,
  OP_RETURN1 = 72,
  OP_FORLOOP = 73,
  OP_FORPREP = 74,
  OP_TFORPREP = 75,
  OP_TFORCALL = 76,
  OP_TFORLOOP = 77,
  OP_SETLIST = 78,
  OP_CLOSURE = 79,
  OP_VARARG = 80,
  OP_VARARGPREP = 81,
  OP_EXTRAARG = 82
};

#endif
