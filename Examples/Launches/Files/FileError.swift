import Foundation

/// Why something could not be done to a file, as a sentence.
struct FileError: Error, Equatable, CustomStringConvertible {
  let path: String
  /// `read`, `write`, `lock` or `make`.
  let action: String
  let reason: String

  init(path: String, action: String, reason: String) {
    self.path = path
    self.action = action
    self.reason = reason
  }

  init(path: String, action: String, code: Int32) {
    let words = String(cString: strerror(code))
    self.init(path: path, action: action, reason: words.prefix(1).lowercased() + words.dropFirst())
  }

  var description: String { "cannot \(action) \(printable(path)): \(reason)" }
}
