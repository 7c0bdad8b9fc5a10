import Foundation
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

  @Test func aTruncatedFileIsFaultedAtItsEnd() throws {
    let path = try folder.write(String(SampleFeeds.launches.dropLast(40)), to: "short.json")

    let problem = try #require(self.problem(path))

    #expect(problem.hasPrefix("line 7, column "))
    #expect(problem.hasSuffix("is it truncated?"))
  }

  @Test(arguments: [100, 150, 100_000])
  func aDeepFileIsFaultedBeforeItIsDecoded(depth: Int) throws {
    let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let text = #"[{"id": "a", "name": "N", "date_unix": 1, "ignored": \#(deep)}]"#

    let problem = try #require(self.problem(folder.write(text, to: "deep.json")))

    #expect(problem.hasSuffix("lists and objects are nested more than 64 levels deep"))
  }

  @Test func anErrorCannotPaintOnTheTerminal() throws {
    let path = folder.file("\u{1B}[31mred\u{202E}")

    let error = #expect(throws: FeedError.self) { try JSONFeed<Launch>(path: path).read() }

    #expect(error?.description.contains("\u{1B}") == false)
    #expect(error?.description.contains("\u{202E}") == false)
  }

  private func problem(_ path: String) -> String? {
    do {
      _ = try JSONFeed<Launch>(path: path).read()
      return nil
    } catch {
      return error.problem
    }
  }
}
