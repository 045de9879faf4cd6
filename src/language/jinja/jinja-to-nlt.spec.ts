/**
 * Tests what Jinja2 is converted to, and its rendering; if Jinja2 itself renders something else, a comment gives it.
 */
import fc from 'fast-check';
import { compileTemplate } from '../nlt/compiler.js';
import { parseTemplate } from '../nlt/parser.js';
import type { RenderContext } from '../nlt/render-context.js';
import type { Template } from '../nlt/tree.js';
import { parseSource } from '../reading/source-parser.js';
import { jinja2ToNlt } from './jinja-to-nlt.js';
import { runs } from '../../../test/support/test-scope.js';

const context: RenderContext = {
  contact: {
    first_name: 'Ada',
    last_name: null,
    email: 'ada@example.com',
    tags: ['a', 'b'],
    properties: { plan: 'premium', points: 7, city: { name: 'Paris' }, vip: true, empty: '', code: 'a-b c' },
  },
  triggerEvent: {
    eventName: 'ordered',
    attributes: {
      amount: 12.5,
      count: 3,
      label: 'x <b>',
      items: [
        { name: 'Mug', price: 4, qty: 2 },
        { name: 'Tea', price: 2, qty: 0 },
      ],
      nothing: null,
      list: [],
      user: { first_name: 'U' },
    },
  },
  events: { signed_up: { attributes: { plan: 'basic' } } },
  now: new Date('2026-01-05T10:00:00Z'),
};

function rendered(tree: Template): string {
  const result = compileTemplate(tree, 'html').render(context);
  return result.kind === 'rendered' ? result.text : result.kind;
}

