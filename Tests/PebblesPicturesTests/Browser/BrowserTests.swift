import PebblesTestSupport
import Testing

/// The page in a real browser. Each test has one to itself.
@Suite(
  .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.howToInstall)), .ownThreads, .watched)
enum BrowserTests {}
