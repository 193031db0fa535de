// SPDX-License-Identifier: MIT

import WaxwingReflection
import WaxwingToolKit

extension CommandError {
  /// An executable file that is missing or cannot be used.
  init(_ path: String, _ error: ElfError) {
    self.init(.refused, "\(path): \(error.problem)", remedy: error.remedy)
  }
}
