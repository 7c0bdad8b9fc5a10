import Foundation
import Mustache

/// HTML that a template made: all values in it are escaped.
public struct Markup: Sendable, Hashable {
  /// The HTML.
  public let text: String

  init(text: String) {
    self.text = text
  }
}

/// Makes HTML of a file in mustache, escaping all values.
public struct PageTemplate: Sendable {
  private let template: MustacheTemplate

  /// Reads a template.
  ///
  /// - Parameters:
  ///   - name: What its file is called, without `.mustache`.
  ///   - bundle: The resources of a module.
  ///   - folder: Where in them it is.
  /// - Throws: ``MissingFile``; what mustache says of a template that it cannot read.
  public init(_ name: String, in bundle: Bundle, folder: String) throws {
    let bytes = try bundle.file("\(name).mustache", folder: folder)
    try self.init(String(decoding: bytes, as: UTF8.self))
  }

  /// Reads a template from text.
  ///
  /// - Parameter text: Mustache.
  /// - Throws: What mustache says of a template that it cannot read.
  public init(_ text: String) throws {
    _ = Self.escaping
    template = try MustacheTemplate(string: "{{% CONTENT_TYPE:PAGE}}\(text)")
  }

  /// Fills in values.
  ///
  /// - Parameter values: Whose properties the template names. What is itself ``Markup`` is named
  ///   `{{{name.text}}}`.
  /// - Returns: The HTML.
  public func render(_ values: Any) -> Markup { Markup(text: template.render(values)) }

  /// The library's own escaping looks at characters, so it leaves a quote alone that is one
  /// character with the accent behind it, and a value could end its attribute.
  private static let escaping: Void = MustacheContentTypes.register(ScalarEscaping(), named: "PAGE")
}

private struct ScalarEscaping: MustacheContentType {
  func escapeText(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
      case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
      case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
      case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }
}
