// SPDX-License-Identifier: MIT

import Foundation

extension HTTPRequest {
  /// The body as a value.
  ///
  /// - Throws: `HTTPError.badRequest` for what is not JSON, `.unprocessable` for JSON that says
  ///   something else.
  func decoded<Content: Decodable>(as type: Content.Type) throws(HTTPError) -> Content {
    do {
      return try JSONDecoder().decode(type, from: Data(body))
    } catch let DecodingError.keyNotFound(key, _) {
      throw .unprocessable("the body has no '\(key.stringValue)'")
    } catch let DecodingError.typeMismatch(_, context) where context.codingPath.isEmpty {
      throw .unprocessable("the body is not a JSON object")
    } catch DecodingError.dataCorrupted where !isJSON {
      throw .badRequest("the body is not valid JSON")
    } catch let DecodingError.typeMismatch(_, context) {
      throw .wrongValue(at: context)
    } catch let DecodingError.valueNotFound(_, context) {
      throw .wrongValue(at: context)
    } catch let DecodingError.dataCorrupted(context) {
      throw .wrongValue(at: context)
    } catch {
      throw .badRequest("the body is not valid JSON")
    }
  }

  private var isJSON: Bool {
    (try? JSONSerialization.jsonObject(with: Data(body), options: .fragmentsAllowed)) != nil
  }
}

extension HTTPError {
  fileprivate static func wrongValue(at context: DecodingError.Context) -> HTTPError {
    // Foundation does not say where it met a number that its type cannot hold.
    guard !context.codingPath.isEmpty else {
      return .unprocessable("a value in the body is not of the right kind")
    }
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    return .unprocessable("the value of '\(path)' is not of the right kind")
  }
}
