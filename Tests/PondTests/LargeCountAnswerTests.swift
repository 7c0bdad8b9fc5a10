import Testing

@testable import pond

/// Tests of the answers about ponds with more endings than an integer can count.
@Suite struct LargeCountAnswerTests {
  @Test func endingsThatAreTooManyForANumberAreToldInShares() throws {
    let pebbles = (0..<131).map { "{\"name\": \"a\($0)\"}" }.joined(separator: ", ")
    let session = Session(["wide.json": Array("{\"pebbles\": [\(pebbles)]}".utf8)])

    let all = session.run("endings wide.json --most 1")
    #expect(all.output.hasPrefix("pond: about 2^131 endings\n"))
    #expect(all.output.hasSuffix("\n  … and about 2^131 more\n"))
    let half = session.run("endings wide.json --where a0.failed")
    #expect(half.output.hasPrefix("true in about 2^130 of about 2^131 endings (50%)\n"))
    let each = session.run("endings wide.json --where a0.completed")
    #expect(each.output.hasPrefix("true in each of about 2^131 endings\n"))
    let law = session.run(["laws", "wide.json", "always a0.failed"])
    #expect(law.output.contains("  broken in about 2^130 of about 2^131 endings (50%)\n"))
    let one = session.run(["laws", "wide.json", "exactly one of a0.failed, a1.failed"])
    #expect(
      one.output.contains(
        "  about 2^129 of about 2^131 endings (25%) have none of them, "
          + "about 2^130 (50%) have one, about 2^129 (25%) have two\n"))
    for result in [all, half, each, law, one] {
      #expect(!result.output.contains("\(UInt128.max)"))
    }
    let json = session.run("endings wide.json --json --where a0.failed").output
    #expect(json.contains("\"endings\": null"))
    #expect(json.contains("\"endingsAbout\": \"about 2^131\""))
    #expect(json.contains("\"where\": null"))
    #expect(json.contains("\"share\": 0.5"))
  }
}
