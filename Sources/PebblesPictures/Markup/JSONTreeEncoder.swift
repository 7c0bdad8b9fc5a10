/// A place in a tree that is being encoded.
final class JSONSlot {
  var value: JSONTree?
  var members: [(key: String, slot: JSONSlot)] = []
  var elements: [JSONSlot] = []
  var isList = false

  /// What has been encoded here; an empty object, if nothing.
  var tree: JSONTree {
    if let value { return value }
    if isList { return .list(elements.map(\.tree)) }
    return .object(members.map { ($0.key, $0.slot.tree) })
  }

  func member(_ key: any CodingKey) -> JSONSlot {
    let slot = JSONSlot()
    members.append((key.stringValue, slot))
    return slot
  }

  func element() -> JSONSlot {
    let slot = JSONSlot()
    elements.append(slot)
    return slot
  }

  func encode(_ value: some Encodable) throws {
    switch value {
    case let text as String: self.value = .text(text)
    case let truth as Bool: self.value = .truth(truth)
    case let number as any FixedWidthInteger: self.value = .number(Int64(clamping: number))
    default: try value.encode(to: JSONTreeEncoder(self))
    }
  }
}

/// Encodes a value into a slot of a tree.
struct JSONTreeEncoder: Encoder {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private let slot: JSONSlot

  init(_ slot: JSONSlot) {
    self.slot = slot
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(JSONFields<Key>(slot: slot))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    slot.isList = true
    return JSONElementList(slot: slot)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { JSONSingle(slot: slot) }
}

private struct JSONFields<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let codingPath: [any CodingKey] = []
  let slot: JSONSlot

  func encodeNil(forKey key: Key) { slot.member(key).value = .null }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    try slot.member(key).encode(value)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    JSONTreeEncoder(slot.member(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    JSONTreeEncoder(slot.member(key)).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { JSONTreeEncoder(slot) }
  func superEncoder(forKey key: Key) -> any Encoder { JSONTreeEncoder(slot.member(key)) }
}

private struct JSONElementList: UnkeyedEncodingContainer {
  let codingPath: [any CodingKey] = []
  let slot: JSONSlot
  var count: Int { slot.elements.count }

  func encodeNil() { slot.element().value = .null }
  func encode(_ value: some Encodable) throws { try slot.element().encode(value) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    JSONTreeEncoder(slot.element()).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    JSONTreeEncoder(slot.element()).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { JSONTreeEncoder(slot.element()) }
}

private struct JSONSingle: SingleValueEncodingContainer {
  let codingPath: [any CodingKey] = []
  let slot: JSONSlot

  func encodeNil() { slot.value = .null }
  func encode(_ value: some Encodable) throws { try slot.encode(value) }
}