/** Jinja2, its conversion, and the rendering of that. */
const table: readonly (readonly [string, string, string])[] = [
  // names
  ['Hi {{ contact.first_name }}!', "Hi {the user's first_name}!", 'Hi Ada!'],
  ['{{contact.properties.plan}}', "{the user's plan}", 'premium'],
  ["{{ contact['first_name'] }}", "{the user's first_name}", 'Ada'],
  ['{{ contact.properties["city"].name }}', "{the user's city's name}", 'Paris'],
  ['{{ contact.properties.email }}', "{the user's properties's email}", ''],
  ['{{ contact.last_name }}', "{the user's last_name}", ''], // Jinja2: None
  ['{{ event.amount }}', '{the amount from the trigger event}', '12.5'],
  ["{{ event['amount'] }}", '{the amount from the trigger event}', '12.5'],
  ['{{ trigger_event.attributes.amount }}', '{the amount from the trigger event}', '12.5'],
  ['{{ events.signed_up.plan }}', '{the plan from the signed_up event}', 'basic'],
  ["{{ events['signed_up']['plan'] }}", '{the plan from the signed_up event}', 'basic'],
  ['{{ amount }}', '{the amount}', '12.5'],
  ['{{ missing }}', '{the missing}', ''],
  ['{{ user.first_name }}', `{the "user"'s first_name}`, 'U'],
  ['{{ contact.tags[0] }}', "{the user's tags's 0}", 'a'],
  ['{{ contact.tags.1 }}', "{the user's tags's 1}", 'b'],
  ['{{ contact.tags[-1] }}', "{the user's tags, last}", 'b'],
  ['{{ event.items[1].name }}', "{the items's 1's name from the trigger event}", 'Tea'],
  ['{{ event.points|default(contact.properties.points) }}', '{the points}', '7'],
  ["{{ contact['terms and conditions'] }}", `{the user's "terms and conditions"}`, ''],
  // filters
  ["{{ contact.missing|default('there') }}", `{the user's missing, or "there"}`, 'there'],
  ['{{ contact.missing|default("there", true) }}', `{the user's missing, otherwise "there"}`, 'there'],
  ['{{ contact.missing|default("there", false) }}', `{the user's missing, or "there"}`, 'there'],
  [
    "{{ contact.missing|default(default_value='there', boolean=true) }}",
    `{the user's missing, otherwise "there"}`,
    'there',
  ],
  ['{{ contact.last_name|default("there", true) }}', `{the user's last_name, or "there"}`, 'there'],
  [
    '{{ contact.missing|upper|default("there", true) }}',
    `{the user's missing, uppercase, or "there"}`,
    'there',
  ],
  ['{% if contact.plan is none %}x{% endif %}', "{if the user's plan is null}x{end if}", ''],
  ['{{ "x" if event.y != none }}', '{if the y from the trigger event is not null}x{end if}', 'x'],
  ['{% if x is defined and x is none %}x{% endif %}', '{if the x is null}x{end if}', ''],
  ['{% if x is sameas none %}x{% else %}y{% endif %}', '{if the x is null}x{else}y{end if}', 'y'],
  [
    '{% if x is defined and y is not none %}x{% endif %}',
    '{if the x exists and the y is not null}x{end if}',
    '',
  ],
  ["{{ contact.missing|d('x')|upper }}", `{the user's missing, or "x", uppercase}`, 'X'],
  [
    '{{ contact.missing|default(contact.email) }}',
    "{the user's missing, or the user's email}",
    'ada@example.com',
  ],
  ['{{ contact.missing|default(5) }}', "{the user's missing, or 5}", '5'],
  ['{{ contact.missing|default() }}|', `{the user's missing, or ""}|`, '|'],
  [`{{ contact.missing|default("it's") }}`, `{the user's missing, or "it's"}`, 'it&#39;s'],
  ["{{ contact.properties.empty|default('x', true) }}", `{the user's empty, otherwise "x"}`, 'x'],
  ["{{ contact.missing or 'there' }}", `{the user's missing, otherwise "there"}`, 'there'],
  [
    '{{ contact.missing or contact.first_name }}',
    "{the user's missing, otherwise the user's first_name}",
    'Ada',
  ],
  ['{{ contact.first_name|upper }}', "{the user's first_name, uppercase}", 'ADA'],
  ['{{ contact.first_name|lower }}', "{the user's first_name, lowercase}", 'ada'],
  ['{{ contact.properties.code|title }}', "{the user's code, titlecase}", 'A-B C'],
  ['{{ contact.properties.code|capitalize }}', "{the user's code, capitalized}", 'A-b c'],
  ['{{ contact.properties.code|trim|upper }}', "{the user's code, trimmed, uppercase}", 'A-B C'],
  ["{{ contact.properties.code|replace('a', 'o') }}", `{the user's code, replacing "a" with "o"}`, 'o-b c'],
  [
    '{{ contact.properties.code|replace("b", "\\"") }}',
    `{the user's code, replacing "b" with "&quot;"}`,
    'a-&quot; c',
  ], // Jinja2: a-&#34; c
  ["{{ contact.tags|join(', ') }}", `{the user's tags, joined with ", "}`, 'a, b'],
  ['{{ contact.tags|join }}', `{the user's tags, joined with ""}`, 'ab'],
  ['{{ contact.tags|first }}', "{the user's tags, first}", 'a'],
  ['{{ contact.tags|last|upper }}', "{the user's tags, last, uppercase}", 'B'],
  ['{{ contact.tags|length }}', "{the user's tags, count, or 0}", '2'],
  ['{{ contact.missing|length }}', "{the user's missing, count, or 0}", '0'],
  ['{{ contact.first_name|count }}', "{the user's first_name, count, or 0}", '3'],
  ['{{ list|length }}', '{the list, count, or 0}', '0'],
  ['{{ amount|round|int }}', '{the amount, rounded}', '13'], // Jinja2: 12
  ['{{ amount|round(1) }}', '{the amount, rounded to 1}', '12.5'],
  ["{{ amount|round(0, 'floor')|int }}", '{the amount, rounded down}', '12'],
  ["{{ amount|round(method='ceil')|int }}", '{the amount, rounded up}', '13'],
  ['{{ label }}', '{the label}', 'x &lt;b&gt;'],
  ['{{ label|safe }}', '{the label, as "html"}', 'x <b>'],
  ['{{ label|e }}', '{the label}', 'x &lt;b&gt;'],
  ['{{ label|escape|safe }}', '{the label}', 'x &lt;b&gt;'],
  ['{{ label|safe|escape }}', '{the label, as "html"}', 'x <b>'],
  ['{{ amount|string }}', '{the amount}', '12.5'],
  ['{{ event.amount|currency }}', '{the amount from the trigger event, as "currency"}', '$12.50'], // Jinja2: 12.5
  ["{{ event.amount|currency('EUR') }}", '{the amount from the trigger event, as "currency EUR"}', '€12.50'], // Jinja2: 12.5
  ['{{ missing|date }}', '{the missing, as "date"}', ''],
  ["{{ missing|date('long date') }}", '{the missing, as "long date"}', ''],
  ['{{ missing|date("%d. %B %Y") }}', '{the missing, as "dd. MMMM yyyy"}', ''],
  // arithmetic
  ['{{ amount + 1 }}', '{the amount plus 1}', '13.5'],
  ['{{ amount - 0.5 }}', '{the amount minus 0.5}', '12'], // Jinja2: 12.0
  ['{{ count * 2 - 3 }}', '{the count times 2 minus 3}', '3'],
  ['{{ 2 * count }}', '{the count times 2}', '6'],
  ['{{ 100 - amount }}', '{the amount times -1 plus 100}', '87.5'],
  ['{{ -amount }}', '{the amount times -1}', '-12.5'],
  ['{{ 3 - 2 * count }}', '{the count times -2 plus 3}', '-3'],
  ['{{ (count + 1) * 2 }}', '{the count times 2 plus 1 times 2}', '8'],
  ['{{ count * (2 + 3) }}', '{the count times 2 plus the count times 3}', '15'],
  ['{{ (amount - 1) / 4 }}', '{the amount divided by 4 minus 1 divided by 4}', '2.875'],
  ['{{ count // 2 }}', '{the count divided by 2, rounded down}', '1'],
  ['{{ -count // 2 }}', '{the count divided by -2, rounded down}', '-2'],
  ['{{ count % 2 }}', '{the count modulo 2}', '1'],
  ['{{ -count % 5 }}', '{the count times -1 modulo 5}', '2'],
  ['{{ 10 * (count % 2) }}', '{the count modulo 2 times 10}', '10'],
  ['{{ amount - (1 - count) }}', '{the amount minus 1 plus the count}', '14.5'],
  ['{{ amount / (2 * 5) }}', '{the amount divided by 2 divided by 5}', '1.25'],
  ['{{ count / (3 / 2) }}', '{the count times 2 divided by 3}', '2'], // Jinja2: 2.0
  [
    '{{ (count + 1) * (count - 1) }}',
    '{the count times the count minus the count times 1 plus the count times 1 minus 1 times 1}',
    '8',
  ],
  ['{{ (amount + 0.25)|round(1) }}', '{the amount plus 0.25, rounded to 1}', '12.8'],
  ['{{ count + -2 }}', '{the count minus 2}', '1'],
  ['{{ 1_000 + count }}', '{the count plus 1000}', '1003'],
  // output
  ["{{ 'plain' }}", 'plain', 'plain'],
  ["{{ 'a' 'b' }}", 'ab', 'ab'],
  ['{{ 5 }}', '5', '5'],
  ['{{ -2.5 }}', '-2.5', '-2.5'],
  ['{{ true }}', 'True', 'True'],
  ['{{ none }}', 'None', 'None'],
  ['{{ "Hello " + contact.first_name }}', "Hello {the user's first_name}", 'Hello Ada'],
  [
    '{{ contact.first_name ~ " " ~ contact.email }}',
    "{the user's first_name} {the user's email}",
    'Ada ada@example.com',
  ],
  ["{{ 'yes' if contact.first_name else 'no' }}", "{if the user's first_name}yes{else}no{end if}", 'yes'],
  [
    '{{ contact.first_name if contact.missing }}',
    "{if the user's missing}{the user's first_name}{end if}",
    '',
  ],
  ['{{ amount > 5 }}', '{if the amount is greater than 5}True{else}False{end if}', 'True'],
  ['{{ contact.missing is defined }}', "{if the user's missing exists}True{else}False{end if}", 'False'],
  ['{{ not amount }}', '{if not the amount}True{else}False{end if}', 'False'],
  // conditions
  ['{% if contact.first_name %}yes{% endif %}', "{if the user's first_name}yes{end if}", 'yes'],
  ['{% if contact.missing %}yes{% else %}no{% endif %}', "{if the user's missing}yes{else}no{end if}", 'no'],
  [
    `{% if contact.first_name == 'Bob' %}a{% elif contact.first_name == "Ada" %}b{% else %}c{% endif %}`,
    `{if the user's first_name is "Bob"}a{else if the user's first_name is "Ada"}b{else}c{end if}`,
    'b',
  ],
  ['{% if count != 3 %}x{% else %}y{% endif %}', '{if the count is not 3}x{else}y{end if}', 'y'],
  [
    '{% if count > 2 and count < 4 %}x{% endif %}',
    '{if the count is greater than 2 and the count is less than 4}x{end if}',
    'x',
  ],
  [
    '{% if count >= 3 and count <= 3 %}x{% endif %}',
    '{if the count is at least 3 and the count is at most 3}x{end if}',
    'x',
  ],
  [
    '{% if not contact.first_name or count >= 7 %}x{% else %}y{% endif %}',
    "{if not the user's first_name or the count is at least 7}x{else}y{end if}",
    'y',
  ],
  [
    '{% if not (contact.first_name and contact.last_name) %}x{% else %}y{% endif %}',
    "{if not the user's first_name or not the user's last_name}x{else}y{end if}",
    'x',
  ],
  [
    '{% if not (count > 5 or not contact.first_name) %}x{% else %}y{% endif %}',
    "{if not the count is greater than 5 and the user's first_name}x{else}y{end if}",
    'x',
  ],
  [
    '{% if (count > 5 or amount > 5) and (contact.first_name or contact.last_name) %}x{% else %}y{% endif %}',
    "{if the count is greater than 5 and the user's first_name or the count is greater than 5 and the user's last_name or the amount is greater than 5 and the user's first_name or the amount is greater than 5 and the user's last_name}x{else}y{end if}",
    'x',
  ],
  [
    '{% if contact.first_name or contact.last_name and contact.missing %}x{% else %}y{% endif %}',
    "{if the user's first_name or the user's last_name and the user's missing}x{else}y{end if}",
    'x',
  ],
  [
    "{% if contact.properties.plan in ['basic', 'premium'] %}x{% endif %}",
    `{if the user's plan is one of "basic", "premium"}x{end if}`,
    'x',
  ],
  [
    "{% if contact.properties.plan not in ('a', 'b') %}x{% endif %}",
    `{if not the user's plan is one of "a", "b"}x{end if}`,
    'x',
  ],
  [
    "{% if not contact.properties.plan in ['a'] or contact.first_name %}x{% endif %}",
    `{if not the user's plan is one of "a" or the user's first_name}x{end if}`,
    'x',
  ],
  ['{% if count in [1, 3] %}x{% endif %}', '{if the count is one of 1, 3}x{end if}', 'x'],
  ['{% if count in [] %}x{% endif %}', '{if 0}x{end if}', ''],
  ["{% if 'a' in contact.tags %}x{% endif %}", `{if the user's tags contains "a"}x{end if}`, 'x'],
  ["{% if 'z' not in contact.tags %}x{% endif %}", `{if the user's tags does not contain "z"}x{end if}`, 'x'],
  [
    "{% if 'rem' in contact.properties.plan %}x{% endif %}",
    `{if the user's plan contains "rem"}x{end if}`,
    'x',
  ],
  ['{% if contact.first_name is defined %}x{% endif %}', "{if the user's first_name exists}x{end if}", 'x'],
  [
    '{% if contact.missing is not defined %}x{% endif %}',
    "{if the user's missing does not exist}x{end if}",
    'x',
  ],
  [
    '{% if contact.missing is undefined %}x{% endif %}',
    "{if the user's missing does not exist}x{end if}",
    'x',
  ],
  [
    '{% if contact.last_name is none %}x{% endif %}',
    "{if the user's last_name does not exist}x{end if}",
    'x',
  ],
  ['{% if contact.first_name is not none %}x{% endif %}', "{if the user's first_name exists}x{end if}", 'x'],
  [
    '{% if contact.last_name == none %}x{% endif %}',
    "{if the user's last_name does not exist}x{end if}",
    'x',
  ],
  ['{% if contact.first_name != None %}x{% endif %}', "{if the user's first_name exists}x{end if}", 'x'],
  [
    '{% if contact.plan | default(none) is none %}x{% endif %}',
    "{if the user's plan does not exist}x{end if}",
    '',
  ],
  ['{% if x is defined and x is not none and y %}x{% endif %}', '{if the x exists and the y}x{end if}', ''],
  [
    '{% if y or x == none or x is undefined %}x{% endif %}',
    '{if the y or the x does not exist}x{end if}',
    'x',
  ],
  ['{% if not (x is none or not x is defined) %}x{% endif %}', '{if the x exists}x{end if}', ''],
  [
    '{% if 1 < count < 20 %}x{% endif %}',
    '{if the count is greater than 1 and the count is less than 20}x{end if}',
    'x',
  ],
  [
    '{% if not 1 < count < 20 %}x{% else %}y{% endif %}',
    '{if not the count is greater than 1 or not the count is less than 20}x{else}y{end if}',
    'y',
  ],
  ['{% if 5 < amount %}x{% endif %}', '{if the amount is greater than 5}x{end if}', 'x'],
  ["{% if 'Ada' == contact.first_name %}x{% endif %}", `{if the user's first_name is "Ada"}x{end if}`, 'x'],
  [
    '{% if contact.tags|length > 1 %}x{% endif %}',
    "{if the user's tags, count is greater than 1}x{end if}",
    'x',
  ],
  [
    '{% if contact.missing|length < 3 %}x{% endif %}',
    "{if the user's missing, count, or 0 is less than 3}x{end if}",
    'x',
  ],
  ['{% if contact.tags|length %}x{% endif %}', "{if the user's tags, count}x{end if}", 'x'],
  ['{% if list|length == 0 %}x{% endif %}', '{if the list, count, or 0 is 0}x{end if}', 'x'],
  ['{% if true and contact.first_name %}x{% endif %}', "{if the user's first_name}x{end if}", 'x'],
  ['{% if false %}x{% endif %}', '{if 0}x{end if}', ''],
  ['{% if not none %}x{% endif %}', '{if 1}x{end if}', 'x'],
  ['{% if count is divisibleby 3 %}x{% endif %}', '{if the count modulo 3 is 0}x{end if}', 'x'],
  ['{% if count is odd %}x{% endif %}', '{if the count modulo 2 is 1}x{end if}', 'x'],
  ['{% if count is not even %}x{% endif %}', '{if the count modulo 2 is not 0}x{end if}', 'x'],
  ['{% if count is gt 2 %}x{% endif %}', '{if the count is greater than 2}x{end if}', 'x'],
  ['{% if contact.properties.vip == true %}x{% endif %}', "{if the user's vip is true}x{end if}", 'x'],
  ['{% if contact.properties.vip is true %}x{% endif %}', "{if the user's vip is true}x{end if}", 'x'],
  [
    "{% if contact.first_name.startswith('A') %}x{% endif %}",
    `{if the user's first_name starts with "A"}x{end if}`,
    'x',
  ],
  [
    "{% if not contact.email.endswith('.org') %}x{% endif %}",
    `{if not the user's email ends with ".org"}x{end if}`,
    'x',
  ],
  ['{% if amount + 1 > 13 %}x{% endif %}', '{if the amount plus 1 is greater than 13}x{end if}', 'x'],
  [
    '{% if amount > count + 1 %}x{% endif %}',
    '{if the amount is greater than the count plus 1}x{end if}',
    'x',
  ],
  ['{% if 5 - 1 > count %}x{% endif %}', '{if 5 minus 1 is greater than the count}x{end if}', 'x'],
  [
    "{% if contact.first_name|lower == 'ada' %}x{% endif %}",
    `{if the user's first_name, lowercase is "ada"}x{end if}`,
    'x',
  ],
  [
    '{% if contact.first_name == contact.first_name|trim %}x{% endif %}',
    "{if the user's first_name is the user's first_name, trimmed}x{end if}",
    'x',
  ],
  [
    "{% if contact['is it'] or contact['and'] == 'x' %}x{% endif %}",
    `{if the user's is it or the user's and is "x"}x{end if}`,
    '',
  ],
  // loops
  [
    '{% for item in event.items %}{{ item.name }};{% endfor %}',
    "{for each item in the items from the trigger event}{the item's name};{end for}",
    'Mug;Tea;',
  ],
  [
    "{% for tag in contact.tags %}{{ tag }}{% if tag != 'b' %}, {% endif %}{% endfor %}",
    `{for each tag in the user's tags}{the tag}{if the tag is not "b"}, {end if}{end for}`,
    'a, b',
  ],
  ['{% for item in missing %}x{% endfor %}', '{for each item in the missing}x{end for}', ''],
  ['{% for item in missing|default([]) %}x{% endfor %}', '{for each item in the missing}x{end for}', ''],
  [
    '{% for i in list %}x{% else %}none{% endfor %}',
    '{for each i in the list}x{end for}{if the list is empty}none{end if}',
    'none',
  ],
  [
    '{% for i in contact.tags %}x{% else %}none{% endfor %}',
    "{for each i in the user's tags}x{end for}{if the user's tags is empty}none{end if}",
    'xx',
  ],
  [
    "{% for item in event['items'] if item.qty %}{{ item.name }}{% endfor %}",
    "{for each item in the items from the trigger event}{if the item's qty}{the item's name}{end if}{end for}",
    'Mug',
  ],
  [
    '{% for user in contact.tags %}{{ user }}{% endfor %}',
    "{for each user_2 in the user's tags}{the user_2}{end for}",
    'ab',
  ],
  [
    '{% for a in contact.tags %}{% for b in contact.tags %}{{ a }}{{ b }} {% endfor %}{% endfor %}',
    "{for each a in the user's tags}{for each b in the user's tags}{the a}{the b} {end for}{end for}",
    'aa ab ba bb ',
  ],
  [
    '{% for A in contact.tags %}{% for a in contact.tags %}{{ A }}{{ a }} {% endfor %}{% endfor %}',
    "{for each A in the user's tags}{for each a_2 in the user's tags}{the A}{the a_2} {end for}{end for}",
    'aa ab ba bb ',
  ],
  [
    '{% for contact in contact.tags %}{{ contact }}{% endfor %}{{ contact.email }}',
    "{for each contact in the user's tags}{the contact}{end for}{the user's email}",
    'abada@example.com',
  ],
  // comments, raw texts and white space
  ['a{# hi #}b', 'ab', 'ab'],
  ['a {#- x -#} b', 'ab', 'ab'],
  ['a  {{- contact.first_name -}}  b', "a{the user's first_name}b", 'aAdab'],
  ['a \n {%- if amount %} x {%- endif -%} \n b', 'a{if the amount} x{end if}b', 'a xb'],
  ['{%- if amount -%} x {%- else -%} y {%- endif -%} z', '{if the amount}x{else}y{end if}z', 'xz'],
  ['{%+ if amount +%} x {% endif %}', '{if the amount} x {end if}', ' x '],
  ['{% raw %}plain { text }{% endraw %}', 'plain { text }', 'plain { text }'],
  ['a {%- raw -%} b {%- endraw -%} c', 'abc', 'abc'],
  ['{% if amount %}\nx\n{% endif %}\n', '{if the amount}\nx\n{end if}\n', '\nx\n\n'],
];

