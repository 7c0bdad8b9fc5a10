import Foundation
import PebblesTestSupport
import Synchronization

/// A process of Node that computes one function after another. Starting Node takes longer than most
/// functions of tests.
final class NodeProcess: Sendable {
  /// The processes that are waiting for work. They end together with the test process, which closes
  /// their inputs.
  private static let idle = Mutex<[NodeProcess]>([])

  /// Reads a function as a line of JSON, and writes its result, or the error, as a line of JSON.
  private static let loop = """
    require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
      let answer;
      try {
        answer = { result: String((0, eval)(JSON.parse(line))) };
      } catch (error) {
        answer = { error: String(error?.stack ?? error) };
      }
      process.stdout.write(JSON.stringify(answer) + '\\n');
    });
    """

  private struct Answer: Decodable {
    let result: String?
    let error: String?
  }

  private let input: FileHandle
  private let output: FileHandle

  private init(_ path: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = ["-e", Self.loop]
    (input, output) = try Process.startingAlone {
      let (input, output) = (Pipe(), Pipe())
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      try input.fileHandleForReading.close()
      try output.fileHandleForWriting.close()
      return (input.fileHandleForWriting, output.fileHandleForReading)
    }
  }

  /// Evaluates an expression in a process that has no other work.
  ///
  /// - Parameters:
  ///   - expression: An expression, such as a call to a function. It may not change any globals.
  ///   - path: The path of Node.
  /// - Returns: The result, converted to a string.
  /// - Throws: ``Program/Failure`` if the expression throws an error, or Node ends.
  static func result(of expression: String, by path: String) throws -> String {
    let number = Watch.shared.begin("the program node")
    defer { Watch.shared.end(number) }
    let process = try idle.withLock({ $0.popLast() }) ?? NodeProcess(path)
    let line = try process.answer(to: JSONEncoder().encode(expression) + [0x0A])
    idle.withLock { $0.append(process) }
    let answer = try JSONDecoder().decode(Answer.self, from: line)
    guard let result = answer.result else {
      throw Program.Failure(message: answer.error ?? "node gave no result")
    }
    return result
  }

  private func answer(to line: Data) throws -> Data {
    try input.write(contentsOf: line)
    var answer = Data()
    while answer.last != 0x0A {
      let part = output.availableData
      guard !part.isEmpty else { throw Program.Failure(message: "node ended without an answer") }
      answer += part
    }
    return answer
  }
}
