import AsyncHTTPClient
import Foundation
import Testing
import TrackerTestSupport

@testable import People
@testable import PeoplePage

@Suite(.timeLimit(.minutes(10))) struct PeopleRoutesTests {
  @Test func aQuestionIsAnsweredWithTheFirstRowsAndPagesWithTheRest() async throws {
    try await PeopleServer.using(PeopleService(.some)) { server in
      let answer = try await server.post(
        "/people/search",
        ["visitor": "visitor-ann", "revision": 1, "bloodTypes": ["O+"], "order": "size"])
      let total = Int(answer.json["total"].number ?? 0)
      #expect(answer.status == 200 && total > 200)
      #expect(answer.json["everybody"] == 3_000)
      var rows = try answer.rows()
      #expect(rows.count == 100)

      while rows.count < total {
        rows += try await server.rows(from: rows.count, count: 200).rows()
      }
      #expect(Set(rows.map(\.number)).count == total)
      #expect(rows.allSatisfy { $0.bloodType == "O+" })
      #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.shoeSize <= $1.shoeSize })
    }
  }

  @Test func whoComesTooEarlyIsToldToAskAgain() async throws {
    let room = PeopleRoom()
    try await PeopleServer.using(room) { server in
      let question: JSONValue = ["visitor": "visitor-ann", "revision": 1]
      for answer in [
        try await server.post("/people/search", question),
        try await server.rows(from: 0, count: 1),
        try await server.post("/people/choose", question),
      ] {
        #expect(answer.status == 503 && answer.headers["retry-after"] == "1")
        #expect(answer.problem == "The people are being prepared; ask again in a moment.")
      }
      let page = try await server.get("/people")
      #expect(page.status == 503 && page.headers["retry-after"] == "1")
      #expect(page.headers["content-type"] == "text/html; charset=utf-8")
      #expect(try await server.get("/people/files/main.mjs").status == 200)

      room.open(PeopleService(.some))
      #expect(try await server.post("/people/search", question).json["total"] == 3_000)
      let opened = try await server.get("/people")
      #expect(opened.status == 200 && opened.headers["retry-after"] == nil)
      #expect(opened.bytes == page.bytes)
    }
  }

  @Test func nothingTypedIsSyntax() async throws {
    try await PeopleServer.using(PeopleService(.some)) { server in
      let texts = [
        "\u{0}", "a\u{0}b", "\u{202E}ann", "🏔️👩‍👩‍👧", "\"'; DROP TABLE people --", "*", "%",
        "a OR b",
        "</script>", "\u{FFFF}", String(repeating: "🏔", count: 200), "ﷺ",
      ]
      for (revision, text) in texts.enumerated() {
        let answer = try await server.post(
          "/people/search",
          ["visitor": "visitor-ann", "revision": .number(Double(revision)), "name": .string(text)])
        #expect(answer.status == 200, "\(text): \(answer.problem)")
      }
    }
  }

  @Test func whatCannotBeAskedIsRefusedWithASentence() async throws {
    try await PeopleServer.using(PeopleService(.some)) { server in
      let megabyte = String(repeating: "a", count: 1 << 20)
      let cases: [(JSONValue, String)] = [
        (["name": .string(megabyte)], "at most 200 characters"),
        (["from": 45, "to": 40], "swap them"),
        (["from": 42.25], "42.25 is not a shoe size"),
        (["from": -1], "not a shoe size"),
        (["from": "NaN"], "“from” in the question is not of the right kind"),
        (["bloodTypes": ["O+", "C+"]], "“C+” is not a blood type"),
        (["bloodTypes": [.string(megabyte)]], "is not a blood type"),
        (["bloodTypes": 3], "“bloodTypes” in the question is not of the right kind"),
        (["order": "price"], "ordered by name or size"),
        (["revision": -1], "numbered from 0"),
        (["revision": 1.5], "has to be JSON as the page sends it"),
        (["visitor": "x"], "8 to 64 letters"),
        (["visitor": nil], "“visitor” in the question"),
      ]
      for (members, problem) in cases {
        var question: [String: JSONValue] = ["visitor": "visitor-ann", "revision": 1]
        if case .object(let members) = members { question.merge(members) { $1 } }
        let answer = try await server.post("/people/search", .object(question))
        #expect(answer.status == 400, "\(problem): \(answer.status)")
        #expect(answer.problem.contains(problem), "\(answer.problem)")
        #expect(answer.problem.count < 300)
      }
      // None of them is remembered.
      #expect(try await server.rows(from: 0, count: 1).status == 410)
    }
  }

  @Test func whatIsNoQuestionIsRefusedWithASentence() async throws {
    try await PeopleServer.using(PeopleService(.some)) { server in
      for text in [
        "", "{", "[]", "null", "\u{0}", #"{"visitor":"visitor-ann","revision":1,"from":NaN}"#,
        #"{"visitor":"visitor-ann","revision":1e400}"#,
        #"{"visitor":"visitor-ann","revision":99999999999999999999}"#,
        String(repeating: "[", count: 100_000),
      ] {
        let answer = try await server.post("/people/search", text: Data(text.utf8))
        #expect(answer.status == 400, "\(text.prefix(40))")
        #expect(answer.problem.contains("has to be JSON as the page sends it"))
      }
      let long = try await server.post(
        "/people/search", text: Data(repeating: 32, count: 3 << 20))
      #expect(long.status == 413)
      #expect(long.problem.contains("at most 2 MB"))
    }
  }

  @Test func pagesThatAreNotThereAreRefusedWithASentence() async throws {
    try await PeopleServer.using(PeopleService(.some)) { server in
      let address = "/people/rows?visitor=visitor-ann&revision=1"
      #expect(try await server.get("\(address)&from=0&count=10").status == 410)
      _ = try await server.post("/people/search", ["visitor": "visitor-ann", "revision": 1])
      for (query, status, problem) in [
        ("from=-1&count=10", 400, "at place 0 or later"), ("from=0&count=0", 400, "1 to 200 rows"),
        ("from=0&count=201", 400, "1 to 200 rows"), ("from=0&count=-9", 400, "1 to 200 rows"),
        ("from=3000&count=1", 416, "The list has 3000 people"),
        ("from=9223372036854775807&count=200", 416, "The list has 3000 people"),
        ("from=9223372036854775808&count=200", 400, "“from” has to be a whole number"),
        ("from=NaN&count=1", 400, "“from” has to be a whole number"),
        ("from=1.5&count=1", 400, "“from” has to be a whole number"),
        ("from=%00&count=1", 400, "“from” has to be a whole number"),
        ("from=0", 400, "“count” has to be a whole number"),
      ] {
        let answer = try await server.get("\(address)&\(query)")
        #expect(answer.status == status, "\(query)")
        #expect(answer.problem.contains(problem), "\(answer.problem)")
      }
      #expect(try await server.rows(from: 2_999, count: 200).rows().count == 1)
      let other = try await server.get("/people/rows?visitor=visitor-ann&revision=2&from=0&count=1")
      #expect(other.status == 409)
    }
  }

  @Test func aChoiceCanBeMadeAgain() async throws {
    try await PeopleServer.using(PeopleService(.some)) { server in
      _ = try await server.post(
        "/people/search", ["visitor": "visitor-ann", "revision": 1, "bloodTypes": ["B-"]])
      let first = try await server.post(
        "/people/choose", ["visitor": "visitor-ann", "revision": 1])
      let seed = first.json["seed"]
      let again = try await server.post(
        "/people/choose", ["visitor": "visitor-ann", "revision": 1, "seed": seed])
      #expect(first.status == 200 && first.json == again.json)
      #expect(first.json["person"]["bloodType"] == "B-")
      let place = Int(first.json["place"].number ?? -1)
      #expect(
        try await server.rows(from: place, count: 1).rows().first?.name
          == first.json["person"]["name"].text)

      let bad = try await server.post(
        "/people/choose", ["visitor": "visitor-ann", "revision": 1, "seed": -1])
      #expect(bad.status == 400)
      _ = try await server.post(
        "/people/search", ["visitor": "visitor-ann", "revision": 2, "name": "xyzzy"])
      let nobody = try await server.post(
        "/people/choose", ["visitor": "visitor-ann", "revision": 2])
      #expect(nobody.status == 409 && nobody.problem.contains("Nobody is left"))
    }
  }

  @Test func theNewestQuestionIsAnsweredAndTheOneBeforeIsNot() async throws {
    let gate = Gate(holding: 1)
    try await PeopleServer.using(PeopleService(.some, around: gate.around)) { server in
      async let first = server.post(
        "/people/search", ["visitor": "visitor-ann", "revision": 1, "name": "ann"])
      await gate.waitForArrival()

      let second = try await server.post(
        "/people/search", ["visitor": "visitor-ann", "revision": 2])

      #expect(second.json["total"] == 3_000)
      #expect(try await first.status == 409)
      #expect(try await first.problem.contains("newer question"))
    }
  }

  @Test func aConnectionThatClosesInTheMiddleHurtsNobody() async throws {
    let gate = Gate(holding: 1)
    try await PeopleServer.using(PeopleService(.some, around: gate.around)) { server in
      let leaver = Task {
        try await server.post(
          "/people/search", ["visitor": "visitor-ann", "revision": 1, "name": "ann"])
      }
      await gate.waitForArrival()
      leaver.cancel()
      await #expect(throws: (any Error).self) { try await leaver.value }

      _ = try await server.post("/people/search", ["visitor": "visitor-ann", "revision": 2])
      for _ in 0..<20 {
        // Its head is read, its body is not.
        let request = HTTPClientRequest(
          url: server.address + "/people/rows?visitor=visitor-ann&revision=2&from=0&count=200")
        let reader = Task {
          _ = try await HTTPClient.shared.execute(request, timeout: .seconds(60)).status
        }
        try await reader.value
      }
      #expect(try await server.rows(from: 0, count: 200, revision: 2).rows().count == 200)
    }
  }

  @Test func whoIsForgottenIsToldSo() async throws {
    try await PeopleServer.using(PeopleService(.some, mostVisitors: 1)) { server in
      _ = try await server.post("/people/search", ["visitor": "visitor-ann", "revision": 1])
      _ = try await server.post("/people/search", ["visitor": "visitor-bob", "revision": 1])
      let answer = try await server.rows(from: 0, count: 1)
      #expect(answer.status == 410)
      #expect(answer.problem.contains("ask the question again"))
    }
  }

  @Test func thePageBringsAllItNeedsAndNothingElse() async throws {
    try await PeopleServer.using(PeopleService(.some)) { server in
      let page = try await server.get("/people")
      #expect(page.status == 200)
      #expect(page.headers["content-type"] == "text/html; charset=utf-8")
      #expect(page.headers["content-security-policy"]?.contains("script-src 'self';") == true)
      #expect(page.headers["content-security-policy"]?.contains("unsafe") == false)
      let script = try await server.get("/people/files/main.mjs")
      #expect(script.headers["content-type"] == "text/javascript; charset=utf-8")
      for name in ["..%2f..%2fetc%2fpasswd", "%2e%2e", "main.js", "%00", "people.html%00"] {
        #expect(try await server.get("/people/files/\(name)").status == 404, "\(name)")
      }
    }
  }
}

extension PeopleServer {
  fileprivate func rows(from: Int, count: Int, revision: Int = 1) async throws -> Answer {
    try await get(
      "/people/rows?visitor=visitor-ann&revision=\(revision)&from=\(from)&count=\(count)")
  }
}
