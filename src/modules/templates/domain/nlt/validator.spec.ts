/**
 * Which findings an author gets, by template and sample.
 */
import { parseTemplate } from './parser.js';
import type { RenderContext } from './render-context.js';
import { validateTemplate } from './validator.js';

const sample: RenderContext = {
  contact: {
    first_name: 'Ann',
    phone: null,
    properties: { plan: 'gold', address: { city: 'Graz' }, none: [] },
  },
  triggerEvent: { event_name: 'order', attributes: { items: [{ name: 'Mug' }] } },
  now: new Date('2026-05-01T00:00:00Z'),
};

function findings(source: string, context?: RenderContext): string[] {
  return validateTemplate(parseTemplate(source), context).map(
    ({ severity, message, line, column, block_text }) =>
      `${severity} ${line}:${column} ${block_text} ${message}`,
  );
}

test.each<[source: string, expected: RegExp[]]>([
  ['plain', []],
  ["{the user's First Name}", []],
  ["{the user's Nope}", []],
  ['{the user\'s x, as "html"}', [/^warning 1:1 \{the user's x, as "html"\} as "html" inserts/]],
  ['a\n{the }', [/^error 2:6 \{the \} The name/]],
  ["{{the user's x}}", [/^warning 1:1 \{\{the user's x\}\} Double braces/]],
  ["{{the user's x}", [/^warning 1:1 \{\{the user's x\} Double braces/]],
  ["{user's First Name}", [/^warning 1:1 \{user's First Name\} This is left as text.*“the”/]],
  ['{contact’s Plan, or "x"}', [/This is left as text/]],
  ['{foreach x in the y}', [/^warning 1:1 .*\{for each … in …\}/]],
  ['{for x in the y}', [/This is left as text/]],
  ['{if the x}{elseif the y}{end if}', [/^warning 1:11 \{elseif the y\} This is left as text/]],
  ['{if the x}{endif}', [/^error 1:1/, /^warning 1:11 \{endif\}/]],
  ["{the user's First Name or friend}", [/^warning 1:1 .* Is a comma missing before “or”/]],
  ['{the Amount as currency}', [/comma missing before “as”/]],
  ["{the user's Name UPPERCASE}", [/comma missing before “UPPERCASE”/]],
  ['{the user\'s "Email or Phone"}', []],
  ["{the user's Terms and Conditions}{the order ID}{the user's Visit Count}", []],
  ['{ anything else } a { color: red } {"a": 1} {elsewhere} {for the record} {usersname}', []],
  ['{{ jinja }}', []],
  ['{the x, as "html"}\n{the }\n{the y, as "html"}', [/^warning 1:1/, /^error 2:6/, /^warning 3:1/]],
])('%s without a sample', (source, expected) => {
  const found = findings(source);
  expect(found).toHaveLength(expected.length);
  expected.forEach((pattern, index) => expect(found[index]).toMatch(pattern));
});

test.each<[source: string, expected: RegExp[]]>([
  ["{the user's First Name}", []],
  ["{the user's Nope}", [/^warning 1:1 \{the user's Nope\} the user's Nope: the sample has no such value/]],
  ["{the user's Phone}", [/no such value/]],
  ['{the user\'s Nope, or "x"}', []],
  ["{the user's Nope, required}", []],
  ["{the user's Address}", [/is a group of values/]],
  ['{the user\'s Address, or "x"}', [/is a group of values/]],
  ["{the user's Address, required}", [/is a group of values/]],
  ["{the user's Address, count}", []],
  ['{the Items from the trigger event, or "x"}', [/is a group of values/]],
  ['{the Items from the trigger event, count}', []],
  ["{the user's Address's City}", []],
  ["{if the user's Nope exists}{the user's Nope}{end if}", []],
  ["{if the user's Plan is gold}{the user's Nope}{else}{the user's Nix}{end if}", [/user's Nope: /]],
  ["{if the user's Plan is x}{the user's Nope}{else}{the user's Nix}{end if}", [/user's Nix: /]],
  ['{if the user\'s Plan is x}{the user\'s Nope, as "html"}{end if}', [/as "html" inserts/]],
  ["{for each I in the Items}{the I's Name}{the I's Nope}{end for}", [/^warning 1:40 .*the I's Nope: /]],
  ['{for each I in the Nope}{the I}{end for}', [/^warning 1:1 .*no such list/]],
  ["{for each I in the user's Plan}{the I}{end for}", [/is not a list/]],
  ["{for each I in the user's None}{the I}{end for}", []],
  ['{the x from the gone event}', [/no such value/]],
  ["{the user's Plan plus 1}", [/no such value/]],
])('%s with a sample', (source, expected) => {
  const found = findings(source, sample);
  expect(found).toHaveLength(expected.length);
  expected.forEach((pattern, index) => expect(found[index]).toMatch(pattern));
});

test('findings are bounded', () => {
  expect(findings('{the }'.repeat(5_000))).toHaveLength(100);
  expect(findings('{the x, as "html"}'.repeat(5_000))).toHaveLength(100);
  expect(findings('{endif}'.repeat(5_000))).toHaveLength(100);
});
