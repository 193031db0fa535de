// SPDX-License-Identifier: MIT

import CWaxwingRuntime
import Glibc

extension InterceptionError {
  /// Why the code of a function cannot be an entry, or was not written.
  init(ofCode claim: wax_runtime_claim, _ details: wax_runtime_claim_details) {
    switch claim {
    case WAX_RUNTIME_CLAIM_NO_CODE:
      self.init(
        .foreignCode,
        "the function is not in the code of a loaded image; apply the patch when its library is loaded"
      )
    case WAX_RUNTIME_CLAIM_CODE_FILE:
      self.init(
        .foreignCode,
        "the file that holds the function's code cannot be read (\(Self.text(details))), so that nothing "
          + "tells whether the code is as it was compiled; put the file back, or restart the program"
      )
    case WAX_RUNTIME_CLAIM_CODE_BREAKPOINT:
      self.init(
        .foreignCode,
        "a debugger or a probe has a breakpoint at the beginning of the function; remove it, and apply the "
          + "patch again")
    case WAX_RUNTIME_CLAIM_CODE_CHANGED:
      self.init(
        .foreignCode,
        "the first instructions of the function are not those of its file: another tool has changed them, or "
          + "the file was replaced; stop that tool, or restart the program")
    case WAX_RUNTIME_CLAIM_CODE_SHORT, WAX_RUNTIME_CLAIM_CODE_INSTRUCTION,
      WAX_RUNTIME_CLAIM_CODE_LOOP:
      self.init(.unsuitedCode, Self.shape(claim) + "; override a function that calls it instead")
    default:
      self.init(unwritable: claim, details)
    }
  }

  /// What of a function's machine code is in the way.
  private static func shape(_ claim: wax_runtime_claim) -> String {
    switch claim {
    case WAX_RUNTIME_CLAIM_CODE_SHORT:
      "the function is shorter than a jump, and there is no room behind it"
    case WAX_RUNTIME_CLAIM_CODE_LOOP: "the function branches back to its first instructions"
    default: "the function has an instruction that Waxwing does not know, or cannot move elsewhere"
    }
  }

  private init(unwritable claim: wax_runtime_claim, _ details: wax_runtime_claim_details) {
    switch claim {
    case WAX_RUNTIME_CLAIM_CODE_SIGNAL_BLOCKED:
      self.init(
        .unwritableCode,
        "thread \(details.thread) (\(Self.name(details))) blocks SIGILL, and the kernel would end the program if "
          + "it ran into code that is being changed; leave SIGILL out of what that thread blocks")
    case WAX_RUNTIME_CLAIM_CODE_THREADS:
      self.init(
        .unwritableCode,
        "the program's threads cannot be seen in /proc/self/task (\(Self.text(details))); let the program see "
          + "its own /proc")
    case WAX_RUNTIME_CLAIM_CODE_NO_BARRIER:
      self.init(
        .unwritableCode,
        "the kernel has no membarrier for code, or a filter of system calls forbids it (\(Self.text(details))); "
          + "allow membarrier(2)")
    default:
      self.init(
        .unwritableCode,
        "the program cannot write its own code (\(Self.text(details))): neither /proc/self/mem nor an executable "
          + "mapping of a file in memory is allowed; relax the kernel's or the sandbox's policy")
    }
  }

  private static func text(_ details: wax_runtime_claim_details) -> String {
    String(cString: strerror(details.error_number))
  }

  private static func name(_ details: wax_runtime_claim_details) -> String {
    withUnsafeBytes(of: details.thread_name) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
