// SPDX-License-Identifier: MIT

import WaxwingCore
import WaxwingOperations
import WaxwingPatches

extension HostConfiguration {
  /// The folder that the program's folder of kept patches is in: what the operator's file says counts
  /// more than the environment. nil: there is no place for one.
  var stateFolder: String? { contents.store ?? SystemEnvironment.current.stateFolder }
}
