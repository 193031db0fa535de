// SPDX-License-Identifier: MIT

/// What the command line asks for.
struct Options {
  /// The TCP port to listen on; 0 lets the system choose one.
  private(set) var port: UInt16 = 8080
  private(set) var wantsHelp = false
  /// Whether patches have to be signed.
  private(set) var wantsSignatures = false
  /// The list of those who may sign; nil for the usual place.
  private(set) var signers: String?
  /// The list of keys that are revoked; nil for the usual place.
  private(set) var revoked: String?

  static let help = """
    bankd: a small bank over HTTP, on 127.0.0.1 only.

    Usage: bankd [--port N] [--signed [--signers FILE] [--revoked FILE]]

      --port N        TCP port to listen on; 0 takes any free one (default: 8080)
      --signed        apply signed patches only
      --signers FILE  who may sign them (default: /etc/waxwing/allowed_signers)
      --revoked FILE  whose keys are revoked (default: /etc/waxwing/revoked_signers)
      --help          show this text

    Stops on SIGTERM and SIGINT, after answering the requests under way.

    """

  init(arguments: some Sequence<String>) throws(UsageError) {
    var iterator = arguments.makeIterator()
    while let argument = iterator.next() {
      switch argument {
      case "--help", "-h":
        wantsHelp = true
      case "--port":
        port = try Self.port(from: iterator.next())
      case "--signed":
        wantsSignatures = true
      case "--signers":
        signers = try Self.path(from: iterator.next(), argument)
      case "--revoked":
        revoked = try Self.path(from: iterator.next(), argument)
      default:
        throw UsageError(message: "unknown argument '\(argument)'")
      }
    }
  }

  private static func port(from text: String?) throws(UsageError) -> UInt16 {
    guard let text else { throw UsageError(message: "--port needs a number") }
    guard let port = UInt16(text) else {
      throw UsageError(message: "--port needs a number from 0 to 65535, not '\(text)'")
    }
    return port
  }

  private static func path(from text: String?, _ argument: String) throws(UsageError) -> String {
    guard let text, !text.isEmpty else { throw UsageError(message: "\(argument) needs a path") }
    return text
  }
}
