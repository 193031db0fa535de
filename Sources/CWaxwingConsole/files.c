/* SPDX-License-Identifier: MIT */

#include "wax_console.h"

#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions" /* #embed */

/* Debian's package libjs-chart.js has the library that draws the curves. */
#if !__has_embed("/usr/share/javascript/chart.js/chart.min.js")
#error                                                                                             \
    "there is no /usr/share/javascript/chart.js/chart.min.js: install the package libjs-chart.js, or run scripts/setup"
#endif

static const uint8_t page[] = {
#embed "page/index.html"
};
static const uint8_t style[] = {
#embed "page/console.css"
};
static const uint8_t script[] = {
#embed "page/console.js"
};
static const uint8_t chart[] = {
#embed "/usr/share/javascript/chart.js/chart.min.js"
};

static const struct {
  const char *name;
  const uint8_t *bytes;
  size_t size;
} files[] = {
    {"index.html", page, sizeof page},
    {"console.css", style, sizeof style},
    {"console.js", script, sizeof script},
    {"chart.js", chart, sizeof chart},
};

const uint8_t *wax_console_file(const char *name, size_t *size) {
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    if (strcmp(files[i].name, name) == 0) {
      *size = files[i].size;
      return files[i].bytes;
    }
  }
  *size = 0;
  return NULL;
}
