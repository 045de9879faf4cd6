import { MAX_PAUSE_MS, pauseAfter } from './sweep-pause.js';

test.each([
  ['while something is due, soon', 'due', 2, 200],
  ['where looks take long, so that they take a twentieth of the time', 'due', 30, 600],
  ['never longer than with nothing due', 'due', 500, MAX_PAUSE_MS],
  ['with nothing due', 'nothing', 2, MAX_PAUSE_MS],
  ['after a failure, whatever it took', 'failure', 5_000, 250],
] as const)('looks again: %s', (_, found, took, pause) => expect(pauseAfter(found, took)).toBe(pause));
