import Foundation

extension Error {
  /// The error's message as one sentence. If it is a verbose Foundation error, only the essential
  /// part is included.
  package var sentence: String {
    let text = "\(self)"
    guard text.hasPrefix("Error Domain=") else { return text }
    let error = self as NSError
    let underlying = error.userInfo[NSUnderlyingErrorKey] as? any Error
    let reason = (underlying ?? error).foundationReason
    guard let path = error.userInfo[NSFilePathErrorKey] as? String else { return reason }
    return "\(path): \(reason)"
  }
}

extension Error {
  /// The reason for a Foundation error, without a description of the operation that failed.
  fileprivate var foundationReason: String {
    let error = self as NSError
    if error.domain == NSPOSIXErrorDomain, let code = Int32(exactly: error.code) {
      return String(cString: strerror(code))
    }
    let preamble = "The operation could not be completed. "
    let text = localizedDescription
    return text.hasPrefix(preamble) ? String(text.dropFirst(preamble.count)) : text
  }
}
