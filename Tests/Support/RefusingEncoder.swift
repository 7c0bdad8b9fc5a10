/// An encoder that refuses to encode the values of some keys. A closure decides for each key; for a
/// value without a key, in a list or alone, the closure is called with `nil`.
///
/// The encoder discards the values that it does not refuse.
package struct RefusingEncoder: Encoder {
  /// The error that the encoder throws.
  package struct Refusal: Error {}

  package let codingPath: [any CodingKey] = []
  package let userInfo: [CodingUserInfoKey: Any] = [:]

  private let refuses: (String?) -> Bool

  /// Creates an encoder.
  ///
  /// - Parameter refuses: A closure that returns whether to refuse the value of a key.
  package init(_ refuses: @escaping (String?) -> Bool) {
    self.refuses = refuses
  }

  package func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Keyed(encoder: self))
  }

  package func unkeyedContainer() -> any UnkeyedEncodingContainer { Single(encoder: self) }

  package func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

  fileprivate func take(_ key: String?) throws {
    if refuses(key) { throw Refusal() }
  }
}

private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: RefusingEncoder
  let codingPath: [any CodingKey] = []

  func encodeNil(forKey key: Key) throws { try encoder.take(key.stringValue) }

  func encode(_: some Encodable, forKey key: Key) throws { try encoder.take(key.stringValue) }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey _: Key
  ) -> KeyedEncodingContainer<Inner> {
    encoder.container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey _: Key) -> any UnkeyedEncodingContainer {
    encoder.unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder }

  func superEncoder(forKey _: Key) -> any Encoder { encoder }
}

private struct Single: SingleValueEncodingContainer, UnkeyedEncodingContainer {
  let encoder: RefusingEncoder
  let codingPath: [any CodingKey] = []
  let count = 0

  func encodeNil() throws { try encoder.take(nil) }

  func encode(_: some Encodable) throws { try encoder.take(nil) }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type
  ) -> KeyedEncodingContainer<Inner> {
    encoder.container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }

  func superEncoder() -> any Encoder { encoder }
}
