import Testing

@testable import Pebbles

/// Tests of faults in ponds whose services restart with others.
@Suite struct RestartsWithFaultTests {
  private func faults(_ define: (Pond) -> Void) -> [String] {
    let pond = Pond("boot")
    define(pond)
    do {
      _ = try pond.start()
      return []
    } catch {
      return error.faults.map(\.description)
    }
  }

  private let again = PebbleTrait.ending(.restart(.attempts(2)))

  @Test func aPlainPebbleInBetween() {
    let faults = faults { pond in
      let database: Pebble<Int> = pond.service("database", again) { ready in ready(1) }
      let pool = pond.pebble("pool", needs: database) { $0 }
      pond.service("http", .restartsWith(database), needs: pool) { ready, _ in ready() }
    }
    #expect(
      faults == [
        "\"http\" cannot restart with \"database\": it takes the output of \"database\" through "
          + "\"pool\", which does not restart with \"database\""
      ])
  }

  @Test func aServiceInBetweenThatRestartsWithAnother() {
    let faults = faults { pond in
      let key: Pebble<Int> = pond.service("key", again) { ready in ready(1) }
      let lock: Pebble<Int> = pond.service("lock", again) { ready in ready(1) }
      let safe: Pebble<Int> = pond.service("safe", .restartsWith(key), needs: key, lock) {
        ready, _, _ in ready(1)
      }
      pond.service("bank", .restartsWith(lock), needs: safe) { ready, _ in ready() }
    }
    #expect(
      faults == [
        "\"bank\" cannot restart with \"lock\": it takes the output of \"lock\" through "
          + "\"safe\", which does not restart with \"lock\""
      ])
  }

  @Test func aServiceThatIsNeverRestarted() {
    let faults = faults { pond in
      let database: Pebble<Int> = pond.service("database") { ready in ready(1) }
      pond.service("http", .restartsWith(database), needs: database) { ready, _ in ready() }
    }
    #expect(
      faults == [
        "\"http\" cannot restart with \"database\", which is never restarted; give "
          + "\"database\" .ending(.restart(_:))"
      ])
  }

  @Test func aPebbleThatIsNoServiceOrNotThereOrNotTaken() {
    let faults = faults { pond in
      let plain = pond.pebble("plain") { 1 }
      let database: Pebble<Int> = pond.service("database", again) { ready in ready(1) }
      pond.service("a", .restartsWith(plain), needs: plain) { ready, _ in ready() }
      pond.service("b", .restartsWith(.named("nobody"))) { ready in ready() }
      pond.pebble("c", .restartsWith(database), needs: database) { _ in }
    }
    #expect(
      faults == [
        "\"a\" cannot restart with \"plain\", which is not a service",
        "\"b\" cannot restart with \"nobody\", which the pond does not have",
        "\"c\" has the trait .restartsWith(_:), which is for services only; leave it out",
      ])
    let untaken = self.faults { pond in
      let database: Pebble<Int> = pond.service("database", again) { ready in ready(1) }
      pond.service("http", .restartsWith(database), when: database.succeeded) { ready in ready() }
    }
    #expect(
      untaken == [
        "\"http\" cannot restart with \"database\": it does not take the output of \"database\""
      ])
  }

  @Test func aCycle() {
    let faults = faults { pond in
      let a: Pebble<Int> = pond.service("a", .restartsWith(.named("b"))) { ready in ready(1) }
      pond.service("b", .restartsWith(a), needs: a) { ready, _ in ready() }
      pond.service("c", again, .restartsWith(.named("c"))) { ready in ready() }
    }
    #expect(
      faults == [
        "\"a\" cannot restart with itself", "\"b\" cannot restart with itself",
        "\"c\" cannot restart with itself",
      ])
  }

  @Test func oneThatStopsBeforeThoseThatRestartWithIt() {
    let faults = faults { pond in
      let database: Pebble<Int> = pond.service(
        "database", again, .stopsBefore(.named("http"))
      ) { ready in ready(1) }
      pond.service("http", .restartsWith(database), needs: database) { ready, _ in ready() }
    }
    #expect(faults == ["\"database\" cannot stop before \"http\", which restarts with it"])
  }
}
