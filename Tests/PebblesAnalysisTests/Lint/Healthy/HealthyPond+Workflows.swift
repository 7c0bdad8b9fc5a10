import Pebbles

/// Ponds like CI workflows, with `needs:`, `if: always()`, `if: failure()`, `continue-on-error:`
/// and matrices.
extension HealthyPond {
  static let ciWorkflows = [
    HealthyPond("ci: lint, test, build, deploy") { pond in
      let lint = pond.pebble("lint") {}
      let tests = ["linux", "macos", "windows"].map { pond.pebble("test-\($0)") {} }
      let build = pond.pebble("build", when: lint.succeeded && .all(tests.map(\.succeeded))) {}
      let deploy = pond.pebble("deploy", .enabled { true }, when: build.succeeded) {}
      pond.pebble("notify", when: .any(tests.map(\.failed)) || build.failed || deploy.failed) {}
    },
    HealthyPond("ci: if always") { pond in
      let build = pond.pebble("build") {}
      let test = pond.pebble("test", when: build.succeeded) {}
      pond.pebble("coverage", when: test.completed) {}
      pond.pebble("publish-results", when: build.settled && test.settled) {}
      pond.pebble("cleanup", when: test.succeeded || test.failed || test.skipped) {}
    },
    HealthyPond("ci: merge gate") { pond in
      let changes = pond.pebble("only-docs-changed") {}
      let docs = pond.pebble("docs", when: changes.succeeded) {}
      let code = pond.pebble("code", when: changes.failed) {}
      let style = pond.pebble("style") {}
      // One check that the branch protection asks for.
      pond.pebble(
        "gate",
        when: style.succeeded && (docs.succeeded || docs.skipped)
          && (code.succeeded || code.skipped)
      ) {}
    },
    HealthyPond("ci: release train", onFailure: .cancelAll) { pond in
      let version = pond.pebble("version") {}
      let builds = ["arm64", "x86_64"].map { arch in
        pond.pebble("build-\(arch)", when: version.succeeded) {}
      }
      let sign = pond.pebble("sign", .exclusive("key"), when: .all(builds.map(\.succeeded))) {}
      let draft = pond.pebble("draft", when: version.succeeded) {}
      let upload = pond.pebble("upload", when: sign.succeeded && draft.succeeded) {}
      pond.pebble("announce", .enabled { false }, when: upload.succeeded) {}
    },
    HealthyPond("ci: flaky step may fail") { pond in
      let setup = pond.pebble("setup", .timeout(.seconds(60))) {}
      let browser = pond.pebble("browser-tests", .retry(.attempts(3)), when: setup.succeeded) {}
      let unit = pond.pebble("unit-tests", when: setup.succeeded) {}
      let package = pond.pebble("package", when: unit.succeeded && browser.completed) {}
      pond.pebble("upload-screenshots", when: browser.failed) {}
      pond.pebble("teardown", when: setup.completed && package.settled && browser.settled) {}
    },
    HealthyPond("ci: rollback") { pond in
      let deploy = pond.pebble("deploy") {}
      let smoke = pond.pebble("smoke", when: deploy.succeeded) {}
      let rollback = pond.pebble("rollback", when: deploy.failed || smoke.failed) {}
      pond.pebble("tell", when: rollback.completed || smoke.succeeded) {}
      pond.pebble("page", when: rollback.failed) {}
    },
  ]

  /// Ponds like units of systemd, with `Requires=`, `Wants=`, `After=` and `OnFailure=`.
  static let systemdUnits = [
    HealthyPond("systemd: multi-user") { pond in
      let mounts = pond.pebble("local-fs.target") {}
      let udev = pond.service("systemd-udevd", when: mounts.succeeded) { ready in ready() }
      let sysinit = pond.pebble("sysinit.target", when: mounts.succeeded && udev.settled) {}
      let bus = pond.service("dbus", when: sysinit.succeeded) { ready in ready() }
      let network = pond.service("NetworkManager", when: bus.succeeded) { ready in ready() }
      let online = pond.pebble("network-online.target", when: network.succeeded) {}
      let shell = pond.service("sshd", when: sysinit.succeeded && network.settled) {
        ready in ready()
      }
      pond.pebble("multi-user.target", when: shell.settled && online.settled && bus.settled) {}
      pond.pebble("emergency.target", when: mounts.failed) {}
    },
    HealthyPond("systemd: web host") { pond in
      let network = pond.pebble("network-online.target") {}
      let database = pond.service("postgresql", when: network.settled) { ready in ready() }
      let app = pond.service("app", when: network.succeeded && database.succeeded) {
        ready in ready()
      }
      pond.service("nginx", when: network.succeeded && app.settled) { ready in ready() }
      pond.pebble("notify@app", when: app.failed) {}
      pond.pebble("notify@postgresql", when: database.failed) {}
    },
    HealthyPond("systemd: graphical") { pond in
      let basic = pond.pebble("basic.target") {}
      let splash = pond.pebble("plymouth", .enabled { true }, when: basic.succeeded) {}
      let seat = pond.service("logind", when: basic.succeeded) { ready in ready() }
      let display = pond.service("gdm", when: seat.succeeded && splash.settled) { $0() }
      pond.pebble("graphical.target", when: display.succeeded) {}
      pond.pebble("getty", when: display.failed || display.skipped) {}
    },
  ]
}
