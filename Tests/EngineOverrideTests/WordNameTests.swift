// SPDX-License-Identifier: MIT

import EngineTestSupport
import Expectations
import Testing
import Waxwing
import WordsOfWords

extension EngineSuite {
  /// Names with words that come again, which symbols abbreviate.
  @Suite struct WordNameTests {
    @Test func `functions, properties and types are found, whatever words their names share`()
      throws
    {
      try withPatch(
        """
        local M = module "WordsOfWords"
        function M.doubled(n) return M.ORIGdoubled(n) + 1 end
        function M.get.limitOfWords() return 8 end
        local Limit = class "WordsOfWords.WordsOfLimit"
        function Limit:wordsLeft() return self:ORIGwordsLeft() + 10 end
        function Limit:described() return self:ORIGdescribed() .. "!" end
        local Local = class "WordsOfWords.LimitOfWords"
        function Local:init(words) return self:ORIGinit(words * 100) end
        function Local:text() return "(" .. self:ORIGtext() .. ")" end
        local Words = class "WordsOfWords.Words_of_Words"
        function Words:wordsOfWords() return self:ORIGwordsOfWords() .. "?" end
        """
      ) {
        expectEqual(doubled(4), 9)
        expectEqual(limitOfWords, 8)
        expectEqual(WordsOfLimit(words: 3).wordsLeft(), 12)
        expectEqual(WordsOfLimit(words: 3).described(), "(300 words)!")
        expectEqual(Words_of_Words().wordsOfWords(), "words?")
        expectEqual(faults(), [])
      }
      expectEqual(doubled(4), 8)
    }
  }
}
