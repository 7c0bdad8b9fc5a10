import Pebbles

/// The Boolean functions that represent the cases of pebbles. A case holds if its pebble has the
/// outcome of the case and the case is chosen.
extension SymbolicRun {
  /// Adds the variables of a pebble's cases.
  mutating func addCaseVariables(of pebble: Int) {
    for outcomes in [OutcomeSet.failed, .succeeded] {
      for row in CaseChoices(of: pebble, outcomes, in: model.pond).rows {
        choices[row] = addVariable(.case(row))
      }
    }
  }

  /// Returns the scenarios where a case would hold if its pebble had the outcome of the case.
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

  /// Returns the scenarios where a case is known to hold, and those where it is known not to hold.
  mutating func value(ofCase row: Int) throws(DiagramLimitReached) -> SymbolicValue {
    let owner = model.pond.network.cases[row]
    let outcomes = owner.name.outcomes
    let isOutcome = try outcome(of: owner.pebble, isIn: outcomes)
    let isOther = try outcome(of: owner.pebble, isIn: outcomes.complement)
    return try value(ofCase: row, isOutcome, isOther)
  }

  /// Returns the value of a case. `isOutcome` contains the scenarios where the pebble is known to
  /// have the outcome of the case. `isOther` contains those where it is known to have another
  /// outcome.
  mutating func value(
    ofCase row: Int, _ isOutcome: BooleanFunction, _ isOther: BooleanFunction
  ) throws(DiagramLimitReached) -> SymbolicValue {
    let answer = try answer(row)
    return SymbolicValue(
      isTrue: try diagram.and(isOutcome, answer),
      isFalse: try diagram.or(isOther, diagram.and(isOutcome, !answer)))
  }

  /// Returns the scenarios to count among those that differ only in the choices of cases.
  ///
  /// If the choice of a case does not affect the ending, only the scenarios where the case is not
  /// chosen are counted.
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
