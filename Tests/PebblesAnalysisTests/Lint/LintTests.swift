import Pebbles
import PebblesAnalysis
import Testing

@Suite struct LintScratch {
  @Test func oovium() {
    print(OoviumBoot().pond.lint())
    let pond = Pond("cyc")
    let x = pond.pebble("x") {}
    let a = pond.pebble("a") {}
    let b = pond.pebble("b", when: a.succeeded) {}
    a.ready = x.succeeded || b.completed
    let c = pond.pebble("c") {}
    let d = pond.pebble("d", when: c.succeeded) {}
    c.ready = d.completed
    pond.pebble("e", when: d.succeeded && x.failed) {}
    pond.pebble("f", when: x.succeeded && x.failed) {}
    pond.pebble("g", when: x.succeeded || x.failed) {}
    pond.pebble("h", when: x.succeeded && b.succeeded) {}
    pond.pebble("i", when: b.failed || x.skipped) {}
    print(pond.lint())
  }
}
