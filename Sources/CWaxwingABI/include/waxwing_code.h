/* SPDX-License-Identifier: MIT
 *
 * What machine code calls, for those who read it.
 */
#ifndef WAXWING_CODE_H
#define WAXWING_CODE_H

/* Where a jump or call to this address ends: the address itself, unless the linker has put there a
   jump through a table of addresses, to a function of another image. Of a function that the program
   has not called yet that table knows no more than its name: it is looked up. The address must be
   one of code. */
const void *waxwing_code_target(const void *code);

/* The runtime's functions, as jumps and calls reach them: Concurrency/Task.h, HeapObject.h, Once.h
 */
const void *waxwing_task_switch(void);
const void *waxwing_retain(void);
const void *waxwing_once(void);

#endif
