/* SPDX-License-Identifier: MIT */

/* The ELF images of this process: which there are, and when there are more. */

#ifndef WAXWING_IMAGES_H
#define WAXWING_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

typedef void (*waxwing_image_visitor)(void *context, const char *path, uintptr_t base);

/* Calls `visitor` for every ELF image of the process, the program itself first, with the address
 * that the linker added to those in its file. */
void waxwing_for_each_image(waxwing_image_visitor visitor, void *context);

/* How many images were ever loaded: whether another look at them would find new ones. */
uint64_t waxwing_images_added(void);

/* Called on a thread that has loaded images, before it can call anything in them. */
typedef void (*waxwing_images_watcher)(void);

/* From now on `watcher` is told of every image that is loaded with dlopen; NULL: nobody. False: it
 * cannot be, as the program has a dlopen of its own. */
bool waxwing_watch_images(waxwing_images_watcher watcher);

/* Lets a loaded image stay for good, whoever closes it. False: it is not loaded. */
bool waxwing_image_keep(const char *path);

/* Loads an image, with its symbols for all others to see. */
bool waxwing_image_load(const char *path);

/* The file that holds the code or data at `address`; NULL: none. */
const char *waxwing_image_path(const void *address);

/* Something in the program's own image: its program headers. */
const void *waxwing_program_headers(void);

/* The address by which the image that holds `address` is known; false: no image does. */
bool waxwing_image_base(uintptr_t address, uintptr_t *base);

#endif
