import Foundation

extension Error {
  /// The message of the error as one sentence. For the verbose errors of Foundation, the essential
  /// part is extracted.
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
  /// The reason for an error of Foundation, without a description of the operation that failed.
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
