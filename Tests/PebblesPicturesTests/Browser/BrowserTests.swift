import PebblesTestSupport
import Testing

/// Tests of the page in a real browser. Each test has a browser for itself.
@Suite(
  .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.howToInstall)), .ownThreads, .watched)
enum BrowserTests {}
