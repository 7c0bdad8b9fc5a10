import Foundation

extension Error {
  /// What the error says, as one sentence: those of Foundation say it among much else.
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
  /// Why, without what it is the reason for.
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
