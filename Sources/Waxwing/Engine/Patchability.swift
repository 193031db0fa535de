// SPDX-License-Identifier: MIT

import CWaxwingRuntime
import WaxwingControl
import WaxwingInterception
import WaxwingReflection

/// Whether anything in this process can be overridden.
enum Patchability {
  /// Why nothing can be overridden; nil: something can.
  static var reason: String? { failure ?? program }

  /// What is missing on this machine, or in how the program was put together. No patch is applied.
  static let failure: String? = {
    guard waxwing_cpu_supported() else {
      return "functions can be overridden on x86_64 only; this process runs on another CPU"
    }
    let headers = waxwing_program_headers()
    if program == nil, let headers, !Lookup.reaches(headers) { return Lookup.reason(headers) }
    return nil
  }()

  /// Why none of the program's own functions can be: those of a library that is loaded later may be.
  private static let program: String? = {
    do throws(ElfError) {
      try PatchPointCatalog.check(try ElfImage(path: "/proc/self/exe"))
      return nil
    } catch {
      return error.message
    }
  }()
}

extension Engine {
  /// Looks whether the program can be patched, and says so if it cannot, without holding up its start.
  func checkPatchability() {
    let body: @Sendable () -> Void = { [log] in
      guard let reason = Patchability.reason else { return }
      log.write(.warning, "patching.impossible", "nothing can be patched here: \(reason)")
    }
    do throws(ControlError) {
      try ControlThread.start(name: "waxwing-check", stackSize: 1 << 20, body: body)
    } catch {
      body()
    }
  }
}
