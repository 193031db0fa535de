/* SPDX-License-Identifier: MIT
 *
 * What machine code calls, for those who read it.
 */
#ifndef WAX_ABI_CODE_H
#define WAX_ABI_CODE_H

/* Where a jump or call to this address ends: the address itself, unless the linker has put there a
   jump through a table of addresses, to a function of another image. Of a function that the program
   has not called yet that table knows no more than its name: it is looked up. The address must be
   one of code. */
const void *wax_abi_code_target(const void *code);

/* The runtime's functions, as jumps and calls reach them: Concurrency/Task.h, HeapObject.h, Once.h
 */
const void *wax_abi_task_switch_function(void);
const void *wax_abi_retain_function(void);
const void *wax_abi_once_function(void);

#endif
