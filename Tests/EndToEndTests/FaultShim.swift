// SPDX-License-Identifier: MIT

import Foundation
import WaxwingTestSupport

/// Lets system calls of a daemon fail, or kill it, at a moment that the test chooses: a library that is
/// loaded before the C library. It needs no permission to trace processes.
struct FaultShim {
  private let library: String
  private let orders: String

  /// Compiles the library into a folder.
  init(in folder: String) throws {
    library = "\(folder)/shim.so"
    orders = "\(folder)/orders"
    try Data(Self.source.utf8).write(to: URL(fileURLWithPath: "\(folder)/shim.c"))
    try happen(nil)
    let result = try Command(
      "clang", ["-shared", "-fPIC", "-O1", "-o", library, "\(folder)/shim.c", "-ldl"]
    ).run()
    guard result.isSuccess else { throw TestSupportError(result.standardError) }
  }

  var environment: [String: String] { ["LD_PRELOAD": library, "FAULT_ORDERS": orders] }

  enum Fault {
    /// The process is killed at this call from now, from 1.
    case kill(at: Int)
    /// This call fails.
    case fail(Int32, at: Int)
    /// All fail.
    case failAll(Int32)
  }

  /// From now on; nil: nothing.
  func happen(_ fault: Fault?) throws {
    let order =
      switch fault {
      case nil: "0 0"
      case .kill(let at): "-1 \(at)"
      case .fail(let number, let at): "\(number) \(at)"
      case .failAll(let number): "\(number) 0"
      }
    let new = orders + ".new"
    try Data(order.utf8).write(to: URL(fileURLWithPath: new))
    guard rename(new, orders) == 0 else { throw TestSupportError("rename: \(errno)") }
  }

  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <signal.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <stdarg.h>
    #include <string.h>
    #include <sys/stat.h>
    #include <unistd.h>

    static int fate(void) {
      static char last[64];
      static int count;
      char text[64] = {0};
      int file = open(getenv("FAULT_ORDERS"), O_RDONLY | O_CLOEXEC);
      if (file < 0) return 0;
      if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
      close(file);
      if (strcmp(text, last) != 0) {
        strcpy(last, text);
        count = 0;
      }
      int number = 0, at = 0;
      if (sscanf(text, "%d %d", &number, &at) != 2 || number == 0) return 0;
      count++;
      if (at != 0 && count != at) return 0;
      if (number < 0) {
        kill(getpid(), SIGKILL);
        for (;;) pause();
      }
      return number;
    }

    #define WRAP(name, parameters, arguments) \\
      int name parameters { \\
        static int (*real) parameters; \\
        if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name); \\
        int number = fate(); \\
        if (number != 0) { errno = number; return -1; } \\
        return real arguments; \\
      }
    WRAP(fdatasync, (int fd), (fd))
    WRAP(fsync, (int fd), (fd))
    WRAP(renameat, (int a, const char *b, int c, const char *d), (a, b, c, d))
    WRAP(linkat, (int a, const char *b, int c, const char *d, int e), (a, b, c, d, e))
    WRAP(unlinkat, (int a, const char *b, int c), (a, b, c))

    static int is_file(int fd) {
      struct stat status;
      return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    }

    // Of files alone: not of the control socket, nor of the daemon's own output, which is a pipe.
    #define WRAP_WRITE(name, parameters, arguments) \\
      ssize_t name parameters { \\
        static ssize_t (*real) parameters; \\
        if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name); \\
        int number = is_file(fd) ? fate() : 0; \\
        if (number != 0) { errno = number; return -1; } \\
        return real arguments; \\
      }
    WRAP_WRITE(write, (int fd, const void *b, size_t c), (fd, b, c))
    WRAP_WRITE(pwrite, (int fd, const void *b, size_t c, off_t o), (fd, b, c, o))

    int openat(int folder, const char *path, int flags, ...) {
      static int (*real)(int, const char *, int, ...);
      if (!real) *(void **)&real = dlsym(RTLD_NEXT, "openat");
      va_list list;
      va_start(list, flags);
      int mode = flags & O_CREAT ? va_arg(list, int) : 0;
      va_end(list);
      // Where a file is made that was not there: any other is there already.
      int number = flags & O_EXCL ? fate() : 0;
      if (number != 0) { errno = number; return -1; }
      return real(folder, path, flags, mode);
    }
    """
}
