/* SPDX-License-Identifier: MIT */

/* The symbols that the images of this process define for one another. */

#ifndef WAX_PROCESS_SYMBOLS_H
#define WAX_PROCESS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The exported symbol that stands for exactly this address, NULL if none does. */
const char *wax_process_symbol_at(const void *address);

typedef struct wax_process_symbol {
  const char *name; /* the image's own */
  uint32_t length;
  bool is_function;
  bool is_private;   /* its object file alone names it */
  uintptr_t address; /* in this process */
  uint32_t size;
} wax_process_symbol;

/* The Swift symbols ("$s...") that the image at `base` defines for others, in the order of strcmp,
 * in memory for the caller to free; NULL: none, or no memory. Keep the image before. */
size_t wax_process_exported_symbols(uintptr_t base, wax_process_symbol **symbols);
/* Whether the image at `base` defines Swift symbols or uses any: what it says to the loader has
 * "$s". */
bool wax_process_image_is_swift(uintptr_t base);
/* Sorts symbols by their names, each `length` bytes and a zero; equal ones in the order of the
   names in memory. */
void wax_process_symbols_sort(wax_process_symbol *symbols, size_t count);

/* Whether a symbol may have a name as one of its parts, told without parsing it. `spelled` is the
 * name as symbols spell it, without its length. Words that have occurred before are letters behind
 * a 0, names with letters beyond ASCII stand behind two: such symbols may have any. */
bool wax_process_symbol_may_have(const void *symbol, size_t length, const void *spelled,
                                 size_t spelled_length);

/* Writes the addresses at which the functions on this thread's stack continue, innermost first.
   Returns how many it has written, at most `most`. */
int wax_process_return_addresses(uintptr_t *addresses, int most);

#endif
