// SPDX-License-Identifier: MIT

package import WaxwingHelp

extension Option {
  /// `--json`, which every command has that prints something to read.
  package static let json = Option("--json", nil, "print JSON")
}
