/* SPDX-License-Identifier: MIT */

/* The files of this folder, as bytes of the program. */

#ifndef WAX_EMBEDDED_H
#define WAX_EMBEDDED_H

#include <stddef.h>

typedef struct wax_embedded_file {
  const char *name; /* its path below `lua`, without the extension */
  const unsigned char *bytes;
  size_t count;
} wax_embedded_file;

/* All of them; constants. */
const wax_embedded_file *wax_embedded_files(size_t *count);

#endif
