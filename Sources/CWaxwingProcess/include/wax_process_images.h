/* SPDX-License-Identifier: MIT */

/* The ELF images of this process: which there are, and when there are more. */

#ifndef WAX_PROCESS_IMAGES_H
#define WAX_PROCESS_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void (*wax_process_image_visitor)(void *context, const char *path, uintptr_t base);

/* Calls `visitor` for every ELF image of the process, the program itself first, with the address
 * that the linker added to those in its file. */
void wax_process_for_each_image(wax_process_image_visitor visitor, void *context);

/* The number of images that were ever loaded, which tells whether another look would find new ones.
 */
uint64_t wax_process_images_added(void);

/* Called on a thread that has loaded images, before it can call anything in them. */
typedef void (*wax_process_images_watcher)(void);

/* From now on `watcher` is told of every image that is loaded with dlopen; NULL: nobody. False: it
 * cannot be, as the program has a dlopen of its own. */
bool wax_process_watch_images(wax_process_images_watcher watcher);

/* Lets a loaded image stay for good, whoever closes it. False: it is not loaded. */
bool wax_process_image_keep(const char *path);

/* Loads an image, with its symbols for all others to see. */
bool wax_process_image_load(const char *path);

/* The file that holds the code or data at `address`; NULL: none. */
const char *wax_process_image_path(const void *address);

/* Something in the program's own image: its program headers. */
const void *wax_process_program_headers(void);

/* The address by which the image that holds `address` is known; false: no image does. */
bool wax_process_image_base(uintptr_t address, uintptr_t *base);

/* A place in machine code that may refer to an address: on x86_64 the last four of an instruction's
 * bytes, which hold the distance to it. */
typedef struct wax_process_reference {
  uintptr_t place;
  uintptr_t target;
} wax_process_reference;

/* Finds all places in the code of the image at `base` that may refer to one of the addresses, which
 * are sorted. Writes the first `most` of them in the order of their places, and returns how many
 * there are. */
size_t wax_process_references(uintptr_t base, const uintptr_t *targets, size_t count,
                              wax_process_reference *found, size_t most);

/* Which of the addresses, which are sorted, are words in the data of the image at `base`: in a
 * table of functions, in metadata, in what the program has written itself. */
void wax_process_words_in_data(uintptr_t base, const uintptr_t *targets, size_t count,
                               bool *is_there);

#endif
