// SPDX-License-Identifier: MIT

internal import Glibc
internal import WaxwingPatches

/// The error with which the store of kept patches refuses or fails a request. Nothing was changed,
/// unless it says so.
package struct StoreError: Error, Hashable, Sendable {
  /// The kind of failure.
  package let code: Code

  /// The step that failed: `write`, `rename`, …; empty if no system call failed.
  package let step: String

  /// The file or folder at fault.
  let path: String

  /// The system's reason; 0 for none.
  package let number: Int32

  /// The error in one sentence, with the path.
  package let message: String

  /// The remedy in one sentence.
  package let remedy: String

  /// Creates an error.
  package init(
    _ code: Code, step: String = "", path: String, number: Int32 = 0, message: String,
    remedy: String
  ) {
    self.code = code
    self.step = step
    self.path = path
    self.number = number
    self.message = message
    self.remedy = remedy
  }
}

extension StoreError {
  /// The kinds of failure; more may be added.
  package enum Code: String, Sendable {
    /// There is no room left.
    case full
    /// This user may not write there, or other users could have.
    case unsafe
    /// Another process uses the store.
    case locked
    /// A newer engine wrote it.
    case newer
    /// The content is not what was written.
    case damaged
    /// A system call failed for another reason.
    case system
  }

  /// A failed system call.
  static func failed(_ step: StoreStep, _ path: String, _ number: Int32) -> StoreError {
    let reason = unsafe String(cString: strerror(number))
    return StoreError(
      code(of: number), step: step.rawValue, path: path, number: number,
      message: "the store cannot \(step.words) \(path): \(reason)",
      remedy: remedy(for: number, path))
  }

  static func tooLarge(_ folder: String) -> StoreError {
    StoreError(
      .full, path: "\(folder)/state",
      message: "\(folder)/state would have more than \(PatchSizes.text(StoreSizes.document))",
      remedy: "merge patches, or `waxwing revert` some; `waxwing boot drop` forgets old ones"
    )
  }

  private static func code(of number: Int32) -> Code {
    switch number {
    case ENOSPC, EDQUOT, EFBIG: .full
    case EACCES, EPERM, EROFS, ELOOP: .unsafe
    default: .system
    }
  }

  private static func remedy(for number: Int32, _ path: String) -> String {
    switch number {
    case ENOSPC, EDQUOT: "make room on the disk of \(path), then try again"
    case EFBIG: "raise the limit on file sizes of the program (ulimit -f)"
    case EROFS: "make its file system writable, or set WAXWING_STATE_DIR to a folder that is"
    case EACCES, EPERM:
      "make it writable for the program's user, or set WAXWING_STATE_DIR to a folder of its own"
    case ELOOP: "put the folder or file itself there, not a link to it"
    case EIO: "check the disk (`dmesg`): what it reports about written data cannot be trusted now"
    case EMFILE, ENFILE: "the program has too many files open; raise its limit (ulimit -n)"
    default: "check the folder and its disk"
    }
  }
}

extension StoreError: CustomStringConvertible {
  /// The message and the remedy in one line.
  package var description: String { "\(message); \(remedy)" }
}
