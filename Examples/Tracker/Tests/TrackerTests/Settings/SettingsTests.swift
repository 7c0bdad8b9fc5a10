import Foundation
import Testing

@testable import TrackerCore

@Suite struct SettingsTests {
  @Test func whatIsNotSaidHasADefault() throws {
    #expect(try Settings(environment([:])) == Settings())
    #expect(try Limits(environment([:])) == Limits())
  }

  @Test func everySettingHasAVariable() throws {
    let settings = try Settings(
      environment([
        "TRACKER_HTTP_HOST": "::1", "TRACKER_HTTP_PORT": "0",
        "TRACKER_DATABASE_PATH": "/tmp/a b.sqlite", "TRACKER_FEED_URL": "https://feed.example/x",
        "TRACKER_REFRESH_SECONDS": "7", "TRACKER_ANSWER_DELAY_MS": "0",
        "TRACKER_PEOPLE_COUNT": "8", "TRACKER_HTTP_CONNECTIONS": "9",
        "TRACKER_HTTP_IDLE_SECONDS": "10", "TRACKER_REFRESH_RETRY_SECONDS": "11",
      ]))

    #expect(settings.host == "::1" && settings.port == 0)
    #expect(settings.database == "/tmp/a b.sqlite" && settings.feed == "https://feed.example/x")
    #expect(settings.refreshEvery == .seconds(7) && settings.answerDelay == .zero)
    #expect(settings.people == 8 && settings.retryAfter == .seconds(11))
    #expect(settings.connections == 9 && settings.idle == .seconds(10))
    let limits = try Limits(
      environment([
        "TRACKER_FEED_TIMEOUT_SECONDS": "1", "TRACKER_MIGRATION_TIMEOUT_SECONDS": "2",
        "TRACKER_DRAIN_SECONDS": "3", "TRACKER_SHUTDOWN_SECONDS": "4",
        "TRACKER_HTTP_TIMEOUT_SECONDS": "5", "TRACKER_DATABASE_TIMEOUT_SECONDS": "6",
        "TRACKER_DRAIN_DELAY_SECONDS": "0",
      ]))
    #expect(limits.feed == .seconds(1) && limits.migration == .seconds(2))
    #expect(limits.listening == .seconds(5) && limits.opening == .seconds(6))
    #expect(limits.drain == .seconds(3) && limits.shutdown == .seconds(4))
    #expect(limits.drainDelay == .zero)
  }

  @Test func moreFilesThanConnectionsMayBeOpen() {
    let files = sysconf(CInt(_SC_OPEN_MAX))

    #expect((1...1_000).contains(Settings.usualConnections))
    #expect(files < 0 || Settings.usualConnections < files)
  }

  @Test(arguments: [
    ("127.0.0.1", "http://127.0.0.1:80"), ("localhost", "http://localhost:80"),
    ("::1", "http://[::1]:80"),
  ])
  func theAddressIsThatOfTheHost(host: String, address: String) {
    var settings = Settings()
    settings.host = host

    #expect(settings.address(on: 80) == address)
  }

  @Test(arguments: [
    ("TRACKER_HTTP_PORT", "http"), ("TRACKER_HTTP_PORT", "65536"), ("TRACKER_HTTP_PORT", "-1"),
    ("TRACKER_HTTP_PORT", ""), ("TRACKER_HTTP_HOST", ""), ("TRACKER_DATABASE_PATH", ""),
    ("TRACKER_DATABASE_PATH", " "), ("TRACKER_REFRESH_RETRY_SECONDS", "0"),
    ("TRACKER_FEED_URL", "localhost"), ("TRACKER_FEED_URL", "http://"),
    ("TRACKER_FEED_URL", "file:///etc/passwd"), ("TRACKER_FEED_URL", "http://localhost:99999"),
    ("TRACKER_FEED_URL", "http://localhost:0"), ("TRACKER_REFRESH_SECONDS", "0"),
    ("TRACKER_ANSWER_DELAY_MS", "99999999999999999999"), ("TRACKER_PEOPLE_COUNT", "2000001"),
    ("TRACKER_HTTP_CONNECTIONS", "0"), ("TRACKER_HTTP_CONNECTIONS", "many"),
    ("TRACKER_HTTP_IDLE_SECONDS", "0"), ("TRACKER_HTTP_IDLE_SECONDS", "1.5"),
  ])
  func whatCannotBeMeantIsNamed(variable: String, value: String) {
    let error = #expect(throws: SettingError.self) {
      try Settings(environment([variable: value]))
    }
    #expect(error?.description.hasPrefix("\(variable) is \"") == true, "\(error as Any)")
  }
}
