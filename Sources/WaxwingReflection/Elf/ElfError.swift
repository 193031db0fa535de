// SPDX-License-Identifier: MIT

/// Why an ELF image could not be used, and what to do about it.
package struct ElfError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error, for code that depends on it.
  package struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case notFound, unreadable, empty, notElf, truncated, unsupported, stripped, noPatchPoints
    }

    private let value: Value

    /// There is no file at the path.
    static let notFound = Code(value: .notFound)
    /// The file exists but could not be read; `ElfError.systemError` has the errno.
    static let unreadable = Code(value: .unreadable)
    /// The file has no bytes.
    static let empty = Code(value: .empty)
    /// The file is something other than an ELF image.
    static let notElf = Code(value: .notElf)
    /// A part that the image refers to lies outside the file.
    static let truncated = Code(value: .truncated)
    /// The image is 32-bit or big-endian.
    static let unsupported = Code(value: .unsupported)
    /// The image has no symbols that name its patch points.
    static let stripped = Code(value: .stripped)
    /// The image has symbols, but no function of it is dynamic.
    static let noPatchPoints = Code(value: .noPatchPoints)
  }

  /// The kind of failure.
  let code: Code
  /// Whether the file can be read and only has no function that is dynamic.
  package var isLackOfPatchPoints: Bool { code == .noPatchPoints }
  /// What is wrong with the file.
  package let problem: String
  /// What to do about it.
  package let remedy: String
  /// The errno of the failed system call, 0 if none failed.
  let systemError: Int32

  init(_ code: Code, _ problem: String, remedy: String, systemError: Int32 = 0) {
    self.code = code
    self.problem = problem
    self.remedy = remedy
    self.systemError = systemError
  }

  /// The problem and the remedy in one sentence.
  package var message: String { "\(problem); \(remedy)" }

  package var description: String { message }
}

extension ElfError {
  static func truncated(_ part: String) -> ElfError {
    ElfError(
      .truncated,
      "the ELF image is truncated or damaged: \(part) lies outside the file",
      remedy: "build or copy it again")
  }

  static let unnamedPatchPoints = ElfError(
    .stripped,
    "the image is stripped: it has no .symtab, and its .dynsym names no patch points",
    remedy: "use the unstripped build")

  static let withoutPatchPoints = ElfError(
    .noPatchPoints,
    "the image has no patch points: no module of it was compiled with implicit dynamic",
    remedy: implicitDynamic)

  /// Nothing can be overridden, closures included.
  static let withoutAnyPoints = ElfError(
    .noPatchPoints, withoutPatchPoints.problem + ", and it has no async closures",
    remedy: implicitDynamic)

  private static let implicitDynamic =
    #"add swiftSettings: [.unsafeFlags(["-Xfrontend", "-enable-implicit-dynamic"])]"#
    + " to the target to be patched and build again"
}
