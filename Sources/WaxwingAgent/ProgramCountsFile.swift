// SPDX-License-Identifier: MIT

import Glibc
import WaxwingFleet
import WaxwingSystem
import WaxwingToolKit

/// The program's own counts, from a file in Prometheus's text format.
struct ProgramCountsFile: Sendable {
  private static let sizeLimit = 4 << 20

  private let file: String
  private let requests: String?
  private let errors: String?
  private let latency: String?

  /// Nil: no file is named.
  init?(_ arguments: ParsedArguments) throws(FleetError) {
    guard let file = arguments["--metrics"] else { return nil }
    self.file = file
    requests = arguments["--requests"]
    errors = arguments["--errors"]
    latency = arguments["--latency"]
    guard (requests == nil) == (errors == nil), requests != nil || latency != nil else {
      throw FleetError(
        .invalid, "--metrics needs --requests and --errors, or --latency, or all three",
        remedy: "name the metrics as they are in \(file)")
    }
  }

  func read() -> Agent.ProgramCounts? {
    let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let bytes = try? SystemCall.readAll(descriptor, limit: Self.sizeLimit) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    func count(_ name: String?) -> Int? {
      name.flatMap { MetricsReader.sum(of: $0, in: text) }.flatMap { Int(exactly: $0.rounded()) }
    }
    return Agent.ProgramCounts(
      requests: count(requests), errors: count(errors),
      latency: latency.flatMap { MetricsReader.sum(of: $0, in: text) })
  }
}
