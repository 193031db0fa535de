// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Foundation
import Testing
import Waxwing

extension EngineSuite {
  /// Foundation and the standard library, with no binding.
  @Suite struct FoundationTests {
    @Test func `a URL is made and taken apart`() throws {
      let text = try evaluate(
        """
        local url = URL("https://user@a.b:81/c/d.txt?e=f#g")
        return url, url.host, url.port, url.path, url.pathExtension, url.query, url.fragment,
          url:appendingPathComponent("x").path, url:deletingLastPathComponent().path
        """)
      expectEqual(text, "https://user@a.b:81/c/d.txt?e=f#g a.b 81 /c/d.txt txt e=f g /c/d.txt/x /c")
    }

    @Test func `a type has one type object under each of its names`() throws {
      let text = try evaluate(
        """
        return URL == Foundation.URL, URL == class "Foundation.URL",
          URL == class "FoundationEssentials.URL", URL, URL.Template, class "Swift.Array"
        """)
      expectEqual(text, "true true true Foundation.URL Foundation.URL.Template Swift.Array")
    }

    @Test func `a date counts from its own time`() throws {
      let before = Date().timeIntervalSince1970
      let seconds = try #require(Double(try evaluate("return Date().timeIntervalSince1970")))
      #expect(seconds >= before - 0.01 && seconds <= Date().timeIntervalSince1970 + 0.01)
      let text = try evaluate(
        "return Date.distantPast == Date.distantPast, Date.init_timeIntervalSince1970(86400)")
      expectEqual(text, "true 1970-01-02 00:00:00 +0000")
    }

    @Test func `classes of Foundation are made, asked and changed`() throws {
      let text = try evaluate(
        """
        local formatter = DateFormatter()
        formatter.dateFormat = "yyyy-MM-dd"
        formatter.timeZone = TimeZone.init_identifier("UTC")
        local day = formatter:string(Date.init_timeIntervalSince1970(0))
        local numbers = NumberFormatter()
        numbers.minimumFractionDigits = 2
        return day, formatter.dateFormat, numbers.minimumFractionDigits
        """)
      expectEqual(text, "1970-01-01 yyyy-MM-dd 2")
    }

    @Test func `static members of library types`() throws {
      let text = try evaluate(
        """
        return FileManager.default:fileExists("/nowhere/at/all"), ProcessInfo.processInfo.processName,
          Double.pi, Int.max, UInt64.max, Int8.min, Double.infinity, Calendar.current.minimumDaysInFirstWeek > 0
        """)
      expectEqual(
        text,
        "false \(ProcessInfo.processInfo.processName) 3.1415926535898 9223372036854775807 "
          + "18446744073709551615 -128 inf true")
    }

    @Test func `free functions of a library`() throws {
      try expectEqual(
        evaluate("return Foundation.NSStringFromClass(class 'Foundation.NSObject')"), "NSObject")
      try expectEqual(evaluate("return Foundation.NSHomeDirectory()"), NSHomeDirectory())
    }

    @Test func `methods of the program's own on library types`() throws {
      let text = try evaluate("return class('Swift.Int').inBranches ~= nil")
      expectEqual(text, "true")
    }

    @Test func `an unknown member of a library type is refused for what it is`() throws {
      let near = try fault(of: "return URL('https://a.b').hots")
      #expect(near.hasSuffix("Foundation.URL has no member `hots`; did you mean `host`?"))
      let message = try fault(of: "return URL('https://a.b').zebra")
      #expect(message.contains("Foundation.URL has no member `zebra`; if its source has one"))
      #expect(message.contains("the library does not export it"))
      #expect(
        try fault(of: "return class 'Foundation.URLL'").contains("has no type `Foundation.URLL`"))
    }

    @Test func `nothing is loaded into a running program`() throws {
      #expect(try fault(of: "return import").contains("undefined variable `import`"))
    }
  }
}
