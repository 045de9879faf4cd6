import fc from 'fast-check';
import { isEventName } from '../../../kernel/event-name.js';
import { compileTemplate, eventKeysOf, foldName, parseTemplate } from '../../../language/language.js';
import { latestEventNames } from './latest-events.js';
import { runs } from '../../../../test/support/test-scope.js';

const word = fc.string({ unit: fc.constantFrom(...'ab1'), minLength: 1, maxLength: 3 });
const eventName = fc
  .array(word, { minLength: 1, maxLength: 3 })
  .map((words) => words.join('_'))
  .filter(isEventName);

/** As PostgreSQL answers: events with exactly these names, and the first of those that fold to the same name. */
function loaded(stored: readonly string[], source: string): string[] {
  const { names, folded } = latestEventNames(eventKeysOf(parseTemplate(source)));
  const firsts = folded.map((key) => stored.find((name) => name.replaceAll('_', '') === key));
  return stored.filter((name) => names.includes(name) || firsts.includes(name));
}

const render = (source: string, names: readonly string[]): unknown =>
  compileTemplate(parseTemplate(source), 'text').render({
    contact: {},
    events: Object.fromEntries(names.map((name) => [name, { attributes: { x: name } }])),
    now: new Date(0),
  });

test('a stored name folds to itself without its underscores', () => {
  fc.assert(fc.property(eventName, (name) => foldName(name) === name.replaceAll('_', '')));
});

test('what is loaded renders as all events would', () => {
  const written = fc
    .tuple(fc.array(word, { minLength: 1, maxLength: 3 }), fc.constantFrom(' ', '_', '-', ''))
    .chain(([words, joint]) => {
      const camel = words.map((each) => each.charAt(0).toUpperCase() + each.slice(1)).join('');
      return fc.constantFrom(words.join(joint), camel, words.join(joint).toUpperCase());
    });
  fc.assert(
    fc.property(
      fc.uniqueArray(eventName, { maxLength: 12 }),
      fc.array(written, { minLength: 1, maxLength: 3 }),
      (names, asWritten) => {
        const stored = names.toSorted();
        const source = asWritten.map((name) => `{the X from the ${name} event, or "none"} `).join('');
        expect(render(source, loaded(stored, source))).toEqual(render(source, stored));
      },
    ),
    { numRuns: runs(2_000) },
  );
});

test.each(['a\0b', 'Bestellung', '1st order', 'a'.repeat(256), '\ud800'])(
  'what PostgreSQL has no such name for is not asked for: %j',
  (name) => {
    const wanted = latestEventNames([{ spellings: [name], folded: name }]);
    expect(wanted).toEqual({ names: [], folded: [] });
  },
);
