// What if bodies had ended otherwise: the controls for the question, and the answer.

function whatIf(inspector) {
  const { run, picked, supposed } = inspector, content = [element('h3', {}, 'What if')];
  const buttons = [];
  if (picked >= 0) {
    const ways = inspector.ways(picked), now = supposed.get(picked) ?? 0;
    const text = (k, words) => wayText(run, picked, ways[k % ways.length], words);
    if (ways.length > 1) {
      buttons.push(element('button', { id: 'suppose', onclick: () => inspector.suppose(picked) },
        `Let it ${text(now + 1, ['succeed', 'fail'])} `, element('kbd', {}, 'f')));
    }
    if (ways.length > 2) {
      const choose = ({ target }) => inspector.suppose(picked, target.selectedIndex);
      buttons.push(element('select', { id: 'way', 'aria-label': 'How it ends', onchange: choose },
        ...ways.map((_, k) => new Option(text(k), k, false, k === now))));
    }
  }
  if (supposed.size) {
    const forget = () => inspector.forgetSuppositions();
    buttons.push(element('button', { id: 'forget', onclick: forget }, 'As it was'));
  }
  content.push(element('p', { class: 'buttons' }, ...buttons));
  if (!supposed.size) return content;
  const assumed = [...supposed.keys()].slice(0, 6).flatMap((pebble, k) => [k ? ' and ' : 'If ',
    pebbleLink(run, pebble), ` ${wayText(run, pebble, inspector.body(pebble))}`]);
  const more = supposed.size > 6 ? ` and ${supposed.size - 6} more end otherwise` : '';
  const groups = changedGroups(inspector).filter(([, pebbles]) => pebbles.length);
  const ending = groups.length ? ':' : ', nothing else ends otherwise.';
  const answer = element('div', { id: 'answer' }, element('p', {}, ...assumed, `${more}${ending}`));
  for (const [verb, pebbles] of groups) {
    const named = pebbles.slice(0, mostListed)
      .flatMap((pebble, k) => [k ? ', ' : '', pebbleLink(run, pebble)]);
    const rest = pebbles.length > mostListed ? ', …' : '';
    answer.append(element('p', {}, `${counted(pebbles.length)} ${verb}: `, ...named, rest));
  }
  const { goal } = inspector.ending;
  if (goal >= 0) {
    answer.append(element('p', {}, `The goal would ${goal ? '' : 'not '}be reached.`));
  }
  for (const caveat of caveats(inspector)) answer.append(element('p', { class: 'caveat' }, caveat));
  content.push(answer);
  return content;
}

function wayText(run, pebble, { outcome, held }, words = ['succeeds', 'fails']) {
  return run.caseText(pebble, words[outcome], held);
}

/// Returns the pebbles that would end differently, grouped by the kind of change. A pebble whose
/// different end is itself supposed is left out.
function changedGroups(inspector) {
  const { run, ending, supposed } = inspector;
  const nowRun = [], nowBlocked = [], notNeeded = [], noLonger = [], otherwise = [];
  const groups = [otherwise, otherwise, nowBlocked, notNeeded, noLonger, noLonger];
  ending.forEach((end, pebble) => {
    if (end === run.ends[pebble] || supposed.has(pebble) && end === inspector.body(pebble).outcome) return;
    (end < wasBlocked && !run.hasRun(pebble) ? nowRun : groups[end]).push(pebble);
  });
  return [['would run', nowRun], ['would be blocked', nowBlocked],
    ['would not be needed', notNeeded], ['would not run', noLonger],
    ['would end otherwise', otherwise]];
}

/// Returns the effects that are not taken into account, as sentences.
function caveats(inspector) {
  const { run, ending } = inspector, { pond, cancellation } = run.document;
  // The value of a body that did not run is not known.
  const guessed = [...ending.keys()].filter(pebble => ending[pebble] === succeeded
    && !run.hasRun(pebble) && !inspector.supposed.has(pebble) && inspector.body(pebble).held[0] >= 0);
  return [
    ...guessed.slice(0, mostListed).map(pebble =>
      `${shortened(run.names[pebble])} is assumed to have ${wayText(
        run, pebble, inspector.body(pebble), outcomeNames)}.`),
    cancellation && 'Pebbles cancelled in the run are assumed to be cancelled again.',
    !cancellation && pond.onFailure === 'cancelAll'
      && 'A failure that no pebble handles would cancel pebbles not started by then.',
    pond.onFailure === 'custom' && 'It is not known what the failure policy would do.',
  ].filter(Boolean);
}
