import SwiftSyntax

extension SiteFinder {
  private static let operators = [
    "+": "-", "-": "+", "&&": "||", "||": "&&", "==": "!=", "!=": "==", "===": "!==",
    "!==": "===", "*": "+", "/": "*", "&+": "&-", "&-": "&+", "&": "|", "|": "&", "<<": ">>",
    ">>": "<<", "%": "/",
  ]
  private static let boundaries = ["<": "<=", "<=": "<", ">": ">=", ">=": ">"]

  /// The members that are easily mistaken for another one. Similarly, `calledPairs` contains
  /// members that are called.
  private static let pairs = [
    "first": "last", "last": "first", "lowerBound": "upperBound", "upperBound": "lowerBound",
    "startIndex": "endIndex", "endIndex": "startIndex",
  ]
  private static let calledPairs = [
    "min": "max", "max": "min", "removeFirst": "removeLast", "removeLast": "removeFirst",
    "popLast": "popFirst", "popFirst": "popLast", "dropFirst": "dropLast", "dropLast": "dropFirst",
    "first": "last", "last": "first", "firstIndex": "lastIndex", "lastIndex": "firstIndex",
    "prefix": "suffix", "suffix": "prefix", "union": "intersection", "intersection": "union",
    "formUnion": "formIntersection", "formIntersection": "formUnion", "hasPrefix": "hasSuffix",
    "hasSuffix": "hasPrefix",
  ]

  func addOperator(_ node: InfixOperatorExprSyntax) {
    guard let sign = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else { return }
    let left = text(node.leftOperand)
    let right = text(node.rightOperand)
    if let other = Self.operators[sign] {
      // Texts and lists have no other operation.
      let isJoined = ["\"", "["].contains { left.hasPrefix($0) || right.hasPrefix($0) }
      if sign != "+" || !isJoined { replace(.operator, node, by: "\(left) \(other) \(right)") }
    }
    if let other = Self.boundaries[sign] {
      replace(.boundary, node, by: "\(left) \(other) \(right)")
      let turned = sign.hasPrefix("<") ? ">" : "<"
      replace(.operator, node, by: "\(left) \(turned)\(sign.dropFirst()) \(right)")
    }
    switch sign {
    case "..<": addEnd(of: node, by: "+ 1", after: "\(left)...\(right)")
    case "...": addEnd(of: node, by: "- 1", after: "\(left)..<\(right)")
    case "??": replace(.optional, node, by: right)
    default: break
    }
  }

  /// Adds a mutant that moves the upper bound of a range. It does not replace the operator, because
  /// the other operator would create a range of another type.
  private func addEnd(of node: InfixOperatorExprSyntax, by step: String, after: String) {
    let end = node.rightOperand.bytes
    guard end.count <= 80 else { return }
    let text = text(end)
    let moved = "(isMutant(\(Site.number)) ? (\(text)) \(step) : (\(text)))"
    add(.boundary, node.bytes, after: after, [Site.Edit(range: end, text: moved)])
  }

  func addConstant(_ node: IntegerLiteralExprSyntax) {
    guard isValue(node), let value = Int(node.literal.text.filter { $0 != "_" }) else { return }
    replace(.constant, node, by: "\(value + 1)")
  }

  func addConstant(_ node: BooleanLiteralExprSyntax) {
    guard isValue(node) else { return }
    let value = text(node) == "true"
    let edit = "\(value ? "!" : "")isMutant(\(Site.number))"
    add(.constant, node.bytes, after: "\(!value)", [Site.Edit(range: node.bytes, text: edit)])
  }

  /// Returns whether a literal is a value worth changing, and not one of many in a table.
  private func isValue(_ node: some ExprSyntaxProtocol) -> Bool {
    guard let list = node.parent?.parent?.as(ArrayElementListSyntax.self) else { return true }
    return list.count <= 4
  }

  func addPair(_ node: MemberAccessExprSyntax) {
    guard let base = node.base, node.parent?.is(FunctionCallExprSyntax.self) != true,
      node.parent?.is(MemberAccessExprSyntax.self) != true || node.declName.baseName.text != "self"
    else { return }
    let name = node.declName.baseName.text
    if name == "isEmpty" {
      replace(.branch, node, by: "!\(text(node))")
    } else if let other = Self.pairs[name] {
      replace(.optional, node, by: "\(text(base)).\(other)")
    }
  }

  func addPair(_ node: FunctionCallExprSyntax) {
    let name: TokenSyntax
    if let member = node.calledExpression.as(MemberAccessExprSyntax.self) {
      name = member.declName.baseName
    } else if let function = node.calledExpression.as(DeclReferenceExprSyntax.self) {
      name = function.baseName
    } else {
      return
    }
    guard let other = Self.calledPairs[name.text] else { return }
    let start = node.bytes.lowerBound
    let place = name.bytes
    let changed =
      text(start..<place.lowerBound) + other + text(place.upperBound..<node.bytes.upperBound)
    replace(.optional, node, by: changed)
  }

  /// Returns whether a node compares the same property of two elements. The order of equal elements
  /// rarely matters.
  func isComparator(_ node: some SyntaxProtocol) -> Bool {
    guard let infix = node.as(InfixOperatorExprSyntax.self) else { return false }
    let left = text(infix.leftOperand)
    let right = text(infix.rightOperand)
    return left.hasPrefix("$") && right.hasPrefix("$") && left.dropFirst(2) == right.dropFirst(2)
  }

  // MARK: Conditions

  func addConditions(_ condition: ExprSyntax, of element: ConditionElementSyntax) {
    let list = element.parent?.as(ConditionElementListSyntax.self)
    let statement = list?.parent
    // A loop whose condition is turned never begins, or never ends.
    if statement?.is(WhileStmtSyntax.self) != true { addCondition(.branch, condition) }
    if (list?.count ?? 0) > 1 || statement?.is(GuardStmtSyntax.self) == true {
      addCondition(.condition, condition)
    }
  }

  func addCondition(_ kind: MutantKind, _ condition: ExprSyntax) {
    let isDropped = kind == .condition
    let sign = isDropped ? "||" : "!="
    surround(
      kind, condition.bytes, "((", ") \(sign) isMutant(\(Site.number)))",
      after: isDropped ? "true" : "!(\(text(condition)))",
      isPlainNegation: !isDropped && hasPlainNegation(condition))
  }

  /// Returns whether another kind of mutant also produces the negation of a condition.
  private func hasPlainNegation(_ condition: ExprSyntax) -> Bool {
    if condition.as(PrefixOperatorExprSyntax.self)?.operator.text == "!" { return true }
    if condition.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "isEmpty" {
      return true
    }
    let sign = condition.as(InfixOperatorExprSyntax.self)?.operator
      .as(BinaryOperatorExprSyntax.self)?.operator.text
    return sign.map { ["==", "!=", "===", "!=="].contains($0) } ?? false
  }
}
