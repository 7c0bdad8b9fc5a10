import Foundation

@testable import PebblesPictures

/// An environment for the part of the page's script that needs no page: Node if it is installed,
/// and the browser otherwise.
enum JavaScript {
  static let howToInstall = """
    There is neither Node nor Chromium: `apt-get install nodejs`, or `chromium chromium-driver`, \
    adds one
    """

  static let isInstalled = node != nil || Browser.isInstalled

  private static let node = Program.path(of: "node")

  /// The part of the script before the first use of page elements.
  private static var engine: Substring {
    let script = PageText.script.drop { $0 != "{" }.dropFirst()
    let end = script.firstRange(of: "const svgNamespace")?.lowerBound
    return script[..<(end ?? script.endIndex)]
  }

  /// Returns the result of `code`, the body of a function, as text. The engine of the page is in
  /// scope.
  static func result(of code: String) throws -> String {
    let function = "(() => {\(engine)\n\(code)\n})()"
    if let node { return try NodeProcess.result(of: function, by: node) }
    var result = ""
    try Browser.using { result = try $0.text(function) }
    return result
  }
}
