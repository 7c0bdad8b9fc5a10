import Foundation
import TrackerTestSupport

@testable import People
@testable import PeoplePage

/// A runner for the part of the page's script that needs no page. It uses Node if installed, and
/// the browser otherwise.
enum JavaScript {
  static let howToInstall = """
    There is neither Node nor Chromium: `apt-get install nodejs`, or `chromium chromium-driver`, \
    adds one
    """

  static let isInstalled = node != nil || Browser.isInstalled

  private static let node = DriverProcess.path(of: "node")

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs `code` as the body of a function, with everything that the modules export in scope, and
  /// returns the result of the function.
  static func result(importing modules: [String], _ code: String) async throws -> JSONValue {
    guard let node else { return try await resultInBrowser(modules, code) }
    let folder = PeopleFiles.folder.absoluteString
    let imports = modules.map { "await import('\(folder)\($0)')" }
    let program = """
      \(scope(imports))
      const result = (() => {\(code)})();
      process.stdout.write(JSON.stringify({ result }));
      """
    let process = Process()
    process.executableURL = URL(filePath: node)
    process.arguments = ["--input-type=module", "-e", program]
    process.standardInput = FileHandle.nullDevice
    let (output, errors) = try Process.startingAlone {
      let (output, errors) = (Pipe(), Pipe())
      process.standardOutput = output
      process.standardError = errors
      try process.run()
      return (output, errors)
    }
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let complaint = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: String(decoding: complaint, as: UTF8.self))
    }
    return try JSONDecoder().decode(JSONValue.self, from: text)["result"]
  }

  private static func resultInBrowser(
    _ modules: [String], _ code: String
  ) async throws -> JSONValue {
    let (results, result) = AsyncStream.makeStream(of: JSONValue.self)
    try await PeopleServer.using(PeopleService(.some)) { server in
      try await Browser.using { browser in
        try await browser.open("\(server.address)/people")
        let imports = modules.map { "await import('/people/files/\($0)')" }
        result.yield(
          try await browser.result(
            of: "(async () => { \(scope(imports)); return (() => {\(code)})(); })()"))
      }
    }
    result.finish()
    return await results.first { _ in true } ?? .null
  }

  private static func scope(_ imports: [String]) -> String {
    """
    const { Heights, Scale, mostScrollHeight, edge, initialState, reduce, personAt, countText,
      isBusy, Store, meaningOf, filtersIn, queryOf, noFilters } = Object.assign(
        {}, \(imports.joined(separator: ", ")));
    """
  }
}
