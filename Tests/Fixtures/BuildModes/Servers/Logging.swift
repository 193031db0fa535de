// SPDX-License-Identifier: MIT

/// Keeps what is logged, so that a program can show it.
public struct Logger: Sendable {
  public struct Message: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, Sendable {
    let text: String
    public init(stringLiteral value: String) { text = value }
  }
  public enum MetadataValue: ExpressibleByStringLiteral, Sendable {
    case string(String)
    case stringConvertible(any CustomStringConvertible & Sendable)
    public init(stringLiteral value: String) { self = .string(value) }
  }
  public typealias Metadata = [String: MetadataValue]
  public init() {}
  public func info(
    _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil,
    source: @autoclosure () -> String? = nil, file: String = #fileID, function: String = #function,
    line: UInt = #line
  ) { log("info", message(), metadata()) }
  public func info(
    _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil,
    file: String = #fileID, function: String = #function, line: UInt = #line
  ) { log("info", message(), metadata()) }
  private func log(_ level: String, _ message: Message, _ metadata: Metadata?) {
    let words = (metadata ?? [:]).map { key, value in
      if case .string(let text) = value { "\(key)=\(text)" } else { key }
    }
    print("\(level): \(message.text) \(words.sorted().joined(separator: " "))")
  }
}
