extension JSONValue {
  /// Throws an error unless this document states the given format and version. The format and the
  /// version are checked before anything else in a document is read.
  func checkFormat(_ format: String, version: Int) throws(JSONError) {
    guard kind == .object else { throw fault("there should be an object here") }
    guard let found = self["format"] else {
      throw fault("the object that starts here has no \"format\"; it should be \"\(format)\"")
    }
    guard try found.string() == format else {
      throw found.fault("the format should be \"\(format)\"")
    }
    guard let found = self["version"] else {
      throw fault("the object that starts here has no \"version\"")
    }
    guard try found.integer(Int.self, in: 1...Int.max) == version else {
      throw found.fault("the version should be \(version), the newest known here")
    }
  }
}
