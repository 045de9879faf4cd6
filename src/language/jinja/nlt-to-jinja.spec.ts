/** From NLT to Jinja2, section 4.3: the conversion of each expression, and what stays. */
import { nltToJinja2 } from './nlt-to-jinja.js';

describe('converts', () => {
  test.each([
    ['{the user\'s First Name, or "there"}', '{{ contact.first_name | default("there", true) }}'],
    ["{the user's Plan}", '{{ contact.properties.plan }}'],
    ["{the user's firstName}", '{{ contact.first_name }}'],
    ["{the user's signupSource}", '{{ contact.properties.signupSource }}'],
    ["{the user's Address's Zip-Code}", '{{ contact.properties.address.zip_code }}'],
    ["{the user's properties's Plan}", '{{ contact.properties.plan }}'],
    ['{the user\'s "utm.source"}', '{{ contact.properties["utm.source"] }}'],
    ["{the user's Größe}", '{{ contact.properties["größe"] }}'],
    ["{the user's Tags}", '{{ contact.tags | join(", ") }}'],
    ['{the Amount from the trigger event}', '{{ event.amount }}'],
    ['{the Items from the trigger event, count, or 0}', '{{ event["items"] | length }}'],
    ['{the Lines from the trigger event, first}', '{{ event.lines | first }}'],
    ["{the Lines's 0's Name from the trigger event}", '{{ event.lines[0].name }}'],
    ['{the Plan from the Signed Up event}', '{{ events.signed_up.plan }}'],
    ['{the order ID}', '{{ event.order_id | default(contact.properties.order_id) }}'],
    ['{the Email}', '{{ event.email | default(contact.email) }}'],
    ["{the user's Points plus 100 times -2.50}", '{{ contact.properties.points + 100 * -2.5 }}'],
    ['{the x from the trigger event divided by 2 modulo 3}', '{{ event.x / 2 % 3 }}'],
    ["{the user's Points plus 1, rounded}", '{{ (contact.properties.points + 1) | round | int }}'],
    ["{the user's x, rounded to 2}", '{{ contact.properties.x | round(2) }}'],
    ["{the user's x times 3 divided by 2, rounded down}", '{{ contact.properties.x * 3 // 2 }}'],
    [
      "{the user's x divided by 2, rounded down to 1}",
      '{{ (contact.properties.x / 2) | round(1, "floor") }}',
    ],
    ["{the user's x, rounded down}", '{{ contact.properties.x | round(0, "floor") | int }}'],
    ["{the user's x, rounded up to 1}", '{{ contact.properties.x | round(1, "ceil") }}'],
    ["{the user's x, uppercase, trimmed}", '{{ contact.properties.x | upper | trim }}'],
    ["{the user's x, lowercase, titlecase}", '{{ contact.properties.x | lower | title }}'],
    ["{the user's x, capitalized}", '{{ contact.properties.x | capitalize }}'],
    ['{the user\'s x, replacing "a" with "&quot;"}', '{{ contact.properties.x | replace("a", \'"\') }}'],
    ['{the user\'s x, joined with ", "}', '{{ contact.properties.x | join(", ") }}'],
    ['{the user\'s x, as "html", uppercase}', '{{ contact.properties.x | upper | safe }}'],
    ['{the user\'s x, as "currency"}', '{{ contact.properties.x | currency }}'],
    ['{the user\'s x, as "currency EUR"}', '{{ contact.properties.x | currency("EUR") }}'],
    ['{the user\'s x, as "date"}', '{{ contact.properties.x | date }}'],
    ['{the user\'s x, as "d MMM"}', '{{ contact.properties.x | date("d MMM") }}'],
    ['{the user\'s x, as "percent"}', '{{ contact.properties.x | percent }}'],
    ['{now, as "time"}', '{{ now | date("time") }}'],
    ['{today}', '{{ today }}'],
    ["{the user's Tags, count}", '{{ contact.tags | length if contact.tags | default(none) is not none }}'],
    [
      '{the user\'s Tags, count, or "none"}',
      '{{ contact.tags | length if contact.tags | default(none) is not none else "none" }}',
    ],
  ])('%s', (source, expected) => {
    expect(nltToJinja2(source)).toEqual({ content: expected, count: 1, warnings: [] });
  });

  test.each([
    ["the user's Plan is premium", 'contact.properties.plan == "premium"'],
    ['the user\'s Plan is not "a"', 'contact.properties.plan != "a"'],
    ['not the user\'s Plan is "a"', 'contact.properties.plan != "a"'],
    ["the user's VIP is true", 'contact.properties.vip == true'],
    ["the user's x is greater than 5", 'contact.properties.x > 5'],
    ["the user's x is less than 5", 'contact.properties.x < 5'],
    ["the user's x is at least 5", 'contact.properties.x >= 5'],
    ["the user's x is at most 5", 'contact.properties.x <= 5'],
    ["not the user's x is at most 5", 'not contact.properties.x <= 5'],
    ['the user\'s Tags contains "a"', '"a" in contact.tags'],
    ['the user\'s Tags does not contain "a"', '"a" not in contact.tags'],
    ['not the user\'s Tags contains "a"', '"a" not in contact.tags'],
    ['the user\'s x starts with "a"', 'contact.properties.x.startswith("a")'],
    ['the user\'s x, lowercase does not end with "a"', 'not (contact.properties.x | lower).endswith("a")'],
    ['the user\'s x is one of "a", 2', 'contact.properties.x in ["a", 2]'],
    ['not the user\'s x is one of "a", 2', 'contact.properties.x not in ["a", 2]'],
    ["the user's x is one of the user's Tags", 'contact.properties.x in contact.tags'],
    ["the user's x exists", 'contact.properties.x | default(none) is not none'],
    ["the user's x, uppercase exists", 'contact.properties.x | default(none) is not none'],
    ["the user's x does not exist", 'contact.properties.x | default(none) is none'],
    ["not the user's x exists", 'contact.properties.x | default(none) is none'],
    ["the user's x plus 1 exists", '(contact.properties.x + 1) | default(none) is not none'],
    ["the user's x is empty", 'not contact.properties.x and contact.properties.x != 0'],
    ["the user's x is not empty", 'contact.properties.x or contact.properties.x == 0'],
    ["the user's x", 'contact.properties.x'],
    ["not the user's x", 'not contact.properties.x'],
    ["the user's Tags, count is at least 3", 'contact.tags | length >= 3'],
    [
      "the user's Tags, count is less than 3",
      'contact.tags | default(none) is not none and contact.tags | length < 3',
    ],
    ["the user's Tags, count is empty", 'contact.tags | default(none) is none'],
    [
      "the user's a and the user's b is empty or the user's c",
      'contact.properties.a and (not contact.properties.b and contact.properties.b != 0) or contact.properties.c',
    ],
  ])('the condition %s', (condition, expected) => {
    expect(nltToJinja2(`{if ${condition}}x{end if}`)).toEqual({
      content: `{% if ${expected} %}x{% endif %}`,
      count: 2,
      warnings: [],
    });
  });

  test('conditions with all their branches, and loops', () => {
    const source =
      "{if the user's a}1{else if the user's b}2{else}3{end if}" +
      "{for each Line Item in the Items from the trigger event}{the Line Item's Name}{the Line Item}{the other}{end for}";
    expect(nltToJinja2(source)).toEqual({
      content:
        '{% if contact.properties.a %}1{% elif contact.properties.b %}2{% else %}3{% endif %}' +
        '{% for line_item in event["items"] %}{{ line_item.name }}{{ line_item }}' +
        '{{ event.other | default(contact.properties.other) }}{% endfor %}',
      count: 9,
      warnings: [],
    });
  });

  test.each([
    ['contact', 'item_contact'],
    ['in', 'item_in'],
    ['2nd', 'item_2nd'],
    ['Größe', 'gr_e'],
    ['Item', 'item'],
  ])('a loop variable called %s becomes %s', (name, variable) => {
    expect(nltToJinja2(`{for each "${name}" in the user's x}{the "${name}"}{end for}`).content).toBe(
      `{% for ${variable} in contact.properties.x %}{{ ${variable} }}{% endfor %}`,
    );
  });
});

