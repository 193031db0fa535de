// SPDX-License-Identifier: MIT

import Foundation

/// Shifts the time of day of a daemon, as libfaketime does: a library that is loaded before the C
/// library. Its monotonic clock stays.
package struct ClockShim {
  private let library: String
  private let orders: String

  /// Compiles the library into a folder.
  package init(in folder: String) throws {
    library = "\(folder)/clock.so"
    orders = "\(folder)/shift"
    try Data(Self.source.utf8).write(to: URL(fileURLWithPath: "\(folder)/clock.c"))
    try shift(0)
    let result = try Command(
      "clang", ["-shared", "-fPIC", "-O1", "-o", library, "\(folder)/clock.c", "-ldl"]
    ).run()
    guard result.isSuccess else { throw TestSupportError(result.standardError) }
  }

  /// What the daemon is started with.
  package var environment: [String: String] { ["LD_PRELOAD": library, "CLOCK_SHIFT": orders] }

  /// The daemon's time of day from now on: so many seconds from the right one.
  package func shift(_ seconds: Int) throws {
    let new = orders + ".new"
    try Data("\(seconds)".utf8).write(to: URL(fileURLWithPath: new))
    guard rename(new, orders) == 0 else { throw TestSupportError("rename: \(errno)") }
  }

  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <fcntl.h>
    #include <stdlib.h>
    #include <sys/time.h>
    #include <time.h>
    #include <unistd.h>

    static long shift(void) {
      char text[32] = {0};
      int file = open(getenv("CLOCK_SHIFT"), O_RDONLY | O_CLOEXEC);
      if (file < 0) return 0;
      if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
      close(file);
      return atol(text);
    }

    int clock_gettime(clockid_t clock, struct timespec *result) {
      static int (*real)(clockid_t, struct timespec *);
      if (!real) *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
      int status = real(clock, result);
      if (status == 0 && clock == CLOCK_REALTIME) result->tv_sec += shift();
      return status;
    }

    time_t time(time_t *result) {
      struct timespec now;
      if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
      if (result) *result = now.tv_sec;
      return now.tv_sec;
    }

    int gettimeofday(struct timeval *restrict result, void *restrict zone) {
      struct timespec now;
      (void)zone;
      if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
      result->tv_sec = now.tv_sec;
      result->tv_usec = now.tv_nsec / 1000;
      return 0;
    }
    """
}
