import PebblesAnalysis

/// What a value encodes itself as, to be written as JSON: an encoder for where there is none of
/// Foundation's.
///
/// It is for values that encode themselves as objects, lists, texts, truths and whole numbers,
/// field by field.
indirect enum JSONTree {
  case object([(key: String, value: JSONTree)])
  case list([JSONTree])
  case text(String)
  case truth(Bool)
  case number(Int64)
  case null

  init(_ value: some Encodable) {
    let slot = JSONSlot()
    do {
      try value.encode(to: JSONTreeEncoder(slot))
    } catch {
      preconditionFailure("\(type(of: value)) cannot be encoded: \(error)")
    }
    self = slot.tree
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .object(let members):
      writer.object { writer in
        for (key, value) in members {
          writer.key(key)
          value.write(to: &writer)
        }
      }
    case .list(let elements):
      writer.list { writer in for element in elements { element.write(to: &writer) } }
    case .text(let text): writer.value(text)
    case .truth(let truth): writer.value(truth)
    case .number(let number): writer.value(number)
    case .null: preconditionFailure("nothing that is written here is null")
    }
  }
}