test.each(table)('%s becomes %s and renders %j', (jinja, nlt, text) => {
  expect(jinja2ToNlt(jinja)).toMatchObject({ content: nlt, warnings: [] });
  expect(rendered(parseTemplate(nlt))).toBe(text);
  expect(rendered(parseSource(jinja, null).tree)).toBe(text);
});

/** Jinja2 without a counterpart, which stays as written, and the text of its warning. */
const kept: readonly (readonly [string, RegExp])[] = [
  ['{% if x | default(y) is none %}x{% endif %}', /cannot check for null after the filter “default”/],
  ['{{ contact.first_name|slugify }}', /filter “slugify”/],
  ['{{ foo(1) }}', /no functions/],
  ['{{ contact.tags[0:1] }}', /slice/],
  ['{{ {"a": 1} }}', /dictionary/],
  ['{{ [1, 2] }}', /no list literals/],
  ['{{ amount ** 2 }}', /power/],
  ['{{ contact }}', /not a single value/],
  ['{{ contact[field] }}', /fixed names/],
  ['{{ loop.index }}', /built into Jinja2/],
  ['{{ trigger_event.event_name }}', /name of an event/],
  ['{{ (amount + 1) / 3 }}', /parentheses/],
  ['{{ 100 / amount }}', /starts with a named value/],
  ['{{ 1 + 2 }}', /starts with a named value/],
  ['{{ amount // 2 + 1 }}', /round down/],
  ['{{ amount|round + 1 }}', /modifiers inside calculations/],
  ['{{ amount|int }}', /“int”/],
  ['{{ amount|round(-1) }}', /0 to 20 digits/],
  ['{{ label|replace("", "x") }}', /empty text/],
  ['{{ label|join(", ", attribute="x") }}', /no such argument/],
  ['{{ label|safe|default("<i>") }}', /not be escaped/],
  ['{{ amount|date("%j") }}', /no format/],
  ['{{ amount|date("nonsense") }}', /no format/],
  ['{{ "x"|upper }}', /quoted text/],
  ['{{ "a & b" }}', /not escaped/],
  ['{{ "{{" }}', /would become an expression/],
  ['{% raw %}{{ x }}{% endraw %}', /would become an expression/],
  ["{% raw %}{the user's x}{% endraw %}", /would become an expression/],
  ['{% set x = 1 %}', /tag “set”/],
  ['{% include "x" %}', /tag “include”/],
  ['{% if amount is string %}x{% endif %}', /test “string”/],
  ['{% if amount %}a{% elif amount is string %}b{% else %}c{% endif %}', /test “string”/],
  ['{% if "a" == "b" %}x{% endif %}', /two fixed values/],
  ['{% for k, v in pairs %}x{% endfor %}', /one variable/],
  ['{% for i in range(3) %}x{% endfor %}', /no functions/],
  ['{% for i in [1, 2] %}x{% endfor %}', /no list literals/],
  ['{% for i in items recursive %}x{% endfor %}', /recursive/],
  ['{% for i in items if i %}x{% else %}y{% endfor %}', /no “else”/],
  ['{{ contact. }}', /was expected/],
  ['{% endif %}', /nothing to close/],
  ['{% if amount %}x', /not closed/],
];

