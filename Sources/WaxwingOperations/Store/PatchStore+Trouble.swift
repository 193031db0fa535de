// SPDX-License-Identifier: MIT

extension PatchStore.Trouble {
  /// The trouble in one sentence.
  package func message(_ folder: String) -> String {
    switch self {
    case .previousUsed(let reason):
      "\(folder)/state is damaged (\(reason)); state.prev, the previous document, is used"
    case .lost(let reason):
      "\(folder)/state is damaged (\(reason)), and so is state.prev: nothing is kept"
    case .newer(let format):
      "\(folder)/state has format \(format), of a newer engine: nothing is started, and nothing is "
        + "written"
    case .unreadable(let error): error.message
    }
  }
}
