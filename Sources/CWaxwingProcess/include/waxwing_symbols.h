/* SPDX-License-Identifier: MIT */

/* The symbols that the images of this process define for one another. */

#ifndef WAXWING_SYMBOLS_H
#define WAXWING_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The exported symbol that stands for exactly this address, NULL if none does. */
const char *waxwing_symbol_at(const void *address);

typedef struct waxwing_symbol {
  const char *name; /* the image's own */
  uint32_t length;
  bool is_function;
  uintptr_t address; /* in this process */
} waxwing_symbol;

/* The Swift symbols ("$s...") that the image at `base` defines for others, in the order of strcmp,
 * in memory for the caller to free; NULL: none, or no memory. Keep the image before. */
size_t waxwing_exported_symbols(uintptr_t base, waxwing_symbol **symbols);
/* By their names, each `length` bytes and a zero; equal ones in the order of the names in memory.
 */
void waxwing_symbols_sort(waxwing_symbol *symbols, size_t count);

#endif