test.each(kept)('%s stays as written', (jinja, reason) => {
  const { content, count, warnings } = jinja2ToNlt(jinja);
  expect({ content, count }).toEqual({ content: jinja, count: 0 });
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(reason);
  const block = /“(.*?[}%]\})”/s.exec(warnings[0] ?? '')?.[1];
  expect(jinja).toContain(block);
});

/** What is converted and what stays if a template mixes both. */
const mixed: readonly (readonly [string, string])[] = [
  ["Hi {the user's x} and {{ contact.y }}", "Hi {the user's x} and {the user's y}"],
  ["{if the user's x}{{ contact.y }}{end if}", "{if the user's x}{the user's y}{end if}"],
  ["{% if contact.y %}{the user's x}{% endif %}", "{if the user's y}{the user's x}{end if}"],
  ['{the x, or "{{ contact.y }}"}', '{the x, or "{{ contact.y }}"}'],
  ["{{the user's x}} {{{ x }}}", "{{the user's x}} {{{ x }}}"],
  ['@media print{#a{color:{{ color }}}}', '@media print{#a{color:{the color}}}'],
  [
    '{% if amount is string %}{{ contact.y }}{% else %}{{ amount }}{% endif %}',
    "{% if amount is string %}{the user's y}{% else %}{the amount}{% endif %}",
  ],
  [
    '{% for k, v in pairs %}{{ k }}{{ contact.y }}{% endfor %}{{ k }}',
    "{% for k, v in pairs %}{{ k }}{the user's y}{% endfor %}{the k}",
  ],
  [
    '{% for item in items %}{{ loop.index }}{{ item.name }}{% endfor %}',
    "{for each item in the items}{{ loop.index }}{the item's name}{end for}",
  ],
  ['{% set x = amount %}{{ x }}{{ amount }}', '{% set x = amount %}{{ x }}{the amount}'],
  [
    '{for each Item in the Items}{{ item.name }}{end for}',
    "{for each Item in the Items}{the item's name}{end for}",
  ],
];

