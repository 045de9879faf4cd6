/** Blanking preserves every offset. */
import fc from 'fast-check';
import { parseSource } from '../../../../language/language.js';
import { blankExpressions, CONTROL_FLOW_MARK, VALUE_MARK } from './blanked-source.js';

const blank = (source: string, branches?: 'all' | 'first' | 'last'): string =>
  blankExpressions(source, parseSource(source, null).tree.nodes, branches)
    .replaceAll(VALUE_MARK, 'V')
    .replaceAll(CONTROL_FLOW_MARK, 'S');

test.each<[string, 'all' | 'first' | 'last', string]>([
  ['a{the A}b', 'all', 'aVVVVVVVb'],
  ['{if the A}x{else}y{end if}', 'all', `${'S'.repeat(10)}x${'S'.repeat(6)}y${'S'.repeat(8)}`],
  ['{if the A}x{else}y{end if}', 'first', `${'S'.repeat(10)}x${'S'.repeat(15)}`],
  ['{if the A}x{else}y{end if}', 'last', `${'S'.repeat(17)}y${'S'.repeat(8)}`],
  ['{if the A}x{end if}', 'last', 'S'.repeat(19)],
  ['{broken', 'all', '{broken'],
  ['<p>{{ user.name }}</p>', 'all', `<p>${'V'.repeat(15)}</p>`],
  ['<p>{# a <b> #}x</p>', 'all', `<p>${'S'.repeat(11)}x</p>`],
  ['a{# b #}{# c #}<p class="d">e</p>', 'all', `a${'S'.repeat(14)}<p class="d">e</p>`],
  ['{% if a %}<b>{% else %}<i>{% endif %}x', 'first', `${'S'.repeat(10)}<b>${'S'.repeat(24)}x`],
])('%j, %s', (source, branches, expected) => {
  expect(blank(source, branches)).toBe(expected);
});

test('the length never changes', () => {
  const piece = fc.constantFrom(
    '{the A}',
    '{{ a }}',
    '{{ "<b>" }}',
    '{# a #}',
    '{% if a %}',
    '{% endif %}',
    '{if the A}',
    '{else}',
    '{end if}',
    '{',
    '}',
    '<b>',
    '\r\n',
    '\f',
    VALUE_MARK,
    'é',
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const source = pieces.join('');
      expect(blank(source)).toHaveLength(source.length);
    }),
  );
});
