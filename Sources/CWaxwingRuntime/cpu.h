/* SPDX-License-Identifier: MIT */

/* The contract with a CPU: what the machine code of a port provides, what it calls, and how both
 * sides lay out what they share. x86_64.S is the only port; unsupported.c stands in elsewhere. Read
 * by C and assembly.
 *
 *   stub           one a slot; saves the registers in a frame, calls wax_runtime_dispatch, then
 *                  returns to the caller or jumps to what it is told
 *   invoker        wax_runtime_invoke: the other way round, registers from a frame
 *   async stub     one a slot, behind its async function pointer; puts a frame into its context,
 *                  calls wax_runtime_async_arrive and drives the resumable call that it is given
 *   driver         wax_runtime_drive: steps a resumable call, and calls, or goes to, what it
 *                  waits for
 *   closure stubs  one for all closures that are not async, which calls
 *                  wax_runtime_closure_called, and one for all that are, which calls
 *                  wax_runtime_async_closure_arrive
 *
 * A port keeps every register that its calling convention lets a function see: see
 * wax_runtime_frame.h for what is in a frame. */

#ifndef CPU_H
#define CPU_H

#include "wax_runtime_frame.h"

#if defined(__x86_64__) && defined(__linux__)
#define WAX_RUNTIME_CPU_SUPPORTED 1
#else
#define WAX_RUNTIME_CPU_SUPPORTED 0
#endif

/* One stub and one slot per patch point that was ever overridden in this process. */
#define WAX_RUNTIME_SLOT_CAPACITY 16384
#define WAX_RUNTIME_SLOT_SIZE 64
#define WAX_RUNTIME_STUB_SIZE 16
#define WAX_RUNTIME_ASYNC_STUB_SIZE 32

/* Offsets: frame.c and async.c assert that C has them there, too. */

#define WAX_RUNTIME_SUSPENSION_FUNCTION 0
#define WAX_RUNTIME_SUSPENSION_MARKED 8
#define WAX_RUNTIME_SUSPENSION_FRAME 16
#define WAX_RUNTIME_SUSPENSION_STACK_BYTES 24
#define WAX_RUNTIME_SUSPENSION_EXECUTOR 32

#define WAX_RUNTIME_RESUMABLE_CALL_STEP 0
#define WAX_RUNTIME_RESUMABLE_CALL_RESULTS 8
#define WAX_RUNTIME_RESUMABLE_CALL_HAS_HOME 16
#define WAX_RUNTIME_RESUMABLE_CALL_HOME 24

/* The offsets in a context of ours, after its parent and its resume function. */
#define WAX_RUNTIME_CONTEXT_RESUMABLE_CALL 16
#define WAX_RUNTIME_CONTEXT_SUSPENSION 24
#define WAX_RUNTIME_CONTEXT_CHILD 32
#define WAX_RUNTIME_CONTEXT_ARRIVAL 48
#define WAX_RUNTIME_DRIVE_CONTEXT_SIZE 48
#define WAX_RUNTIME_STUB_CONTEXT_SIZE 672

#define WAX_RUNTIME_ARRIVAL_STACK_BYTES 320

/* Code that is mapped near async function pointers, and the data behind it. */
#define WAX_RUNTIME_ISLAND_SIZE 16
#define WAX_RUNTIME_ISLAND_PAGE 4096

#ifndef __ASSEMBLER__

#include "wax_runtime_async.h"
#include "wax_runtime.h"

#define WAX_RUNTIME_HIDDEN __attribute__((visibility("hidden")))

/* {== What a port provides, besides wax_runtime_invoke ====== */

#if WAX_RUNTIME_CPU_SUPPORTED
/* Whether a word of an entry is the stub of a slot. */
bool wax_runtime_is_stub(const void *word) WAX_RUNTIME_HIDDEN;

extern const char wax_runtime_stubs[] WAX_RUNTIME_HIDDEN;
extern const char wax_runtime_async_stubs[] WAX_RUNTIME_HIDDEN;
void wax_runtime_closure_stub(void) WAX_RUNTIME_HIDDEN;
/* A page of islands, and where all of them lead: see async_islands.c. */
extern const char wax_runtime_islands[] WAX_RUNTIME_HIDDEN;
void wax_runtime_async_island_common(void) WAX_RUNTIME_HIDDEN;
/* Behind the code of wax_runtime_invoke. */
extern const char wax_runtime_invoke_end[] WAX_RUNTIME_HIDDEN;

/* Async function pointers. */
extern const uint64_t wax_runtime_driveTu[];
extern const uint64_t wax_runtime_async_closure_stub_pointer[] WAX_RUNTIME_HIDDEN;
#endif

/* ====== }== */

/* {== What it calls ====== */

/* The arrival in the context of an async stub, from WAX_RUNTIME_CONTEXT_ARRIVAL on: the frame comes
   first. */
struct wax_runtime_arrival;

/* NULL: the results are in the frame. Else the call is no override's: load the argument registers
 * from the frame again and jump to what is returned. */
const void *wax_runtime_dispatch(wax_runtime_slot *, wax_runtime_frame *) WAX_RUNTIME_HIDDEN;

void wax_runtime_closure_called(wax_runtime_frame *) WAX_RUNTIME_HIDDEN;

/* `stack` is where the stack arguments are. Returns what is to be driven. */
wax_runtime_resumable_call *wax_runtime_async_arrive(wax_runtime_slot *,
                                                     struct wax_runtime_arrival *,
                                                     uint64_t *stack) WAX_RUNTIME_HIDDEN;
wax_runtime_resumable_call *wax_runtime_async_closure_arrive(struct wax_runtime_arrival *,
                                                             uint64_t *stack) WAX_RUNTIME_HIDDEN;

/* ====== }== */

/* {== What it writes ====== */

/* The replacement entry of the function that this thread calls next past its replacement; NULL:
 * none: see lookup.c. initial-exec: one instruction, in a shared library too. */
extern _Thread_local const void *wax_runtime_lookup_mark
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* ====== }== */

#endif
#endif
