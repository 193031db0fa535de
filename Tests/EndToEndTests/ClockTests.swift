// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingTestSupport

/// A daemon whose clock is wrong.
@Suite struct ClockTests {
  let stage: SignedStage
  let shim: ClockShim

  init() throws {
    stage = try SignedStage()
    shim = try ClockShim(in: stage.path)
  }

  private static let hour = 3600
  private static let year = 365 * 86_400

  private func moment(in seconds: Int) -> String {
    let formatter = ISO8601DateFormatter()
    return formatter.string(from: Date(timeIntervalSinceNow: Double(seconds)))
  }

  private func expectKept(
    _ process: RunningProcess, isLive: Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let boot = try stage.waxwing("boot").standardOutput
    #expect(boot.contains("kept: fees"), "\(boot)", sourceLocation: sourceLocation)
    #expect(boot.contains("expired") == !isLive, "\(boot)", sourceLocation: sourceLocation)
  }

  @Test func `a clock that is set back brings back nothing that has expired, over a restart`()
    throws
  {
    let expires = "expires = \"\(moment(in: 24 * Self.hour))\""
    try stage.sign(serial: 1, to: "fees.lua", by: "key", expires)
    var daemon = try stage.start(shim.environment)
    let applied = try stage.waxwing("apply", "fees.lua", "--keep")
    #expect(applied.isSuccess, "\(applied)")
    try stage.stop(daemon)

    // Two days later it has expired, and another patch is applied.
    try shim.shift(48 * Self.hour)
    daemon = try stage.start(shim.environment)
    try expectKept(daemon, isLive: false)
    try stage.sign(serial: 2, to: "other.lua")
    #expect(try stage.waxwing("apply", "other.lua").isSuccess)
    try stage.stop(daemon)

    // A machine whose clock starts in 1970, and one whose clock was set back by two days.
    for seconds in [-Int(Date().timeIntervalSince1970), 0] {
      try shim.shift(seconds)
      daemon = try stage.start(shim.environment)
      try expectKept(daemon, isLive: false)
      let refused = try stage.waxwing("apply", "fees.lua")
      #expect(refused.standardError.contains("the patch expired"), "\(refused)")
      try stage.stop(daemon)
    }
  }

  @Test func `a leap of more than ten years is not believed, a shorter one is`() throws {
    let expires = "expires = \"\(moment(in: Self.year))\""
    try stage.sign(serial: 1, to: "fees.lua", by: "key", expires)
    var daemon = try stage.start(shim.environment)
    #expect(try stage.waxwing("apply", "fees.lua", "--keep").isSuccess)
    try stage.stop(daemon)
    try shim.shift(11 * Self.year)
    daemon = try stage.start(shim.environment)
    try expectKept(daemon, isLive: true)
    try stage.stop(daemon)
    try shim.shift(9 * Self.year)
    daemon = try stage.start(shim.environment)
    try expectKept(daemon, isLive: false)
    try stage.stop(daemon)
    // Nobody has confirmed it by applying anything: the clock is put right, and all is well.
    try shim.shift(0)
    daemon = try stage.start(shim.environment)
    try expectKept(daemon, isLive: true)
    try stage.stop(daemon)
  }

  @Test(arguments: [-2 * 86_400, 2 * 86_400])
  func `a clock that is set while patches run changes neither trials nor limits`(seconds: Int)
    throws
  {
    try stage.sign(serial: 1, to: "fees.lua")
    let daemon = try stage.start(shim.environment)
    #expect(try stage.waxwing("apply", "fees.lua", "--trial", "1h").isSuccess)
    try shim.shift(seconds)
    // Not ended by the leap, and a call is within its time.
    #expect(try stage.waxwing("list").standardOutput.contains("active, trial"))
    #expect(try stage.waxwing("confirm").isSuccess)
    try stage.sign(serial: 2, to: "other.lua")
    #expect(try stage.waxwing("apply", "other.lua", "--trial", "2s").isSuccess)
    try shim.shift(-seconds)
    let ended = try stage.record("trial.ended")
    #expect((ended["patches"] as? [[String: Any]])?.first?["name"] as? String == "other")
    #expect(try stage.waxwing("list").standardOutput.contains("fees"))
    try stage.stop(daemon)
  }
}

/// Shifts the time of day of a daemon, as libfaketime does: a library that is loaded before the C
/// library. Its monotonic clock stays.
struct ClockShim {
  private let library: String
  private let orders: String

  /// Compiles the library into a folder.
  init(in folder: String) throws {
    library = "\(folder)/clock.so"
    orders = "\(folder)/shift"
    try Data(Self.source.utf8).write(to: URL(fileURLWithPath: "\(folder)/clock.c"))
    try shift(0)
    let result = try Command(
      "clang", ["-shared", "-fPIC", "-O1", "-o", library, "\(folder)/clock.c", "-ldl"]
    ).run()
    guard result.isSuccess else { throw TestSupportError(result.standardError) }
  }

  var environment: [String: String] { ["LD_PRELOAD": library, "CLOCK_SHIFT": orders] }

  /// The daemon's time of day from now on: so many seconds from the right one.
  func shift(_ seconds: Int) throws {
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
