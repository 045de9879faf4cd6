import {
  afterDecisions,
  OPTED_IN,
  pauseDecision,
  resumeDecision,
  topicDecisions,
} from './preference-change.js';
import { mayReceive, NO_PREFERENCES, type Preferences } from './preferences.js';
import { localizedTopic, translationsProblem } from './topic.js';

const NOW = new Date('2026-03-02T09:00:00Z');
const LATER = new Date('2026-04-01T09:00:00Z');
const IN = { key: 'news', isSubscribedByDefault: true };
const OUT = { key: 'events', isSubscribedByDefault: false };
/** A key that is also a property of every object. */
const ODD = { key: 'constructor', isSubscribedByDefault: true };
const chose = (choices: Preferences['choices'], pausedUntil: Date | null = null): Preferences => ({
  choices,
  pausedUntil,
});
const YES = { kind: 'yes' };
const no = (topic: string) => ({ kind: 'no', reason: 'unsubscribed_topic', topic });
const PAUSED = { kind: 'no', reason: 'paused', until: LATER };

test.each<[string, Preferences, typeof IN | null, object]>([
  ['of nobody’s choice, without a topic', NO_PREFERENCES, null, YES],
  ['of a topic that all receive', NO_PREFERENCES, IN, YES],
  ['of a topic that nobody receives unasked', NO_PREFERENCES, OUT, no('events')],
  ['that was refused', chose({ news: false }), IN, no('news')],
  ['that was asked for', chose({ events: true }), OUT, YES],
  ['whose topic has the name of something else', chose({}), ODD, YES],
  ['beside a topic that was refused', chose({ events: false }), IN, YES],
  ['without a topic, where all are refused', chose({ news: false, events: false }), null, YES],
  ['in a pause', chose({}, LATER), null, PAUSED],
  ['of a topic that was asked for, in a pause', chose({ news: true }, LATER), IN, PAUSED],
  ['that was refused, in a pause', chose({ news: false }, LATER), IN, no('news')],
  ['after a pause', chose({}, NOW), IN, YES],
])('mail %s', (_name, preferences, topic, receiving) =>
  expect(mayReceive(preferences, topic, NOW)).toEqual(receiving),
);

test('choosing changes what is another now, and nothing of topics that it does not name', () => {
  const chosen = new Map([
    ['news', true],
    ['events', true],
    ['gone', true],
  ]);
  const decided = topicDecisions(NO_PREFERENCES, [IN, OUT, ODD], chosen);
  expect(decided).toEqual([{ kind: 'opted_in', topic: 'events', until: null }]);
  const after = afterDecisions(NO_PREFERENCES, decided);
  expect(after).toEqual(chose({ events: true }));
  expect(topicDecisions(after, [IN, OUT, ODD], chosen)).toEqual([]);
});

test('a pause lasts 30 days, is not made longer, and ends when asked to or when the person comes back', () => {
  const paused = pauseDecision(NO_PREFERENCES, NOW);
  expect(paused).toEqual({ kind: 'paused', topic: null, until: LATER });
  const resting = afterDecisions(chose({ news: false }), [paused!]);
  expect(resting).toEqual(chose({ news: false }, LATER));
  expect(pauseDecision(resting, NOW)).toBeUndefined();
  expect(pauseDecision(resting, LATER)).toBeDefined();
  expect(resumeDecision(resting, LATER)).toBeUndefined();
  expect(afterDecisions(resting, [resumeDecision(resting, NOW)!])).toEqual(chose({ news: false }));
  expect(afterDecisions(resting, [OPTED_IN])).toEqual(chose({ news: false }));
});

test('a topic is called in the reader’s language where it has a name in it', () => {
  const topic = { name: 'News', description: 'Weekly', names: { de: 'Neues' }, descriptions: {} };
  expect(localizedTopic(topic, 'de')).toEqual({ name: 'Neues', description: 'Weekly' });
  expect(localizedTopic(topic, 'fr')).toEqual({ name: 'News', description: 'Weekly' });
});

test.each([
  [{ xx: 'a' }],
  [{ de: '' }],
  [{ de: ' ' }],
  [{ de: 'x'.repeat(6) }],
  [{ de: 7 }],
  [{ de: 'a\0' }],
])('texts in further languages are refused: %j', (value) =>
  expect(translationsProblem(value, 5)).toMatch(/^must/),
);
test('texts in further languages', () =>
  expect(translationsProblem({ de: 'Neues', fr: 'a' }, 5)).toBeUndefined());
