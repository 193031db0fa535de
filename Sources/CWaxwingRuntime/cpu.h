/* SPDX-License-Identifier: MIT */

/* The contract with a CPU: what the machine code of a port provides, what it calls, and how both
 * sides lay out what they share. x86_64.S is the only port; unsupported.c stands in elsewhere. Read
 * by C and assembly.
 *
 *   stub          one a slot; saves the registers in a frame, calls waxwing_dispatch, then returns
 *                 to the caller or jumps to what it is told
 *   invoker       waxwing_invoke: the other way round, registers from a frame
 *   async stub    one a slot, behind its async function pointer; puts a frame into its context,
 *                 calls waxwing_async_arrive and drives the activity that it is given
 *   driver        waxwing_drive: steps an activity, and calls, or goes to, what it waits for
 *   closure stubs one for all closures: waxwing_closure_called, waxwing_async_closure_arrive
 *
 * A port keeps every register that its calling convention lets a function see: see
 * waxwing_frame.h for what is in a frame. */

#ifndef WAXWING_CPU_H
#define WAXWING_CPU_H

#include "waxwing_frame.h"

#if defined(__x86_64__) && defined(__linux__)
#define WAXWING_CPU_SUPPORTED 1
#else
#define WAXWING_CPU_SUPPORTED 0
#endif

/* One stub and one slot per patch point that was ever overridden in this process. */
#define WAXWING_SLOT_CAPACITY 4096
#define WAXWING_SLOT_SIZE 64
#define WAXWING_STUB_SIZE 16
#define WAXWING_ASYNC_STUB_SIZE 32

/* Offsets: frame.c and async.c assert that C has them there, too. */

#define WAXWING_WAIT_FUNCTION 0
#define WAXWING_WAIT_MARKED 8
#define WAXWING_WAIT_FRAME 16
#define WAXWING_WAIT_STACK_BYTES 24
#define WAXWING_WAIT_EXECUTOR 32

#define WAXWING_ACTIVITY_STEP 0
#define WAXWING_ACTIVITY_RESULTS 8
#define WAXWING_ACTIVITY_HAS_HOME 16
#define WAXWING_ACTIVITY_HOME 24

/* Of a context of ours, after its parent and its resume function. */
#define WAXWING_CONTEXT_ACTIVITY 16
#define WAXWING_CONTEXT_WAIT 24
#define WAXWING_CONTEXT_CHILD 32
#define WAXWING_CONTEXT_ARRIVAL 48
#define WAXWING_DRIVE_CONTEXT_SIZE 48
#define WAXWING_STUB_CONTEXT_SIZE 656

#define WAXWING_ARRIVAL_STACK_BYTES 320

#ifndef __ASSEMBLER__

#include "waxwing_async.h"
#include "waxwing_runtime.h"

#define WAXWING_HIDDEN __attribute__((visibility("hidden")))

/* {== What a port provides, besides waxwing_invoke ====== */

#if WAXWING_CPU_SUPPORTED
extern const char waxwing_stubs[] WAXWING_HIDDEN;
extern const char waxwing_async_stubs[] WAXWING_HIDDEN;
void waxwing_closure_stub(void) WAXWING_HIDDEN;

/* Async function pointers. */
extern const uint64_t waxwing_driveTu[];
extern const uint64_t waxwing_async_closure_stub_pointer[] WAXWING_HIDDEN;
#endif

/* ====== }== */

/* {== What it calls ====== */

/* In the context of an async stub, from WAXWING_CONTEXT_ARRIVAL on: the frame comes first. */
struct waxwing_arrival;

/* NULL: the results are in the frame. Else the call is no override's: load the argument registers
 * from the frame again and jump to what is returned. */
const void *waxwing_dispatch(waxwing_slot *, waxwing_frame *) WAXWING_HIDDEN;

void waxwing_closure_called(waxwing_frame *) WAXWING_HIDDEN;

/* `stack` is where the stack arguments are. Returns what is to be driven. */
waxwing_activity *waxwing_async_arrive(waxwing_slot *, struct waxwing_arrival *,
                                       uint64_t *stack) WAXWING_HIDDEN;
waxwing_activity *waxwing_async_closure_arrive(struct waxwing_arrival *,
                                               uint64_t *stack) WAXWING_HIDDEN;

/* ====== }== */

/* {== What it writes ====== */

/* The replacement entry of the function that this thread calls next past its replacement; NULL:
 * none: see lookup.c. initial-exec: one instruction, in a shared library too. */
extern _Thread_local const void *waxwing_mark
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* ====== }== */

#endif
#endif
