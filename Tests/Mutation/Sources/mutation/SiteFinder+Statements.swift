import SwiftSyntax

extension SiteFinder {
  private static let unless = "if !isMutant(\(Site.number)) { "

  func addStatements(of list: CodeBlockItemListSyntax) {
    let items = Array(list)
    for (place, item) in items.enumerated() {
      switch Statement(item) {
      case .call(let call, let tried):
        if !mayBeValue(item) {
          remove(.call, item, named: call)
          if let tried { ignoreError(item, tried) }
        }
      case .assignment: if !isInInitializer(item) { remove(.transition, item) }
      case .leave: if isSkippable(item, isLast: place == items.count - 1) { removeLeaving(item) }
      case .other: break
      }
      if place > 0 { swap(items[place - 1], item) }
    }
  }

  private func remove(_ kind: MutantKind, _ item: CodeBlockItemSyntax, named name: String = "") {
    guard !Self.isAboutNothing(name), !name.hasPrefix("super."), !name.hasPrefix("self.init"),
      item.bytes.count <= 400
    else { return }
    surround(
      kind, item.bytes, Self.unless, " }", after: "", isIdle: name == "withExtendedLifetime")
  }

  private func removeLeaving(_ item: CodeBlockItemSyntax) {
    guard item.bytes.count <= 300 else { return }
    surround(.propagation, item.bytes, Self.unless, " }", after: "")
  }

  private func ignoreError(_ item: CodeBlockItemSyntax, _ tried: TokenSyntax) {
    let text = text(item)
    guard text.utf8.count <= 200 else { return }
    let place = tried.bytes.upperBound - item.bytes.lowerBound
    let ignoring = "\(text.prefix(place))?\(text.dropFirst(place))"
    add(
      .propagation, item.bytes, after: ignoring,
      [
        Site.Edit(
          range: item.bytes,
          text: "if isMutant(\(Site.number)) { \(ignoring) } else { \(text) }")
      ])
  }

  /// Adds a mutant that swaps two adjacent statements, if both are calls or assignments.
  private func swap(_ first: CodeBlockItemSyntax, _ second: CodeBlockItemSyntax) {
    guard Statement(first).isAction, Statement(second).isAction, second.bytes.count <= 200,
      first.bytes.count <= 300, !isInInitializer(second), !mayBeLastValue(second)
    else { return }
    let moved = text(second)
    guard !Self.isAboutNothing(moved), !Self.isAboutNothing(text(first)) else { return }
    let range = first.bytes.lowerBound..<second.bytes.upperBound
    add(
      .order, range, after: "\(moved) \(text(first))",
      [
        Site.Edit(
          range: range.lowerBound..<range.lowerBound,
          text: "if isMutant(\(Site.number)) { \(moved) }; "),
        Site.Edit(range: second.bytes.lowerBound..<second.bytes.lowerBound, text: Self.unless),
        Site.Edit(range: range.upperBound..<range.upperBound, text: " }"),
      ], isIdle: !Statement(first).isCall && !Statement(second).isCall)
  }

  func addDefer(_ node: DeferStmtSyntax) {
    guard let first = node.body.statements.first, let last = node.body.statements.last else {
      return
    }
    let range = first.bytes.lowerBound..<last.bytes.upperBound
    surround(.propagation, range, Self.unless, " }", after: "")
  }

  // MARK: Where statements stand

  /// Returns whether removing a statement may change the value of the code around it, because the
  /// statement may be an expression whose value is used.
  private func mayBeValue(_ item: CodeBlockItemSyntax) -> Bool {
    guard let list = item.parent?.as(CodeBlockItemListSyntax.self), list.count == 1 else {
      return false
    }
    return mayBeValue(soleOf: list)
  }

  private func mayBeLastValue(_ item: CodeBlockItemSyntax) -> Bool { mayBeValue(item) }

