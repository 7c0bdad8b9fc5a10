import Fuzzing
import Pebbles
import PebblesAnalysis

extension FuzzTarget {
  /// The target for texts of conditions and laws about the pebbles of one pond.
  static let conditions = FuzzTarget("conditions") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    expectReadsBack(text, of: odd)
    do throws(TextError) {
      expectReadsBack(try odd.law(text), of: odd)
    } catch {
      expectPlace(error, in: text)
    }
  }

  /// The model of a pond whose pebbles have unusual names and cases.
  private static let odd: PondModel = {
    let pond = Pond("odd")
    let names = [
      "a", "b", "load cores", "class", "always", "exactly", "e\u{301}", "tab\tquote\"\\", "\u{1B}",
      "🧵",
    ]
    let pebbles = names.map { pond.pebble($0) { 1 } }
    pond.pebble("last", when: pebbles[0].failed("locked") { _ in true }) {}
    pond.pebble("flip", when: pebbles[1].succeeded("load cores") { _ in true }) {}
    pond.pebble("late", when: pebbles[2].timedOut) {}
    guard let model = try? pond.model() else { fail("the pond of the conditions is wrong") }
    return model
  }()

  /// Expects that the text of a condition, once it has been read and printed, is read as the same
  /// condition and printed in the same way.
  static func expectReadsBack(_ text: String, of model: PondModel) {
    let condition: Condition
    do throws(TextError) {
      condition = try model.condition(text)
    } catch {
      return expectPlace(error, in: text)
    }
    let printed = condition.description
    guard !printed.contains("…") else { return }
    do throws(TextError) {
      let copy = try model.condition(printed)
      expect(copy.description == printed, "'\(printed)' prints as '\(copy)' when it is read")
      for round in 0..<4 {
        let ends = model.names.indices.map {
          OutcomeSet.any($0 &* 7 &+ round &* 5 &+ text.utf8.count)
        }
        expect(copy.value(ends) == condition.value(ends), "'\(printed)' means something else")
      }
    } catch {
      fail("'\(printed)' was printed and is refused: \(error)")
    }
  }

  /// Expects that a law is read back from its text as the same law.
  static func expectReadsBack(_ law: Law, of model: PondModel) {
    let printed = law.description
    guard !printed.contains("…") else { return }
    do throws(TextError) {
      let copy = try model.law(printed)
      expect(copy.description == printed, "'\(printed)' prints as '\(copy)' when it is read")
      expect(copy.alternatives.count == law.alternatives.count, "'\(printed)' counts others")
    } catch {
      fail("'\(printed)' was printed and is refused: \(error)")
    }
  }
}

extension OutcomeSet {
  fileprivate static func any(_ number: Int) -> OutcomeSet? {
    [.succeeded, nil, .failed, .skipped][abs(number % 4)]
  }
}

extension Condition {
  /// Returns the value of the condition by Kleene's tables. An outcome is `nil` if the pebble has
  /// not settled. A case counts as holding whenever its pebble has the outcome to which it belongs.
  fileprivate func value(_ ends: [OutcomeSet?]) -> Bool? {
    switch expression {
    case .constant(let value): return value
    case .atom(let atom): return ends[Int(atom.pebble.index)].map { atom.outcomes.contains($0) }
    case .compound(let node):
      let operands = node.operands.map { $0.value(ends) }
      switch node.operation {
      case .all: return operands.contains(false) ? false : operands.contains(nil) ? nil : true
      case .any: return operands.contains(true) ? true : operands.contains(nil) ? nil : false
      case .not: return operands[0].map { !$0 }
      case .labeled: return operands[0]
      }
    }
  }
}
