// SPDX-License-Identifier: MIT

internal import WaxwingSystem

/// The system calls that change the store. Each can be made to fail, or to be the last: what is on disk
/// then must be the old state or the new one.
package struct StoreCalls: Sendable {
  /// The outcome of a call.
  package enum Verdict: Sendable {
    case happens
    /// The call fails with this error number, and does nothing.
    case fails(Int32)
    /// The call writes this number of bytes, and the rest fails.
    case writesOnly(Int, Int32)
  }

  /// Asked before each call.
  let verdict: @Sendable (StoreStep, String) -> Verdict

  /// The system's own calls.
  package static let real = StoreCalls { _, _ in .happens }

  /// Calls whose verdict `verdict` decides, by the step and the file.
  package init(verdict: @escaping @Sendable (StoreStep, String) -> Verdict) {
    self.verdict = verdict
  }

  /// Makes a call that returns -1 for failure, again while signals interrupt it.
  func make(
    _ step: StoreStep, _ path: String, _ call: () -> Int32
  ) throws(StoreError) -> Int32 {
    switch verdict(step, path) {
    case .happens: break
    case .fails(let number), .writesOnly(_, let number):
      throw .failed(step, path, number)
    }
    switch SystemCall.retrying(call) {
    case .success(let result): return Int32(result)
    case .failure(let error): throw .failed(step, path, error.value)
    }
  }

  /// Writes all bytes.
  func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(StoreError) {
    switch verdict(.write, path) {
    case .happens: try writeAll(bytes[...], to: descriptor, path)
    case .fails(let number): throw .failed(.write, path, number)
    case .writesOnly(let count, let number):
      try writeAll(bytes.prefix(count), to: descriptor, path)
      throw .failed(.write, path, number)
    }
  }

  private func writeAll(
    _ bytes: ArraySlice<UInt8>, to descriptor: Int32, _ path: String
  ) throws(StoreError) {
    do throws(ErrorNumber) {
      try SystemCall.writeAll(bytes, to: descriptor)
    } catch {
      throw .failed(.write, path, error.value)
    }
  }
}
