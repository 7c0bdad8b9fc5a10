extension KeyedDecodingContainer {
  /// An integer, with a coding path in the error where the decoder gives none: a number that is not
  /// a whole one, or too large, is to `JSONDecoder` an error of the document and not of the field.
  func integerIfPresent(forKey key: Key) throws -> Int? {
    do {
      return try decodeIfPresent(Int.self, forKey: key)
    } catch let error as DecodingError where !error.isDataCorrupted {
      throw error
    } catch {
      throw fault(key, "should be a whole number of at most 18 digits")
    }
  }

  /// An identifier, which has to be there and to say something.
  func identifier(forKey key: Key) throws -> String {
    let identifier = try decode(String.self, forKey: key)
    guard !identifier.isEmpty else { throw fault(key, "is empty") }
    return identifier
  }

  /// An error at a field. The problem goes on where the field's name ends, as in "is missing".
  func fault(_ key: Key, _ problem: String) -> DecodingError {
    .dataCorruptedError(forKey: key, in: self, debugDescription: problem)
  }
}

extension DecodingError {
  fileprivate var isDataCorrupted: Bool {
    if case .dataCorrupted = self { true } else { false }
  }
}