describe('what Jinja2 would read', () => {
  test.each([
    ['a { color: red } {b}', 'a { color: red } {b}'],
    ['{{ x }}', '{% raw %}{{ x }}{% endraw %}'],
    [
      '<p>{{ x }}{% if %}</p>{# c #}',
      '<p>{% raw %}{{ x }}{% endraw %}{% raw %}{% if %}{% endraw %}</p>{% raw %}{# c #}{% endraw %}',
    ],
    ['{{{{ {', '{% raw %}{{{{ {% endraw %}{'],
    ['{% raw %}<b>{% endraw %}', '{% raw %}{% raw %}{% endraw %}<b>{{ "{%" }} endraw %}'],
  ])('%s becomes %s', (source, expected) => {
    expect(nltToJinja2(source)).toEqual({ content: expected, count: 0, warnings: [] });
  });
});

describe('what stays', () => {
  test('an expression without a counterpart, with a warning that quotes it', () => {
    const source = "<p>{the user's Email, required} {the user's Plan}</p>";
    expect(nltToJinja2(source)).toEqual({
      content: "<p>{the user's Email, required} {{ contact.properties.plan }}</p>",
      count: 1,
      warnings: [
        "“{the user's Email, required}” was not converted: Jinja2 has no equivalent for “required”.",
      ],
    });
  });

  test('the tags of a condition without a counterpart; what is inside is converted', () => {
    const source =
      "{if the user's a, required is 1}{the user's b}{else if the user's c}{{ d }}{else}e{end if}";
    expect(nltToJinja2(source)).toEqual({
      content:
        "{if the user's a, required is 1}{{ contact.properties.b }}{else if the user's c}" +
        '{% raw %}{{ d }}{% endraw %}{else}e{end if}',
      count: 1,
      warnings: [expect.stringContaining("“{if the user's a, required is 1}” was not converted")],
    });
  });

  test('a loop without a counterpart, with all that reads its variable', () => {
    const source = "{for each x in the user's y, required}{the x's Name}{the user's b}{end for}{the x}";
    expect(nltToJinja2(source)).toEqual({
      content:
        "{for each x in the user's y, required}{the x's Name}{{ contact.properties.b }}{end for}" +
        '{{ event.x | default(contact.properties.x) }}',
      count: 2,
      warnings: [
        expect.stringContaining("“{for each x in the user's y, required}” was not converted"),
        expect.stringContaining("“{the x's Name}” was not converted"),
      ],
    });
  });

  test('a template with errors, whole', () => {
    const source = "{the user's Plan}\n{end if}";
    expect(nltToJinja2(source)).toEqual({
      content: source,
      count: 0,
      warnings: [expect.stringMatching(/^“\{end if\}” on line 2 is not valid NLT/)],
    });
  });
});

test.each([
  ['braces', '{'],
  ['unclosed conditions', '{if the x}'],
  ['expressions without a counterpart', '{the x, required}'],
  ['raw text', '{{ x '],
])('2 MB of %s give at most 100 short warnings', (_name, piece) => {
  const { warnings } = nltToJinja2(piece.repeat(2_000_000 / piece.length));
  expect(warnings.length).toBeLessThanOrEqual(100);
  expect(Math.max(0, ...warnings.map(({ length }) => length))).toBeLessThan(500);
});
