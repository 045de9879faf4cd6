/** Tests which findings an author gets, by template and sample. */
import { parseTemplate } from './parser.js';
import type { RenderContext } from './render-context.js';
import { validateTemplate } from './validator.js';

const sample: RenderContext = {
  contact: {
    first_name: 'Ann',
    phone: null,
    properties: { plan: 'gold', address: { city: 'Graz' }, none: [] },
  },
  triggerEvent: { eventName: 'order', attributes: { items: [{ name: 'Mug' }] } },
  now: new Date('2026-05-01T00:00:00Z'),
};

function findings(source: string, context?: RenderContext): string[] {
  return validateTemplate(parseTemplate(source), context).map(
    ({ severity, message, line, column, blockText }) =>
      `${severity} ${line}:${column} ${blockText} ${message}`,
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
  ["{user's First Name}", [/^warning 1:1 \{user's First Name\} This is treated as text.*“the”/]],
  ['{contact’s Plan, or "x"}', [/This is treated as text/]],
  ['{foreach x in the y}', [/^warning 1:1 .*\{for each … in …\}/]],
  ['{for x in the y}', [/This is treated as text/]],
  ['{if the x}{elseif the y}{end if}', [/^warning 1:11 \{elseif the y\} This is treated as text/]],
  ['{if the x}{endif}', [/^error 1:1/, /^warning 1:11 \{endif\}/]],
  ["{the user's First Name or friend}", [/^warning 1:1 .* Is a comma missing before “or”/]],
  ["{the user's Nickname or the user's First Name}", [/^warning 1:1 .* Is a comma missing before “or”/]],
  ["{the user's Nickname or the Order's Name}", [/comma missing before “or”/]],
  ["{the user's Address's City or the user's Address's Town}", [/comma missing before “or”/]],
  ["{the user's Nickname or the Name from the trigger event}", [/comma missing before “or”/]],
  ["{the Nickname or the user's Name from the trigger event}", [/comma missing before “or”/]],
  ['{the Name from the trigger event or the last event}', [/comma missing before “or”/]],
  ['{the Name from the signed up or trigger event}', [/comma missing before “or”/]],
  ["{the user's Nickname or today}", [/comma missing before “or”/]],
  ['{the user\'s Nickname or now, as "time"}', [/comma missing before “or”/]],
  ["{the user's Nickname or the user's First Name, uppercase}", [/comma missing before “or”/]],
  ['{the user\'s Nickname or the user\'s First Name, or "friend"}', [/comma missing before “or”/]],
  ["{the user's Nickname, uppercase, or the user's First Name or the user's Email}", [/comma missing/]],
  ["{the user's Nickname, or the user's First Name uppercase}", [/comma missing before “uppercase”/]],
  ["{the user's Points plus the Bonus or the user's Credit}", [/comma missing before “or”/]],
  ["{the user's Points or the user's Credit plus 1}", [/comma missing before “or”/]],
  ["{the user's Points times the user's Factor or the user's Rate}", [/comma missing before “or”/]],
  ["{the user's Nickname&nbsp;or <b>the</b> user’s First Name}", [/comma missing before “or”/]],
  ["{for each X in the Items or the user's Items}{the X}{end for}", [/^warning 1:1 .*before “or”/]],
  ["{for each X in the user's Items or the Items}{the X}{end for}", [/^warning 1:1 .*before “or”/]],
  ["{the user's Nickname, or the user's First Name}{the Or Gate}{the user's Color}", []],
  ["{if the user's Nickname or the user's First Name}x{end if}", []],
  ['{the user\'s "Email or Phone"\'s Number}{the user’s “Email or Phone”}', []],
  ["{the user's &quot;Email or Phone&quot;}{the 'Email or Phone'}{the x from the \"a or b\" event}", []],
  ["{the user's &nbsp;Email or Phone}", [/comma missing/]],
  ['{the Amount as currency}', [/comma missing before “as”/]],
  ["{the user's Name UPPERCASE}", [/comma missing before “UPPERCASE”/]],
  ['{the user\'s "Email or Phone"}', []],
  ["{the user's Terms and Conditions}{the order ID}{the user's Visit Count}", []],
  ['{ anything else } a { color: red } {"a": 1} {elsewhere} {for the record} {usersname}', []],
  ['{{ jinja }}', []],
  [
    '{the x, joined with "<br>"}',
    [/^warning 1:1 \{the x, joined with "<br>"\} Tags in a quoted text are removed/],
  ],
  ['{the x, replacing "a" with "<b>"}', [/Tags in a quoted text/]],
  ['{the x, or "<b>x</b>"}{the x, or “<i>x</i>”}', [/^warning 1:1 .*Tags/, /^warning 1:23 .*Tags/]],
  [
    '{if the x is "a<br>b"}x{else if the x is \'<b>\'}y{end if}',
    [/^warning 1:1 .*Tags/, /^warning 1:24 .*Tags/],
  ],
  ['{for each y in the "<i>x</i>"}{the y}{end for}', [/^warning 1:1 .*Tags/]],
  ['{the <b>x</b>, or <i>"y"</i>}{the x, or "a &lt;br&gt; b"}{the x, or "a < b > c"}', []],
  ['{the x, as "html"}\n{the }\n{the y, as "html"}', [/^warning 1:1/, /^error 2:6/, /^warning 3:1/]],
])('%s without a sample', (source, expected) => {
  const found = findings(source);
  expect(found).toHaveLength(expected.length);
  expected.forEach((pattern, index) => expect(found[index]).toMatch(pattern));
});

test.each<[source: string, expected: RegExp[]]>([
  ["{the user's First Name}", []],
  [
    "{the user's Nope}",
    [/^warning 1:1 \{the user's Nope\} the user's Nope: the sample data has no such value/],
  ],
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
