// SPDX-License-Identifier: MIT

/// A number with its noun: `1 patch`, `2 patches`.
package func counted(_ number: some BinaryInteger, _ noun: String, plural: String? = nil) -> String
{
  "\(number) " + (number == 1 ? noun : plural ?? noun + "s")
}
