import Foundation
import PebblesTestSupport
import Testing

@testable import launches

@Suite struct HostileFileTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func aMissingFileIsNamed() {
    let path = folder.file("nowhere.json")

    #expect(problem(path) == "no such file or directory")
  }

  @Test func aDirectoryIsNoFile() {
    #expect(problem(folder.path) == "it is a directory, not a file")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/zero")))
  func anEndlessDeviceIsNoFile() {
    #expect(problem("/dev/zero") == "it is a device, not a file")
  }

  @Test func aPipeNobodyWritesToDoesNotHoldTheLoadUp() {
    let path = folder.file("pipe")
    #expect(mkfifo(path, 0o600) == 0)

    #expect(problem(path) == "it is a pipe, not a file")
  }

  @Test func aFileOfMoreThanSixteenMegabytesIsNotRead() throws {
    let path = try folder.write("[]", to: "big.json")
    #expect(truncate(path, 16 * 1024 * 1024 + 1) == 0)

    #expect(problem(path) == "it is larger than the limit of 16 MB")
  }

  @Test func aTruncatedFileIsRefused() throws {
    let path = try folder.write(String(SampleFeeds.launches.dropLast(40)), to: "short.json")

    #expect(problem(path)?.hasPrefix("launches: it is cut short, ") == true)
  }

  /// Checks deeply nested files. The limit of the decoder itself is 512, and a document that ended
  /// right after the first bracket beyond that limit once crashed it.
  @Test(arguments: [511, 512, 513, 514, 600, 100_000], ["[", #"{"a":"#])
  func aDeepFileIsRefused(depth: Int, bracket: String) throws {
    let open = String(repeating: bracket, count: depth)
    let close = String(repeating: bracket == "[" ? "]" : "}", count: depth)
    let ignored =
      #"[{"id": "a", "name": "N", "date_unix": 1, "ignored": "# + open + "1" + close + "}]"

    for text in [open, open + "\n", open + close, ignored] {
      let problem = try #require(self.problem(folder.write(text, to: "deep.json")))
      #expect(problem.hasPrefix("launches"))
    }
  }

  /// Checks that encodings other than UTF-8 are rejected. The decoder would accept them, even with
  /// an extra byte.
  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16, .utf32])
  func otherEncodingsThanUTF8AreRefused(encoding: String.Encoding) throws {
    for text in ["[]", String(repeating: "[", count: 513)] {
      let data = try #require(text.data(using: encoding))

      #expect(problem(try folder.write(Array(data), to: "wide.json")) == "it is not UTF-8 text")
    }
  }

  @Test func bytesThatAreNotTextAreRefused() throws {
    let path = try folder.write(
      Array("[\"".utf8) + [0xC3, 0x28] + Array("\"]".utf8), to: "bytes.json")

    #expect(problem(path) == "it is not UTF-8 text")
  }

  @Test(arguments: ["", "nul", "[1 2]", "[] x", #"[{"id": "a\u{1}"}]"#, #"["\ud800"]"#, "[1e999]"])
  func whatIsNoJSONIsRefused(text: String) throws {
    #expect(problem(try folder.write(text, to: "wrong.json"))?.hasPrefix("launches") == true)
  }

  @Test func anErrorCannotPaintOnTheTerminal() throws {
    let path = folder.file("\u{1B}[31mred\u{202E}")

    let error = #expect(throws: Problem.self) { try feed(path).read() }

    #expect(error?.description.contains("\u{1B}") == false)
    #expect(error?.description.contains("\u{202E}") == false)
  }

  private func feed(_ path: String) -> Feed<ServedLaunch> { Feed(name: "launches", path: path) }

  /// Returns the part of the error message after the name of the file; `nil` if the file can be
  /// read.
  private func problem(_ path: String) -> String? {
    do {
      _ = try feed(path).read()
      return nil
    } catch {
      let start = "cannot use \(path): "
      return "\(error)".hasPrefix(start)
        ? String("\(error)".dropFirst(start.count)) : "\(error)"
    }
  }
}
