import Foundation

@testable import PebblesPictures

/// A runner for the part of the script of the page that does not access the page. It uses Node if
/// it is installed, and the browser otherwise.
enum JavaScript {
  static let howToInstall = """
    There is neither Node nor Chromium: `apt-get install nodejs`, or `chromium chromium-driver`, \
    adds one
    """

  static let isInstalled = node != nil || Browser.isInstalled

  private static let node = Program.path(of: "node")

  /// The script up to the first access to an element of the page.
  private static var engine: Substring {
    let script = PageText.script.drop { $0 != "{" }.dropFirst()
    let end = script.firstRange(of: "const svgNamespace")?.lowerBound
    return script[..<(end ?? script.endIndex)]
  }

  /// Returns the text of the value that `code`, the body of a function, returns when it can access
  /// the engine.
  static func result(of code: String) throws -> String {
    let function = "(() => {\(engine)\n\(code)\n})()"
    if let node {
      return try Program.run(node, ["-"], input: "process.stdout.write(String(\(function)))")
    }
    var result = ""
    try Browser.using { result = try $0.text(function) }
    return result
  }
}
