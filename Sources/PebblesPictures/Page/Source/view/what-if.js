// What if bodies had ended otherwise: the question, and what comes of it.

function whatIf(inspector) {
  const { run, picked, supposed } = inspector, content = [element('h3', {}, 'What if')];
  const buttons = [];
  if (picked >= 0) {
    const verb = inspector.body(picked) === failed ? 'succeed' : 'fail';
    buttons.push(element('button', { id: 'suppose', onclick: () => inspector.suppose(picked) },
      `Let it ${verb} `, element('kbd', {}, 'f')));
  }
  if (supposed.size) {
    const forget = () => inspector.forgetSuppositions();
    buttons.push(element('button', { id: 'forget', onclick: forget }, 'As it was'));
  }
  content.push(element('p', { class: 'buttons' }, ...buttons));
  if (!supposed.size) return content;
  const assumed = [...supposed].slice(0, 6).flatMap(([pebble, outcome], k) =>
    [k ? ' and ' : 'If ', pebbleLink(run, pebble), outcome === failed ? ' fails' : ' succeeds']);
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
  for (const caveat of caveats(run)) answer.append(element('p', { class: 'caveat' }, caveat));
  content.push(answer);
  return content;
}

/// What would end otherwise, by how, without what is supposed to.
function changedGroups({ run, ending, supposed }) {
  const nowRun = [], nowBlocked = [], notNeeded = [], noLonger = [], otherwise = [];
  const groups = [otherwise, otherwise, nowBlocked, notNeeded, noLonger, noLonger];
  ending.forEach((end, pebble) => {
    if (end === run.ends[pebble] || supposed.has(pebble) && end === supposed.get(pebble)) return;
    (end < wasBlocked && !run.hasRun(pebble) ? nowRun : groups[end]).push(pebble);
  });
  return [['would run', nowRun], ['would be blocked', nowBlocked],
    ['would not be needed', notNeeded], ['would not run', noLonger],
    ['would end otherwise', otherwise]];
}

/// What is not taken into account.
function caveats(run) {
  const { pond, cancellation } = run.document;
  return [
    cancellation && 'What was cancelled in the run is taken to be cancelled again.',
    !cancellation && pond.onFailure === 'cancelAll'
      && 'A failure that no pebble handles would cancel what has not started by then.',
    pond.onFailure === 'custom' && 'What the failure policy would do is not known.',
  ].filter(Boolean);
}
