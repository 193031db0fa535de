/* SPDX-License-Identifier: MIT */

#include "wax_process_program_file.h"

#include <stddef.h>
#include <sys/stat.h>
#include <sys/xattr.h>

bool wax_process_file_gives_rights(const char *path) {
  struct stat status;
  if (stat(path, &status) == 0 && (status.st_mode & (S_ISUID | S_ISGID)) != 0) return true;
  return getxattr(path, "security.capability", NULL, 0) > 0;
}
