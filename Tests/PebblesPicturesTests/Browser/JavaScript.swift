import Foundation

@testable import PebblesPictures

/// Runs the part of the page's script that needs no page: in Node if that is there, else in the
/// browser.
enum JavaScript {
  static let howToInstall = """
    There is neither Node nor Chromium: `apt-get install nodejs`, or `chromium chromium-driver`, \
    adds one
    """

  static let isInstalled = node != nil || Browser.isInstalled

  private static let node = Program.path(of: "node")

  /// The script up to where it begins to speak of elements.
  private static var engine: Substring {
    let script = PageText.script.drop { $0 != "{" }.dropFirst()
    let end = script.firstRange(of: "const svgNamespace")?.lowerBound
    return script[..<(end ?? script.endIndex)]
  }

  /// What `code`, the body of a function, returns with the engine in scope, as text.
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
