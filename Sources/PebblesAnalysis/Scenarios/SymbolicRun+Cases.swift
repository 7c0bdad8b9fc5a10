import Pebbles

/// Cases as functions: an outcome of a pebble, and a choice.
extension SymbolicRun {
  /// Gives the cases of a pebble their variables.
  mutating func addCaseVariables(of pebble: Int) {
    for outcomes in [OutcomeSet.failed, .succeeded] {
      for row in CaseChoices(of: pebble, outcomes, in: model.pond).rows {
        choices[row] = addVariable(.case(row))
      }
    }
  }

  /// Where a case holds, if its pebble ends with the outcome that it is a part of.
  private mutating func answer(_ row: Int) throws(DiagramLimitReached) -> BooleanFunction {
    let owner = model.pond.network.cases[row]
    let choices = CaseChoices(of: owner.pebble, owner.name.outcomes, in: model.pond)
    guard owner.name.isValue else {
      guard let timeout = choices.timeout, timeout != row else { return try chosen(row) }
      return try diagram.and(!chosen(timeout), chosen(row))
    }
    var isOpen = BooleanFunction.always
    for value in choices.values {
      let isChosen = try chosen(value)
      if value == row { return try diagram.and(isOpen, isChosen) }
      isOpen = try diagram.and(isOpen, !isChosen)
    }
    return isOpen
  }

  private mutating func chosen(_ row: Int) throws(DiagramLimitReached) -> BooleanFunction {
    guard let variable = choices[row] else { throw DiagramLimitReached() }
    return try diagram.function(of: variable)
  }

  /// Where the case of a row is known to hold, and not to.
  mutating func value(ofCase row: Int) throws(DiagramLimitReached) -> SymbolicValue {
    let owner = model.pond.network.cases[row]
    let outcomes = owner.name.outcomes
    let isOutcome = try outcome(of: owner.pebble, isIn: outcomes)
    let isOther = try outcome(of: owner.pebble, isIn: outcomes.complement)
    return try value(ofCase: row, isOutcome, isOther)
  }

  /// The same, given where its pebble is known to have ended with its outcome, and otherwise.
  mutating func value(
    ofCase row: Int, _ isOutcome: BooleanFunction, _ isOther: BooleanFunction
  ) throws(DiagramLimitReached) -> SymbolicValue {
    let answer = try answer(row)
    return SymbolicValue(
      isTrue: try diagram.and(isOutcome, answer),
      isFalse: try diagram.or(isOther, diagram.and(isOutcome, !answer)))
  }

  /// The scenarios that stand for an ending each, as far as cases are concerned: in which none is
  /// chosen that makes no difference.
  mutating func countedChoices(
    _ rows: Set<Int>
  ) throws(DiagramLimitReached) -> BooleanFunction {
    var isCounted = BooleanFunction.always
    for pebble in model.pond.network.cases.pebbles.sorted() {
      for outcomes in [OutcomeSet.failed, .succeeded] {
        let choices = CaseChoices(of: pebble, outcomes, in: model.pond)
        var isOutcome = try outcome(of: pebble, isIn: outcomes)
        if let timeout = choices.timeout {
          let isAsked = rows.contains(timeout) ? isOutcome : .never
          isCounted = try diagram.and(isCounted, unchosen(timeout, unless: isAsked))
          isOutcome = try diagram.and(isOutcome, !chosen(timeout))
        }
        for row in choices.named {
          let isAsked = rows.contains(row) ? isOutcome : .never
          isCounted = try diagram.and(isCounted, unchosen(row, unless: isAsked))
        }
        var isOpen = isOutcome
        for row in choices.values {
          let isAsked = rows.contains(row) ? isOpen : .never
          isCounted = try diagram.and(isCounted, unchosen(row, unless: isAsked))
          guard let variable = self.choices[row] else { throw DiagramLimitReached() }
          isOpen = try diagram.and(isOpen, where: variable, is: false)
        }
      }
    }
    return isCounted
  }

  private mutating func unchosen(
    _ row: Int, unless isAsked: BooleanFunction
  ) throws(DiagramLimitReached) -> BooleanFunction {
    !(try diagram.and(!isAsked, chosen(row)))
  }
}
