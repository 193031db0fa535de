/* SPDX-License-Identifier: MIT
 *
 * What the self-check of the Swift ABI needs of C: see WaxwingSelfCheck and docs/abi.md.
 */
#ifndef WAX_ABI_SELF_CHECK_H
#define WAX_ABI_SELF_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copies memory that may not be there. False: it is not. */
bool wax_abi_memory_read(const void *from, void *into, size_t size);

/* The functions of the runtime that Waxwing calls, in the order of `index`; NULL behind the last.
 */
const char *wax_abi_function_name(size_t index);

/* Whether the dynamic linker finds a function of the runtime. True where the runtime is linked in:
 * then the linker has found it. */
bool wax_abi_has_function(const char *symbol);

/* (Int) -> Int in Swift: the complement. */
const void *wax_abi_replacement(void);

/* {== Async functions ====== */

/* What an async function that is called by Swift code finds. */
typedef struct wax_abi_async_record {
  bool was_called;
  uint64_t argument;
  /* The two words that its context begins with. */
  const void *parent;
  const void *resume;
  bool has_parent; /* it can be read */
  bool resumes;    /* `resume` is an address of code; else the function does not return */
} wax_abi_async_record;

/* Runs a function on a thread of its own, and waits for it. False: there is no thread. */
bool wax_abi_run_on_thread(void (*function)(void *), void *argument);

/* Whether two addresses are in one image. False if one is in none. */
bool wax_abi_in_one_image(const void *one, const void *other);

/* ====== }== */

#endif