  private func mayBeValue(soleOf list: CodeBlockItemListSyntax) -> Bool {
    guard let block = list.parent else { return true }
    if block.is(ClosureExprSyntax.self) || block.is(AccessorBlockSyntax.self) { return true }
    if block.is(SwitchCaseSyntax.self) {
      return mayBeValue(choice: block.parent?.parent)
    }
    guard let owner = block.parent else { return true }
    if let function = owner.as(FunctionDeclSyntax.self) {
      return function.signature.returnClause != nil
    }
    if let choice = owner.as(IfExprSyntax.self) {
      var outermost = choice
      while let outer = outermost.parent?.as(IfExprSyntax.self) { outermost = outer }
      return choice.elseBody == nil && outermost == choice
        ? false : mayBeValue(choice: Syntax(outermost))
    }
    return owner.is(AccessorDeclSyntax.self)
  }

  /// Returns whether an `if` or a `switch` may be an expression whose value is used, and not a
  /// statement among others.
  private func mayBeValue(choice: Syntax?) -> Bool {
    guard let statement = choice?.parent?.as(ExpressionStmtSyntax.self),
      let item = statement.parent?.as(CodeBlockItemSyntax.self)
    else { return true }
    return mayBeValue(item)
  }

  private func isInInitializer(_ item: CodeBlockItemSyntax) -> Bool {
    var node = item.parent
    while let current = node, !current.is(FunctionDeclSyntax.self) {
      if current.is(InitializerDeclSyntax.self) { return true }
      if current.is(ClosureExprSyntax.self) { return false }
      node = current.parent
    }
    return false
  }

  /// Returns whether the code can continue after a removed `return`, `throw`, `break` or
  /// `continue`.
  private func isSkippable(_ item: CodeBlockItemSyntax, isLast: Bool) -> Bool {
    guard isLast, let block = item.parent?.parent else { return false }
    let isSole = item.parent?.as(CodeBlockItemListSyntax.self)?.count == 1
    if block.is(SwitchCaseSyntax.self) {
      // A lone `break` is what an empty case is written as.
      return !(isSole && text(item) == "break")
    }
    guard let choice = block.parent?.as(IfExprSyntax.self) else { return false }
    return choice.elseBody == nil || text(item) == "return" || !text(item).hasPrefix("return")
  }
}

/// The effect of a statement, as far as it matters for mutants.
private enum Statement {
  /// A call, with the name of the called function and the `try` before it, if there is one.
  case call(String, TokenSyntax?)
  case assignment
  case leave
  case other

  var isCall: Bool { if case .call = self { true } else { false } }

  var isAction: Bool {
    switch self {
    case .call, .assignment: true
    case .leave, .other: false
    }
  }

  init(_ item: CodeBlockItemSyntax) {
    switch item.item {
    case .expr(let expression): self.init(expression)
    case .stmt(let statement):
      let leaves =
        statement.is(ReturnStmtSyntax.self) || statement.is(BreakStmtSyntax.self)
        || statement.is(ContinueStmtSyntax.self) || statement.is(ThrowStmtSyntax.self)
      self = leaves ? .leave : .other
    case .decl: self = .other
    }
  }

  private init(_ expression: ExprSyntax) {
    var inner = expression
    var tried: TokenSyntax?
    while true {
      if let attempt = inner.as(TryExprSyntax.self) {
        if attempt.questionOrExclamationMark == nil { tried = attempt.tryKeyword }
        inner = attempt.expression
      } else if let wait = inner.as(AwaitExprSyntax.self) {
        inner = wait.expression
      } else {
        break
      }
    }
    if let call = inner.as(FunctionCallExprSyntax.self) {
      self = .call(call.calledExpression.trimmedDescription, tried)
    } else if let infix = inner.as(InfixOperatorExprSyntax.self) {
      self.init(infix, tried)
    } else {
      self = .other
    }
  }

  private init(_ infix: InfixOperatorExprSyntax, _ tried: TokenSyntax?) {
    if infix.operator.is(AssignmentExprSyntax.self) {
      let isDiscarded = infix.leftOperand.is(DiscardAssignmentExprSyntax.self)
      self = isDiscarded ? .call("_", tried) : .assignment
    } else if let sign = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text,
      sign.hasSuffix("="), !["==", "!=", "<=", ">=", "===", "!=="].contains(sign)
    {
      self = .assignment
    } else {
      self = .other
    }
  }
}
