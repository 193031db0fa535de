// SPDX-License-Identifier: MIT

/// How a program that links the engine is asked for its patch points before its `main`: see
/// `waxwing_describe_if_asked` in CWaxwingProcess.
package enum DescribeMode {
  /// The environment variable; its value is the number of a file descriptor, a pipe.
  package static let variable = "WAXWING_DESCRIBE"
  /// The environment variable that asks for something else than patch points: a `PointPage.Kind`.
  package static let kindVariable = "WAXWING_DESCRIBE_KIND"
  /// The symbol that programs with this mode have.
  package static let symbol = "waxwing_describe"
}
