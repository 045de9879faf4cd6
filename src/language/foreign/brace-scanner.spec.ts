import { BraceScanner } from './brace-scanner.js';

const LENGTH = 60_000;

/** Pieces that are repeated to build a text; each once cost more than one read per character. */
const hostile: readonly (readonly [string, string])[] = [
  ['braces before an end', `${'{'.repeat(3_990)}}}`],
  ['spaced braces before an end', `${'{ '.repeat(1_990)}}}`],
  ['outputs in an output', `${'{{x'.repeat(1_330)}}}`],
  ['outputs in a tag', `${'{{'.repeat(1_990)}%}`],
  ['tags in a tag', `${'{%x'.repeat(1_330)}%}`],
  ['tags in an output', `${'{%x'.repeat(1_330)}}}`],
  ['comments in a comment', `${'{#'.repeat(1_990)}#}`],
  ['comments over two lines', `${'{#'.repeat(1_990)}\n#}`],
  ['comments over two lines, the other way', `${'{#'.repeat(1_990)}\r#}`],
  ['names of Braze’s', `${'{{${'.repeat(990)}}}}`],
  ['ends that are too far', `{{${'x'.repeat(4_000)}`],
  ['all that opens and nothing that ends', '{{{%{#'],
  ['ends alone', '}}%}#}'],
  ['short blocks', '{{x}}{%y%}{#z#}'],
  ['raw texts without end', '{% raw %}'],
  ['raw texts', '{% raw %}{% endraw %}'],
  ['ends of raw texts that are none', '{% raw %}{%-                    endraw                    -}'],
];

test.each(hostile)('looks at a text of %s a few times at most', (_name, piece) => {
  const source = piece.repeat(Math.ceil(LENGTH / piece.length));
  for (const hasComments of [true, false])
    for (const skips of [true, false]) {
      const scanner = new BraceScanner(source, hasComments);
      for (let block = scanner.next(); block !== null; block = scanner.next())
        if (skips && block.inner.includes('raw')) scanner.skipTo('endraw');
      expect(scanner.charactersRead).toBeLessThanOrEqual(9 * source.length);
    }
});

/** The contents of the blocks of a text, by kind. */
function blocksOf(source: string, hasComments = true): readonly string[] {
  const scanner = new BraceScanner(source, hasComments);
  const found: string[] = [];
  for (let block = scanner.next(); block !== null; block = scanner.next())
    found.push(`${block.kind}:${block.inner}`);
  return found;
}

test.each([
  ['{{{ a }}', ['output:{ a ']],
  ['{{{{ a }}', ['output:{ a ']],
  ['{{ a {{ b }}', ['output: b ']],
  ['{{ a {% b %} }}', ['tag: b ']],
  ['{% a {% b %}', ['tag: b ']],
  ['{% if {{${a}}} == 1 %}', ['tag: if {{${a}}} == 1 ']],
  ['{{${a}}}{{ ${b} }}', ['output:${a}', 'output: ${b} ']],
  ['{{ a }} {{ b', ['output: a ']],
  ['{{%}}', ['output:%']],
  ['{{a{}}', ['output:a{']],
  ['{%a{%}', ['tag:a{']],
  ['{# a #}{# b\n #}{# c\r #}{#\n', ['comment: a ']],
  ['{%- a -%}', ['tag: a ']],
])('finds the blocks of %s', (source, expected) => {
  expect(blocksOf(source)).toEqual(expected);
});

test('a block is at most so long', () => {
  expect(blocksOf(`{{${'x'.repeat(3_998)}}}`)).toHaveLength(1);
  expect(blocksOf(`{{${'x'.repeat(3_999)}}}`)).toEqual([]);
});
