import PebblesTestSupport
import Testing

/// Tests of the page in a real browser. No two tests share a browser at the same time.
@Suite(
  .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.howToInstall)), .ownThreads, .watched)
enum BrowserTests {}
