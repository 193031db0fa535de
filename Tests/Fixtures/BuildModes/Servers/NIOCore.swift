// SPDX-License-Identifier: MIT

public struct ByteBuffer: Sendable, Equatable {
  var bytes: [UInt8]
  public init() { bytes = [] }
  public init(string: String) { bytes = Array(string.utf8) }
  public var readableBytes: Int { bytes.count }
  public func getString(at index: Int, length: Int) -> String? {
    guard index >= 0, index + length <= bytes.count else { return nil }
    return String(decoding: bytes[index..<index + length], as: UTF8.self)
  }
  public mutating func readString(length: Int) -> String? {
    defer { bytes.removeFirst(min(length, bytes.count)) }
    return getString(at: 0, length: length)
  }
  @discardableResult
  public mutating func writeInteger<T: FixedWidthInteger>(
    _ integer: T, endianness: Endianness = .big, as: T.Type = T.self
  ) -> Int {
    withUnsafeBytes(of: endianness == .big ? integer.bigEndian : integer.littleEndian) {
      bytes += $0
      return $0.count
    }
  }
}
public enum Endianness: Sendable {
  public static let host: Endianness = .little
  case big, little
}
public struct ByteBufferAllocator: Sendable {
  public init() {}
  public func buffer(string: String) -> ByteBuffer { ByteBuffer(string: string) }
}
public struct TimeAmount: Sendable {
  public let nanoseconds: Int64
  public static func milliseconds(_ amount: Int64) -> TimeAmount {
    TimeAmount(nanoseconds: amount * 1_000_000)
  }
}
public enum ChannelError: Error { case eof, alreadyClosed }

public final class EventLoopFuture<Value>: @unchecked Sendable {
  public let eventLoop: any EventLoop
  var result: Result<Value, any Error>?
  var waiting: [(Result<Value, any Error>) -> Void] = []
  init(_ loop: any EventLoop, _ result: Result<Value, any Error>? = nil) {
    (eventLoop, self.result) = (loop, result)
  }
  func complete(_ result: Result<Value, any Error>) {
    self.result = result
    let callbacks = waiting
    waiting = []
    for callback in callbacks { callback(result) }
  }
  func on(_ callback: @escaping (Result<Value, any Error>) -> Void) {
    if let result { callback(result) } else { waiting.append(callback) }
  }
  public func map<NewValue>(
    _ callback: @escaping @Sendable (Value) -> NewValue
  ) -> EventLoopFuture<NewValue> {
    let next = EventLoopFuture<NewValue>(eventLoop)
    on { next.complete($0.map(callback)) }
    return next
  }
  public func flatMap<NewValue>(
    _ callback: @escaping @Sendable (Value) -> EventLoopFuture<NewValue>
  ) -> EventLoopFuture<NewValue> {
    let next = EventLoopFuture<NewValue>(eventLoop)
    on { result in
      switch result {
      case .success(let value): callback(value).on { next.complete($0) }
      case .failure(let error): next.complete(.failure(error))
      }
    }
    return next
  }
  public func whenComplete(_ callback: @escaping @Sendable (Result<Value, any Error>) -> Void) {
    on(callback)
  }
  public var text: String {
    switch result {
    case .success(let value): "\(value)"
    case .failure(let error): "failed \(error)"
    case nil: "waits"
    }
  }
}
public struct EventLoopPromise<Value>: Sendable {
  public let futureResult: EventLoopFuture<Value>
  public func succeed(_ value: Value) { futureResult.complete(.success(value)) }
  public func fail(_ error: any Error) { futureResult.complete(.failure(error)) }
}
public protocol EventLoop: Sendable {
  func execute(_ task: @escaping @Sendable () -> Void)
}
extension EventLoop {
  public func makePromise<T>(
    of type: T.Type = T.self, file: StaticString = #fileID, line: UInt = #line
  ) -> EventLoopPromise<T> { EventLoopPromise(futureResult: EventLoopFuture(self)) }
  public func makeFailedFuture<T>(
    _ error: any Error, file: StaticString = #fileID, line: UInt = #line
  ) -> EventLoopFuture<T> { EventLoopFuture(self, .failure(error)) }
  public func makeSucceededFuture<Success>(
    _ value: Success, file: StaticString = #fileID, line: UInt = #line
  ) -> EventLoopFuture<Success> { EventLoopFuture(self, .success(value)) }
}
/// Runs everything at once.
public final class EmbeddedEventLoop: EventLoop {
  public init() {}
  public func execute(_ task: @escaping @Sendable () -> Void) { task() }
}
