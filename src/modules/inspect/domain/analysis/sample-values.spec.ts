import { compileTemplate, parseSource, readsOf } from '../../../../language/language.js';
import { contextOf } from '../../../templates/domain/preview.js';
import { sampleFor } from './sample-values.js';

const NOW = new Date('2026-05-02T09:30:00Z');

function rendered(source: string): string {
  const { tree } = parseSource(source, null);
  const sample = sampleFor(readsOf(tree.nodes).names, source, NOW);
  const result = compileTemplate(tree, 'html').render(contextOf(sample, NOW));
  return result.kind === 'rendered' ? result.text : result.kind;
}

test.each([
  ["{the user's First Name}", 'Ada'],
  ["{the user's lastName}", 'Lovelace'],
  ["{the user's Email}", 'ada@iana.org'],
  ["https://shop.acme.com/ {the user's email}", 'https://shop.acme.com/ ada@shop.acme.com'],
  ['{the order url from the trigger event}', 'https:&#x2F;&#x2F;www.iana.org&#x2F;sample'],
  ['{{ event.total * 2 }}', '84'],
  ['{the Order Total, as "currency EUR"}', '€42.00'],
  ['{the Shipped, as "yyyy-MM-dd"}', '2026-05-02'],
  ['{{ event.items | length }}', '2'],
  ["{the Plan from the signed up event}{the Thing from the signed up event's x}", 'failed'],
  ['{the Plan from the signed up event, required}', 'Sample'],
  ['{if the user\'s Plan is "pro"}pro{else}none{end if}', 'pro'],
  ["{if the user's Points is greater than 100}many{end if}", 'many'],
  ["{if the user's Points is less than 100}few{end if}", 'few'],
  ['{if the user\'s Plan is one of "a", "b"}a{end if}', 'a'],
  ["{if the user's Nick does not exist}none{else}nick{end if}", 'nick'],
  [
    "{for each Order in the user's Orders}{for each Line in the Order's Lines}{the Line's Name} {end for}{end for}",
    'Ada Lovelace '.repeat(4),
  ],
  ["{for each Tag in the user's Tags}{the Tag};{end for}", 'Sample;Sample;'],
  ['{{ event.__proto__ }}{{ contact.constructor }}', 'SampleSample'],
])('%s', (source, expected) => {
  expect(rendered(source).replaceAll('&#x2F;', '/')).toBe(expected.replaceAll('&#x2F;', '/'));
});

test('loops in loops stay within their bounds', () => {
  const depth = 30;
  const opened = Array.from(
    { length: depth },
    (_each, level) => `{for each V${level} in the ${level === 0 ? "user's L" : `V${level - 1}'s L`}}`,
  );
  expect(rendered(`${opened.join('')}x${'{end for}'.repeat(depth)}`)).toBe('xxxxxxxx');
});
