import SwiftOperators
import SwiftParser
import SwiftSyntax

/// A visitor that finds all places in a Swift source at which a mutant can be made.
///
/// It skips code whose changes no test can or should detect: texts, arguments of assertions, checks
/// of invariants, code for other platforms, and code that is compiled into clients.
final class SiteFinder: SyntaxVisitor {
  private(set) var sites: [Site] = []
  private let source: [UInt8]
  private var scopes: [(name: String, range: Range<Int>)] = []

  init(_ source: String) {
    self.source = Array(source.utf8)
    super.init(viewMode: .sourceAccurate)
  }

  static func sites(in source: String) -> [Site] {
    let finder = SiteFinder(source)
    let tree = Parser.parse(source: source)
    finder.walk(OperatorTable.standardOperators.foldAll(tree) { _ in })
    return finder.sites
  }

  // MARK: What is added

  func text(_ range: Range<Int>) -> String { String(decoding: source[range], as: UTF8.self) }
  func text(_ node: some SyntaxProtocol) -> String { text(node.bytes) }

  func add(
    _ kind: MutantKind, _ range: Range<Int>, after: String, _ edits: [Site.Edit],
    isIdle: Bool = false, isPlainNegation: Bool = false
  ) {
    guard let scope = scopes.last else { return }
    let name = scopes.map(\.name).joined(separator: ".")
    sites.append(
      Site(
        kind: kind, function: name, functionRange: scope.range, range: range, before: text(range),
        after: after, edits: edits, isIdle: isIdle, isPlainNegation: isPlainNegation))
  }

  /// Adds a mutant that replaces an expression with another one.
  func replace(_ kind: MutantKind, _ node: some SyntaxProtocol, by other: String) {
    let range = node.bytes
    guard range.count <= 160 else { return }
    let text = "(isMutant(\(Site.number)) ? (\(other)) : (\(text(range))))"
    add(
      kind, range, after: other, [Site.Edit(range: range, text: text)],
      isIdle: kind == .boundary && isComparator(node))
  }

  /// Adds a mutant that inserts text before and after a range of bytes.
  func surround(
    _ kind: MutantKind, _ range: Range<Int>, _ before: String, _ behind: String, after: String,
    isIdle: Bool = false, isPlainNegation: Bool = false
  ) {
    add(
      kind, range, after: after,
      [
        Site.Edit(range: range.lowerBound..<range.lowerBound, text: before),
        Site.Edit(range: range.upperBound..<range.upperBound, text: behind),
      ], isIdle: isIdle, isPlainNegation: isPlainNegation)
  }

  // MARK: Functions and types

  private func enter(_ name: String, _ node: some SyntaxProtocol) -> SyntaxVisitorContinueKind {
    scopes.append((name, node.bytes))
    return .visitChildren
  }

  private func enter(
    _ name: String, _ node: some SyntaxProtocol, _ attributes: AttributeListSyntax
  ) -> SyntaxVisitorContinueKind {
    _ = enter(name, node)
    let isShared = ["@inlinable", "@_transparent", "@available"].contains {
      attributes.trimmedDescription.contains($0)
    }
    return isShared || name.contains("nvariants") ? .skipChildren : .visitChildren
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text, node)
  }
  override func visitPost(_ node: StructDeclSyntax) { scopes.removeLast() }
  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text, node)
  }
  override func visitPost(_ node: ClassDeclSyntax) { scopes.removeLast() }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text, node)
  }
  override func visitPost(_ node: ActorDeclSyntax) { scopes.removeLast() }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text, node)
  }
  override func visitPost(_ node: EnumDeclSyntax) { scopes.removeLast() }
  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.extendedType.trimmedDescription, node)
  }
  override func visitPost(_ node: ExtensionDeclSyntax) { scopes.removeLast() }
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    let labels = node.signature.parameterClause.parameters.map { "\($0.firstName.text):" }
    return enter("\(node.name.text)(\(labels.joined()))", node, node.attributes)
  }
  override func visitPost(_ node: FunctionDeclSyntax) { scopes.removeLast() }
  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    let labels = node.signature.parameterClause.parameters.map { "\($0.firstName.text):" }
    return enter("init(\(labels.joined()))", node, node.attributes)
  }
  override func visitPost(_ node: InitializerDeclSyntax) { scopes.removeLast() }
  override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    enter("deinit", node)
  }
  override func visitPost(_ node: DeinitializerDeclSyntax) { scopes.removeLast() }
  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
    enter("subscript", node, node.attributes)
  }
  override func visitPost(_ node: SubscriptDeclSyntax) { scopes.removeLast() }
  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    let isMember = node.parent?.is(MemberBlockItemSyntax.self) ?? false
    guard isMember else { return .visitChildren }
    let name = node.bindings.first?.pattern.trimmedDescription ?? "_"
    return enter(name, node, node.attributes)
  }
  override func visitPost(_ node: VariableDeclSyntax) {
    if node.parent?.is(MemberBlockItemSyntax.self) ?? false { scopes.removeLast() }
  }

  // MARK: What is passed over

  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: AttributeListSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: SwitchCaseItemListSyntax) -> SyntaxVisitorContinueKind {
    for clause in node.compactMap(\.whereClause) { walk(clause) }
    return .skipChildren
  }
  override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }
  override func visit(_ node: GenericArgumentClauseSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }
  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }

  // MARK: Expressions

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.calledExpression.trimmedDescription
    if Self.isAboutNothing(name) { return .skipChildren }
    addPair(node)
    return .visitChildren
  }

  /// Returns whether a call has no visible effect, because it only asserts something or reserves
  /// capacity.
  static func isAboutNothing(_ name: String) -> Bool {
    name.hasPrefix("assert") || name.hasPrefix("precondition") || name == "fatalError"
      || name.contains("nvariants") || name.hasSuffix("reserveCapacity")
  }

  override func visit(_ node: LabeledExprSyntax) -> SyntaxVisitorContinueKind {
    let label = node.label?.text ?? ""
    return ["keepingCapacity", "minimumCapacity", "reservingCapacity"].contains(label)
      ? .skipChildren : .visitChildren
  }

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    addOperator(node)
    return .visitChildren
  }
  override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    if node.operator.text == "!" { replace(.operator, node, by: text(node.expression)) }
    // The sign belongs to the number.
    return node.operator.text == "-" ? .skipChildren : .visitChildren
  }
  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    addConstant(node)
    return .skipChildren
  }
  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    addConstant(node)
    return .skipChildren
  }
  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    addPair(node)
    return .visitChildren
  }
  override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
    addCondition(.branch, node.condition)
    return .visitChildren
  }

  // MARK: Statements

  override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
    if case .expression(let condition) = node.condition { addConditions(condition, of: node) }
    return .visitChildren
  }
  override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
    addCondition(.branch, node.condition)
    addCondition(.condition, node.condition)
    return .visitChildren
  }
  override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind {
    addStatements(of: node)
    return .visitChildren
  }
  override func visit(_ node: DeferStmtSyntax) -> SyntaxVisitorContinueKind {
    addDefer(node)
    return .visitChildren
  }
}

extension SyntaxProtocol {
  /// The range of the node in the source, without the trivia around it.
  var bytes: Range<Int> {
    let start = positionAfterSkippingLeadingTrivia.utf8Offset
    return start..<max(start, endPositionBeforeTrailingTrivia.utf8Offset)
  }
}
