import PebblesAnalysis
import Testing

/// Tests of the name that is suggested for a mistyped name.
@Suite struct LikenessTests {
  @Test(arguments: [["load", "lad"], ["lad", "load"]])
  func ofTwoNamesThatAreEquallySimilarTheFirstIsSuggested(_ names: [String]) {
    #expect("laod".nearest(among: names) == names[0])
  }

  @Test func aNameThatIsMoreSimilarIsSuggestedWhereverItStands() {
    #expect("screens".nearest(among: ["scream", "screen", "scheme"]) == "screen")
    #expect("screens".nearest(among: ["screams", "screens"]) == "screens")
    #expect("screens".nearest(among: ["home", "off"]) == nil)
  }
}