test.each(mixed)('%s becomes %s', (source, content) => {
  expect(jinja2ToNlt(source).content).toBe(content);
});

test('every converted block counts', () => {
  const { count } = jinja2ToNlt('{% if amount %}{{ amount }}{% else %}{# none #}{% endif %}{{ foo() }}');
  expect(count).toBe(5);
});

test('a condition that would grow too much without parentheses stays', () => {
  const source = `{% if ${Array.from({ length: 12 }, () => '(a or b)').join(' and ')} %}x{% endif %}`;
  expect(jinja2ToNlt(source).content).toBe(source);
});

const fragments = table.map(([jinja]) => jinja).concat(kept.map(([jinja]) => jinja));
const tokens = [
  ...[
    '{{',
    '}}',
    '{%',
    '%}',
    '{#',
    '#}',
    '{',
    '}',
    '-',
    ' ',
    '"',
    "'",
    '(',
    ')',
    '[',
    ']',
    '|',
    '.',
    ',',
    '\\',
  ],
  ...[
    'if',
    'endif',
    'else',
    'elif',
    'for',
    'endfor',
    'in',
    'not',
    'and',
    'or',
    'is',
    'defined',
    'raw',
    'endraw',
  ],
  ...[
    'contact',
    'event',
    'x',
    '1',
    '+',
    '*',
    '/',
    '%',
    '==',
    '<',
    'upper',
    'default',
    'the user',
    '{end if}',
  ],
];
const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(...tokens),
      fc.constantFrom(...tokens),
      fc.constantFrom(...fragments),
      fc.string(),
    ),
  )
  .map((parts) => parts.join(' '));

test('never throws, and reads alike before and after the conversion', () => {
  fc.assert(
    fc.property(soup, (source) => {
      const { content, warnings } = jinja2ToNlt(source);
      const { tree } = parseSource(source, null);
      parseSource(source, 'jinja2');
      if (warnings.length > 0 || tree.errors.length > 0) return;
      const converted = parseTemplate(content);
      expect(converted.errors).toEqual([]);
      expect(rendered(converted)).toBe(rendered(tree));
    }),
    { numRuns: runs(500) },
  );
});

test('good Jinja2 one behind the other converts without errors', () => {
  const good = fc.array(fc.constantFrom(...table)).map((rows) => rows.map(([jinja]) => jinja).join('\n|'));
  fc.assert(
    fc.property(good, (source) => {
      const { content, warnings } = jinja2ToNlt(source);
      expect(warnings).toEqual([]);
      expect(parseTemplate(content).errors).toEqual([]);
    }),
  );
});
