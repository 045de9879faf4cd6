/** Tests the canonical spelling. The property that parsing it gives the same tree is tested in language.spec.ts. */
import { printNodes, printTemplate } from './formatter.js';
import { parseTemplate } from './parser.js';

describe('the canonical spelling', () => {
  test.each([
    ['{THE  User’s first_name}', "{the user's first_name}"],
    ['{ the user.Address.City }', "{the user's Address's City}"],
    ['{The Order ID , OR ‘x’ , Required}', '{the Order ID, or "x", required}'],
    ['{the Plan FROM THE Signed Up EVENT}', '{the Plan from the Signed Up event}'],
    ['{the X from the trigger event}', '{the X from the trigger event}'],
    ['{the X from the "trigger" event}', '{the X from the "trigger" event}'],
    ["{the user's Terms and Conditions}", '{the user\'s "Terms and Conditions"}'],
    ["{the user's Is Premium}", "{the user's Is Premium}"],
    ['{the "user"\'s X}', '{the "user"\'s X}'],
    ['{the "a.b"}', '{the "a.b"}'],
    ['{the x, as "Short  Date"}', '{the x, as "short date"}'],
    ['{the x, as "currency eur"}', '{the x, as "currency EUR"}'],
    ['{the x, as "d MMM"}', '{the x, as "d MMM"}'],
    ['{the x, rounded to 0}', '{the x, rounded}'],
    ['{the x, Otherwise "none"}', '{the x, otherwise "none"}'],
    [
      '{if the A is NULL or the B is not null and the C is "null"}{end if}',
      '{if the A is null or the B is not null and the C is "null"}{end if}',
    ],
    ['{the x, rounded down to 2}', '{the x, rounded down to 2}'],
    ["{the x, replacing 'a \"b\"' with '<&'}", '{the x, replacing "a &quot;b&quot;" with "&lt;&amp;"}'],
    ['{the x plus 1 times -2.50}', '{the x plus 1 times -2.50}'],
    ['{if the A is gold or not the B}{end if}', '{if the A is "gold" or not the B}{end if}'],
    ['{if the A is not one of 1, b or "c"}{end if}', '{if not the A is one of 1, "b", "c"}{end if}'],
    ['{if the A is greater than or equal to 5}{end if}', '{if the A is at least 5}{end if}'],
    ['{if the A isn’t b}{end if}', '{if the A is not "b"}{end if}'],
    ['{if the A equals b}{end if}', '{if the A is "b"}{end if}'],
    ['{if the A is one of b or c}{end if}', '{if the A is one of "b", "c"}{end if}'],
    ['{the A from the b.c event}', '{the A from the "b.c" event}'],
    [
      '{for each "the x" in the y}{the "the x"}{end for}',
      '{for each "the x" in the y}{the "the x"}{end for}',
    ],
    ['{if the "Equals" exists}{end if}', '{if the Equals exists}{end if}'],
    ['{if the "So Equals" exists}{end if}', '{if the "So Equals" exists}{end if}'],
    ['{if the A is not less than 5}{end if}', '{if not the A is less than 5}{end if}'],
    ['{if the A is true, and the B is "true"}{end if}', '{if the A is true and the B is "true"}{end if}'],
    ['{for each x in the y}{end for each}', '{for each x in the y}{end for}'],
    ['a { b } {{ c }} {the x}', 'a { b } {{ c }} {the x}'],
    ['{the }', '{the }'],
  ])('%s → %s', (source, expected) => {
    expect(printTemplate(parseTemplate(source))).toBe(expected);
  });
});

test('a number behind a list of alternatives does not become one of them', () => {
  const [node] = parseTemplate('{if the A is one of 1 or not 5}y{end if}').nodes;
  if (node?.kind !== 'if' || node.branches[0]?.condition.kind !== 'any')
    throw new Error('not the tree meant');
  const { conditions } = node.branches[0].condition;
  const [first, second] = conditions;
  if (first === undefined || second?.kind !== 'unary') throw new Error('not the tree meant');
  const condition = { kind: 'any', conditions: [first, { ...second, negated: false }] } as const;
  const printed = printNodes([{ ...node, branches: [{ ...node.branches[0], condition }] }]);
  expect(printed).toBe('{if the A is one of 1 or 5 plus 0}y{end if}');
  expect(printTemplate(parseTemplate(printed))).toBe(printed);
});
