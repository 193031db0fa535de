// SPDX-License-Identifier: MIT

extension HTTPError {
  /// How an error of the bank is told to clients.
  init(_ error: BankError) {
    switch error {
    case .noSuchAccount:
      self = .notFound(error.message)
    case .invalidOwner, .invalidAmount, .textTooLong, .refused, .sameAccount, .full:
      self = .unprocessable(error.message)
    }
  }
}
