// SPDX-License-Identifier: MIT

/// What a request wants done.
enum HTTPMethod: Equatable {
  case get
  case post
  /// A method that no route here answers.
  case other(String)

  init(_ name: String) {
    switch name {
    case "GET": self = .get
    case "POST": self = .post
    default: self = .other(name)
    }
  }

  var name: String {
    switch self {
    case .get: "GET"
    case .post: "POST"
    case .other(let name): name
    }
  }
}
