/* SPDX-License-Identifier: MIT */

/* The images of this process. */

#define _GNU_SOURCE

#include <link.h>
#include <sys/auxv.h>

#include "waxwing_images.h"

typedef struct visit {
  waxwing_image_visitor visitor;
  void *context;
} visit;

static int forward(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  visit *request = data;
  request->visitor(request->context, info->dlpi_name, info->dlpi_addr);
  return 0;
}

void waxwing_for_each_image(waxwing_image_visitor visitor, void *context) {
  visit request = {visitor, context};
  dl_iterate_phdr(forward, &request);
}

const void *waxwing_program_headers(void) { return (const void *)getauxval(AT_PHDR); }
