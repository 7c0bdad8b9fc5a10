import Foundation

/// The document the store is: two collections, each with the time of its last load.
struct StoreContents: Codable, Equatable, Sendable {
  static let currentVersion = 1

  private(set) var version = currentVersion
  var launches = StoredCollection<Launch>()
  var cores = StoredCollection<Core>()

  var isEmpty: Bool { launches.items.isEmpty && cores.items.isEmpty }

  func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    // Sorted, so that equal contents are equal files.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try Array(encoder.encode(self)) + [UInt8(ascii: "\n")]
  }
}

/// The items of one kind, as their source last had them.
struct StoredCollection<Item>: Codable, Equatable, Sendable
where Item: Codable & Equatable & Identifiable & Sendable, Item.ID == String {
  private(set) var items: [Item] = []
  /// `nil` until a load has succeeded.
  private(set) var loadedAt: Date?

  subscript(id: String) -> Item? { items.first { $0.id == id } }

  /// Takes on the items of a source, in its order.
  mutating func replaceItems(with newItems: [Item], loadedAt: Date) -> Changes {
    let old = Dictionary(items.map { ($0.id, $0) }) { _, last in last }
    var changes = Changes()
    for item in newItems {
      guard let before = old[item.id] else {
        changes.created += 1
        continue
      }
      if before == item { changes.unchanged += 1 } else { changes.updated += 1 }
    }
    changes.deleted = old.count - changes.updated - changes.unchanged
    items = newItems
    self.loadedAt = loadedAt
    return changes
  }
}

/// What a load did to the items of a collection.
struct Changes: Equatable, Sendable, CustomStringConvertible {
  var created = 0
  var updated = 0
  var deleted = 0
  var unchanged = 0

  var description: String {
    let counts = [
      (created, "created"), (updated, "updated"), (deleted, "deleted"), (unchanged, "unchanged"),
    ]
    let told = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return told.isEmpty ? "nothing there" : told.joined(separator: ", ")
  }
}
