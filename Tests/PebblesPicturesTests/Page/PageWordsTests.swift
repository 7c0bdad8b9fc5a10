import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesPictures

/// Tests of the texts of the page: of the words that a search finds, of times, and of what is made
/// visible or truncated.
@Suite(
  .ownThreads, .enabled(if: JavaScript.isInstalled, Comment(rawValue: JavaScript.howToInstall)))
struct PageWordsTests {
  @Test func aTextIsFoldedForTheSearch() throws {
    let said = try JavaScript.result(
      of: """
        return ['loadLaunches', 'HTTPGet2', 'a/b.c-d_e', 'Étagère Ødegård',
          'straße Łódź æther Œuvre', '日本語', '', '//', 'x1Y']
          .map(name => `(${searchable(name)})`).join('\\n');
        """)

    #expect(
      said == """
        ( load launches loadlaunches)
        ( httpget2 httpget2)
        ( a b c d e a/b.c-d_e)
        ( etagere odegard etagere odegard)
        ( strasse lodz aether oeuvre strasse lodz aether oeuvre)
        ( 日本語 日本語)
        (  )
        (   //)
        ( x1 y x1y)
        """)
  }

  @Test func aQuestionIsSplitIntoWords() throws {
    let said = try JavaScript.result(
      of: """
        return ['load', 'Load  cores', 'a/b', 'ÉTAG ød', '//', ' : ', '', '   ', '\\u0301', 'x2-y']
          .map(text => `${searchWords(text).length}(${searchWords(text).join()})`).join('\\n');
        """)

    #expect(
      said == """
        1( load)
        2( load, cores)
        2( a, b)
        2( etag, od)
        1(//)
        1(:)
        0()
        0()
        1(\u{301})
        2( x2, y)
        """)
  }

  @Test func timesHaveThreeDigits() throws {
    let said = try JavaScript.result(
      of: """
        return [0, 1, 12.4, 999, 1000, 1004, 1005, 9994, 9995, 10000, 12345, 99949, 99950, 100000,
          999499, 999500, 1234567, 12345678, 123456789, 999500000, 12345678901, 3600e9, 1e15,
          -5, NaN, undefined].map(brief).join();
        """)

    #expect(
      said == """
        0 ns,1 ns,12 ns,999 ns,1.00 µs,1.00 µs,1.01 µs,9.99 µs,10.0 µs,10.0 µs,12.3 µs,99.9 µs,\
        100 µs,100 µs,999 µs,1.00 ms,1.23 ms,12.3 ms,123 ms,1.00 s,12.3 s,3600 s,1000000 s,\
        0 ns,0 ns,0 ns
        """)
  }

  @Test func timesAreWrittenAsInReports() throws {
    var generator = SeededGenerator(seed: 13_900)
    var times: [Int64] = []
    var power: Int64 = 1
    while power < 1_000_000_000_000_000 {
      // Among them are halves, which are rounded up.
      times += [power - 1, power, power + power / 200, 3 * power + power / 200, 10 * power - 1]
      for _ in 0..<Thoroughness.times(20) {
        times.append(Int64.random(in: power..<10 * power, using: &generator))
      }
      power *= 10
    }

    let said = try JavaScript.result(of: "return \(times).map(brief).join('; ');")

    #expect(said == times.map { Duration.nanoseconds($0).brief }.joined(separator: "; "))
  }

  @Test func numbersAreWrittenWithSeparators() throws {
    let said = try JavaScript.result(
      of: """
        return [[0, 1, 2, 2000].map(counted), grouped(1234567)].join('; ');
        """)

    #expect(said == "0 pebbles,1 pebble,2 pebbles,2,000 pebbles; 1,234,567")
  }

  @Test func textThatWouldNotBeSeenIsMadeVisible() throws {
    let said = try JavaScript.result(
      of: """
        return ['plain ~', 'a\\nb\\tc', '\\u202Eabc', 'a\\u0000', '\\u2028', '👩\\u200d🚀', '日本',
          'é\\u0007'].map(visible).join('\\n');
        """)

    #expect(
      said == """
        plain ~
        a⏎b c
        \\u{202E}abc
        a\\u{0}
        \\u{2028}
        👩\u{200d}🚀
        日本
        é\\u{7}
        """)
  }

  @Test func longTextIsTruncated() throws {
    let said = try JavaScript.result(
      of: """
        const length = text => `${text.slice(0, 2)}${Array.from(text).length}${text.slice(-1)}`;
        return [
          cut('abc', 3), cut('abcd', 3), cut('abcdef', 3), cut('🚀🚀🚀', 3), cut('🚀🚀🚀🚀', 3),
          cut('🚀'.repeat(9), 6), cut('', 0), because('no  route\\n to host'),
          because(''), because(undefined),
          length(because('x'.repeat(201))), because('x'.repeat(200)).length,
          length(titleOf('y'.repeat(61))), titleOf('y'.repeat(60)).length,
          length(visible('z'.repeat(5001))), visible('z'.repeat(5000)).length,
          length(titleOf(`a${' '.repeat(4990)}b${'c'.repeat(90)}`)),
        ].join('; ');
        """)

    #expect(
      said == """
        abc; ab…; ab…; 🚀🚀🚀; 🚀🚀…; 🚀🚀🚀🚀🚀…; ; : no route to host; ; ; : 202…; \
        202; yy60…; 60; zz5000…; 5000; a 11…
        """)
  }
}
