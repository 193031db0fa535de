/* SPDX-License-Identifier: MIT
 *
 * What machine code calls, for those who read it.
 */
#ifndef WAX_ABI_CODE_H
#define WAX_ABI_CODE_H

#include <stdbool.h>

/* The target of a jump or call to this address: the address itself, unless the linker has put there
   a jump through a table of addresses, to a function of another image. For a function that the
   program has not called yet, that table knows only the name, which is looked up. The address must
   be one of code. */
const void *wax_abi_code_target(const void *code);

/* The runtime's functions, as jumps and calls reach them: Concurrency/Task.h, HeapObject.h, Once.h
 */
const void *wax_abi_task_switch_function(void);
const void *wax_abi_retain_function(void);
const void *wax_abi_once_function(void);

/* Whether this is where the standard library reports an initializer that a class does not have, and
 * ends the program: stubs/Assert.cpp */
bool wax_abi_reports_missing_initializer(const void *code);

/* Whether this is where a function ends the program that the optimiser has removed:
 * swift_deletedMethodError */
bool wax_abi_reports_removed_function(const void *code);

/* The function of this name that an image exports, the first that the dynamic linker finds; NULL:
 * none does. */
const void *wax_abi_exported_function(const char *name);

/* Whether the code is the function of Swift's runtime that casts a value. */
bool wax_abi_is_dynamic_cast(const void *code);

#endif
