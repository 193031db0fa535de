/* SPDX-License-Identifier: MIT */

/* The images of this process. */

#define _GNU_SOURCE

#include <link.h>
#include <sys/auxv.h>

#include "wax_process_images.h"

typedef struct visit {
  wax_process_image_visitor visitor;
  void *context;
} visit;

static int forward(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  visit *request = data;
  request->visitor(request->context, info->dlpi_name, info->dlpi_addr);
  return 0;
}

void wax_process_for_each_image(wax_process_image_visitor visitor, void *context) {
  visit request = {visitor, context};
  dl_iterate_phdr(forward, &request);
}

const void *wax_process_program_headers(void) { return (const void *)getauxval(AT_PHDR); }
