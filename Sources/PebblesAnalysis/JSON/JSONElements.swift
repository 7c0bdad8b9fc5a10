/// The values of a list, one after the other.
package struct JSONElements: Sequence, IteratorProtocol {
  let document: JSONDocument
  private var index: Int
  private let end: Int

  /// Creates a sequence of the values in a document from node `index` up to node `end`.
  init(document: JSONDocument, index: Int, end: Int) {
    self.document = document
    self.index = index
    self.end = end
  }

  package mutating func next() -> JSONValue? {
    guard index < end else { return nil }
    let value = JSONValue(document: document, index: index)
    index = document.end(of: index)
    return value
  }
}
