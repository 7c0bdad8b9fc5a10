import Foundation
import Mustache

/// HTML created from a template. All values that are not themselves HTML are escaped.
public struct Markup: Sendable, Hashable {
  /// The HTML.
  public let text: String

  init(text: String) {
    self.text = text
  }
}

/// A Mustache template for HTML, which escapes all values except those in triple braces.
public struct PageTemplate: Sendable {
  private let template: MustacheTemplate

  /// Reads a template from a file.
  ///
  /// - Parameters:
  ///   - name: The name of the file, without `.mustache`.
  ///   - bundle: The resource bundle of a module.
  ///   - folder: The folder in the bundle.
  /// - Throws: ``MissingFile`` if the file cannot be read; a Mustache error if the template is
  ///   invalid.
  public init(_ name: String, in bundle: Bundle, folder: String) throws {
    let bytes = try bundle.file("\(name).mustache", folder: folder)
    try self.init(String(decoding: bytes, as: UTF8.self))
  }

  /// Creates a template from a string.
  ///
  /// - Parameter text: The template, in Mustache syntax.
  /// - Throws: A Mustache error if the template is invalid.
  public init(_ text: String) throws {
    _ = Self.escaping
    template = try MustacheTemplate(string: "{{% CONTENT_TYPE:PAGE}}\(text)")
  }

  /// Renders the template with the given values.
  ///
  /// - Parameter values: The object whose properties the template refers to. A property of type
  ///   ``Markup`` is written as `{{{name.text}}}` in the template.
  /// - Returns: The HTML.
  public func render(_ values: Any) -> Markup { Markup(text: template.render(values)) }

  /// The registration of a content type whose escaping works on Unicode scalars. The library's own
  /// escaping works on characters. It therefore does not escape a quote combined with an accent, so
  /// a value with such a quote could end the attribute around it.
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
