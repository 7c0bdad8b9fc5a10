import Foundation

/// The part of the compiler's description of a module that contains its public declarations.
struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable {
      let precise: String
    }

    struct Fragment: Decodable {
      let spelling: String
    }

    let identifier: Identifier
    let pathComponents: [String]
    let declarationFragments: [Fragment]
  }

  struct Relationship: Decodable {
    let kind: String
    let source: String
    let target: String
    let targetFallback: String?
  }

  let symbols: [Symbol]
  let relationships: [Relationship]

  /// The lines of all declarations and conformances that are written in the module.
  ///
  /// Members that a type inherits from a protocol of another module are left out, because they
  /// follow from its conformance.
  var declarations: [String] {
    let written = symbols.filter { !$0.identifier.precise.contains("::SYNTHESIZED::") }
    let names = Dictionary(
      symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) },
      uniquingKeysWith: { first, _ in first })
    let conformances = relationships.filter { $0.kind == "conformsTo" }.compactMap { relationship in
      let target = names[relationship.target] ?? relationship.targetFallback ?? relationship.target
      let source = names[relationship.source]
      return Self.assumed.contains(target) ? nil : source.map { "\($0): conforms to \(target)" }
    }
    return written.map(\.line) + conformances
  }

  /// The protocols to which every type conforms unless it says otherwise.
  private static let assumed: Set = [
    "Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype",
  ]
}

extension SymbolGraph.Symbol {
  fileprivate var line: String {
    let text = declarationFragments.map(\.spelling).joined()
    let declaration = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return "\(pathComponents.joined(separator: ".")): \(declaration)"
  }
}
