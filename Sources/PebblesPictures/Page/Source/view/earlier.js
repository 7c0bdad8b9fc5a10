// A second run to compare with: what was before.

class Earlier {
  constructor(run, document) {
    this.run = new Run(document);
    this.places = Int32Array.from(run.names, name => this.run.positions.get(name) ?? -1);
  }

  /// Where a pebble of the run is in the earlier one; -1 if it was not part of that.
  positionOf(pebble) { return this.places[pebble]; }

  /// Whether a pebble ended otherwise, or took another time than then: a tenth more or less, and
  /// more than a thousandth of the run.
  differs(run, pebble) {
    const before = this.positionOf(pebble);
    if (before < 0 || this.run.ends[before] !== run.ends[pebble]) return true;
    const difference = Math.abs(run.took(pebble) - this.run.took(before));
    return difference > run.took(pebble) / 10 && difference > run.makespan / 1000;
  }

  /// How a pebble was then, as a sentence.
  sentence(run, pebble) {
    const before = this.positionOf(pebble);
    if (before < 0) return 'It was not part of the earlier run.';
    const outcome = this.run.outcomes[before];
    if (outcome === skipped) return `In the earlier run it ${pastOf(this.run, before)}.`;
    const took = this.run.took(before);
    const ending = `In the earlier run it ${this.run.ending(before)} after ${brief(took)}`;
    return run.hasRun(pebble)
      ? `${ending}: ${differenceText(run.took(pebble) - took)}.` : `${ending}.`;
  }
}

function differenceText(nanoseconds) {
  if (!nanoseconds) return 'now as long';
  return `now ${brief(Math.abs(nanoseconds))} ${nanoseconds > 0 ? 'longer' : 'shorter'}`;
}

/// Lets a file be chosen, a run or a page of one, and compares with it. Nothing leaves the page.
function offerComparison(inspector) {
  const input = byID('file');
  byID('compare').addEventListener('click', () => {
    if (!inspector.earlier) return input.click();
    inspector.earlier = null;
    inspector.tell('earlier');
  });
  input.addEventListener('change', async () => {
    const [file] = input.files;
    input.value = '';
    if (!file) return;
    const document = documentIn(await file.text().catch(() => ''));
    if (!document) return say(`${shortened(file.name)} holds no run that can be read`, true);
    inspector.earlier = new Earlier(inspector.run, document);
    inspector.tell('earlier');
  });
  inspector.on('earlier', () => {
    byID('compare').textContent = inspector.earlier ? 'Without the earlier run' : 'Compare…';
  });
}
