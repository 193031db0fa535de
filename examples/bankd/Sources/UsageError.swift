// SPDX-License-Identifier: MIT

/// A command line that cannot be followed.
struct UsageError: Error {
  let message: String
}
