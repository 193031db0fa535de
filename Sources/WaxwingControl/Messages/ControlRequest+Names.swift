// SPDX-License-Identifier: MIT

extension ControlRequest {
  /// Refuses names that nothing can have, and lists that nobody writes: work on a name may take longer than
  /// reading it.
  func demandBounds() throws(ControlFailure) {
    let names = self.names
    guard names.count <= ControlProtocol.maximumNames else {
      throw .tooLarge(
        "\(verb) has \(names.count) names; the limit is \(ControlProtocol.maximumNames)")
    }
    for name in names where name.utf8.count > ControlProtocol.maximumName {
      let start = String(String.UnicodeScalarView(name.unicodeScalars.prefix(40)))
      throw .tooLarge(
        "a name has at most \(ControlProtocol.maximumName) bytes, and `\(start)…` has \(name.utf8.count)"
      )
    }
  }

  /// All names in it, of functions, types, patches and files, and parts of names.
  private var names: [String] {
    switch self {
    case .explain(let name), .traceCalls(let name), .shadowCalls(let name): [name]
    case .revert(let name, _, _), .call(let name, _, _, _), .receive(let name, _): [name]
    case .versions(let name), .points(let name, _), .confirm(let name): [name].compactMap(\.self)
    case .measure(_, let patches): patches
    case .trace(let request): [request.pattern]
    case .record(let request): [request.pattern]
    case .instances(let request): [request.type]
    case .apply(let request), .check(let request):
      request.patches.flatMap(\.names) + [request.options.ifCurrent].compactMap(\.self)
    case .shadow(let request): request.patch.names
    case .replay(let request): request.patch?.names ?? []
    case .shell(let request): request.names
    case .debug(let request):
      [request.patch, request.file].compactMap(\.self) + (request.breakpoints ?? []).map(\.file)
    case .hello, .list, .status, .objects, .audit, .metrics, .restore, .reload, .reply, .log,
      .records, .boot:
      []
    }
  }
}

extension ApplyRequest.Patch {
  fileprivate var names: [String] { (files + [signature].compactMap(\.self)).map(\.name) }
}

extension ShellRequest {
  fileprivate var names: [String] {
    switch self {
    case .open: []
    case .evaluate(let shell, _), .complete(let shell, _), .ping(let shell), .interrupt(let shell):
      [shell]
    }
  }
}

extension ControlFailure {
  fileprivate static func tooLarge(_ what: String) -> ControlFailure {
    ControlFailure(
      .invalidRequest, message: what, remedy: "give the name of something that there is")
  }
}
