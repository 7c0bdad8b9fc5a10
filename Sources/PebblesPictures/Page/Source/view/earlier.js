// An earlier run to compare with.

class Earlier {
  constructor(run, document) {
    this.run = new Run(document);
    this.places = Int32Array.from(run.names, name => this.run.positions.get(name) ?? -1);
  }

  /// Returns the position that a pebble of the run has in the earlier run; -1 if the earlier run
  /// does not have the pebble.
  positionOf(pebble) { return this.places[pebble]; }

  /// Returns whether a pebble is new, ended differently than in the earlier run, or took a
  /// different time. Differences in time count if they are more than a tenth of the time of the
  /// pebble, and more than a thousandth of the makespan.
  differs(run, pebble) {
    const before = this.positionOf(pebble);
    if (before < 0 || this.run.ends[before] !== run.ends[pebble]) return true;
    const difference = Math.abs(run.took(pebble) - this.run.took(before));
    return difference > run.took(pebble) / 10 && difference > run.makespan / 1000;
  }

  /// Returns a sentence about how a pebble ended in the earlier run.
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

/// Lets the user choose the file or the page of an earlier run, and compares the two runs. The file
/// is not sent anywhere.
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
