// SPDX-License-Identifier: MIT

/// The name of a protocol's `Self` in messages: demanglers call it `A`, as any first parameter.
enum SelfName {
  static func spelled(in text: String) -> String {
    var result = ""
    var previous: Character = " "
    var rest = text[...]
    while let character = rest.popFirst() {
      let isWord = character == "A" && !isPartOfName(previous) && previous != "."
      result += isWord && !(rest.first.map(isPartOfName) ?? false) ? "Self" : String(character)
      previous = character
    }
    return result
  }

  private static func isPartOfName(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }
}
