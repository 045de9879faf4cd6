import { repetitions } from '../../../test/support/test-scope.js';
import { compileTemplate } from '../nlt/compiler.js';
import type { RenderContext } from '../nlt/render-context.js';
import { parseSource } from '../reading/source-parser.js';
import { findProblems, hasErrors } from '../reading/template-findings.js';
import { convertForeign } from './convert-foreign.js';
import type { ForeignSource } from './foreign-source.js';

const now = new Date('2026-05-02T09:30:00Z');
const data: RenderContext = {
  contact: {
    external_id: 'u1',
    first_name: 'Ada',
    last_name: 'lovelace',
    email: 'ada@example.com',
    phone: '+43 1',
    locale: 'en',
    properties: {
      plan: 'premium',
      points: 7,
      none: '',
      zero: 0,
      vip: true,
      off: false,
      city: 'Graz',
      'Favourite Colour': 'teal',
      COLOR: 'red',
      joined: '2026-01-05T10:00:00Z',
      tags: ['a', 'b'],
      address: { city: 'Wien' },
    },
  },
  triggerEvent: {
    eventName: 'order_placed',
    attributes: {
      total: 12.5,
      items: [
        { name: 'Mug', price: 4 },
        { name: 'Tea', price: 9 },
      ],
      nothing: [],
    },
  },
  now,
  locale: 'en',
  timeZone: 'UTC',
};

function converted(source: ForeignSource, body: string): ReturnType<typeof convertForeign> {
  return convertForeign({ source, subject: null, body });
}

/** What the conversion renders to with `data`; a placeholder or a failure is returned as such. */
function rendered(source: ForeignSource, body: string): string {
  const { body: nlt } = converted(source, body);
  const results = [null, 'nlt' as const].map((pin) =>
    compileTemplate(parseSource(nlt, pin).tree, 'html').render(data),
  );
  const [free, pinned] = results.map((result) => (result.kind === 'rendered' ? result.text : result.kind));
  return free === pinned ? String(free) : `${String(free)} without a pin, ${String(pinned)} with one`;
}

/** Expected renderings, taken from the documentation of Liquid, Braze, Customer.io and OneSignal. */
const liquid: readonly (readonly [string, string])[] = [
  ['Hi {{ customer.first_name }}!', 'Hi Ada!'],
  ['Hi {{customer.first_name}}!', 'Hi Ada!'],
  ['{{ customer.first_name | default: "there" }}', 'Ada'],
  ['{{ customer.nickname | default: "there" }}', 'there'],
  ["{{ customer.none | default: 'there' | upcase }}", 'THERE'],
  ['{{ customer.last_name | capitalize }}', 'Lovelace'],
  ['{{ customer.first_name | upcase }}{{ customer.first_name | downcase }}', 'ADAada'],
  ['{{ customer["Favourite Colour"] }}', 'teal'],
  ['{{ customer.address.city }}', 'Wien'],
  ['{{ customer.id }}', 'u1'],
  ['{{ event.total }}', '12.5'],
  ['{{ event.total | round }}', '13'],
  ['{{ event.total | ceil }} {{ event.total | floor }}', '13 12'],
  ['{{ customer.points | plus: 3 }}', '10'],
  ['{{ customer.points | minus: 3 | plus: 1 }}', '5'],
  ['{{ customer.points | times: 2 | minus: 1 }}', '13'],
  ['{{ customer.points | divided_by: 2 }}', '3'],
  ['{{ customer.points | divided_by: 2.0 }}', '3.5'],
  ['{{ customer.points | modulo: 4 }}', '3'],
  ['{{ customer.tags | join: ", " }}', 'a, b'],
  ['{{ customer.tags | join }}', 'a b'],
  ['{{ customer.tags | first }}{{ customer.tags.last }}', 'ab'],
  ['{{ customer.tags | size }} {{ customer.tags.size }} {{ customer.missing.size }}', '2 2 0'],
  ['{{ event.items.first.name }} {{ event.items[0].name }} {{ event.items.1.name }}', 'Mug Mug Tea'],
  ['{{ customer.tags[0] }}{{ customer.tags.first }}{{ customer.tags[-1] }}', 'aab'],
  ['{% if event.items.first.name == "Mug" %}mug{% endif %}{{ event.items.first.price | times: 2 }}', 'mug8'],
  ['{% assign i = event.items | first %}{{ i.name }}{% assign j = event.items.first %}{{ j.price }}', 'Mug4'],
  ['{% for i in event.items %}{{ i.name.first }}{% endfor %}', 'MT'],
  ['{{ event.size }}{{ customer.last }}{{ event.first.name }}', ''],
  ['{{ customer.city | append: "!" | prepend: "In " }}', 'In Graz!'],
  ['{{ customer.missing | append: "!" }}', '!'],
  ['{{ customer.city | replace: "Gr", "L" | remove: "z" }}', 'La'],
  ['{{ "now" | date: "%Y" }}', '2026'],
  ["{{ 'now' | date: '%B %-d, %Y' }}", 'May 2, 2026'],
  ['{{ customer.joined | date: "%d.%m.%Y" }}', '05.01.2026'],
  ['{{ "Hello" }} {{ 3 }}', 'Hello 3'],
  ['{{ customer.first_name | escape }}', 'Ada'],
  ['{% if customer.plan == "premium" %}yes{% endif %}', 'yes'],
  ['{% if customer.plan == "basic" %}a{% elsif customer.points > 5 %}b{% else %}c{% endif %}', 'b'],
  ['{% if customer.plan != "basic" and customer.points <= 7 %}yes{% endif %}', 'yes'],
  ['{% if customer.plan == "x" or customer.vip %}yes{% endif %}', 'yes'],
  // Grouped from the right, as in Liquid: false and (… or true).
  ['{% if customer.off and customer.off or customer.vip %}yes{% else %}no{% endif %}', 'no'],
  // Only nil and false are falsy.
  [
    '{% if customer.zero %}0{% endif %}{% if customer.none %}e{% endif %}{% if customer.off %}f{% endif %}',
    '0e',
  ],
  ['{% if customer.missing %}m{% else %}-{% endif %}', '-'],
  ['{% unless customer.missing %}no{% endunless %}', 'no'],
  ['{% unless customer.vip %}no{% else %}yes{% endunless %}', 'yes'],
  ['{% unless customer.plan == "basic" or customer.off %}yes{% endunless %}', 'yes'],
  ['{% if customer.none == blank %}b{% endif %}{% if customer.city != blank %}c{% endif %}', 'bc'],
  ['{% if customer.missing == nil %}n{% endif %}{% if customer.none == "" %}e{% endif %}', 'ne'],
  ['{% if customer.missing != "" %}n{% endif %}{% if customer.missing == "" %}e{% endif %}', 'n'],
  ['{% if customer.tags contains "b" %}b{% endif %}{% if customer.city contains "ra" %}r{% endif %}', 'br'],
  ['{% if 5 < customer.points %}more{% endif %}', 'more'],
  ['{% if customer.tags.size > 1 %}many{% endif %}', 'many'],
  ['{% if true %}t{% endif %}{% if false %}f{% endif %}', 't'],
  ['{% case customer.plan %}{% when "basic" %}b{% when "premium", "gold" %}p{% else %}e{% endcase %}', 'p'],
  ['{% case customer.plan %} x {% when "a" or "b" %}b{% else %}e{% endcase %}', 'e'],
  [
    '{% for item in event.items %}{{ item.name }}: {{ item.price | times: 2 }};{% endfor %}',
    'Mug: 8;Tea: 18;',
  ],
  ['{% for item in event.nothing %}x{% else %}none{% endfor %}', 'none'],
  ['{% for item in event.items %}x{% else %}none{% endfor %}', 'xx'],
  ['{% for t in customer.tags %}{{ t | upcase }}{% endfor %}', 'AB'],
  ['{% assign name = customer.first_name | default: "you" %}Hi {{ name | upcase }}', 'Hi ADA'],
  ['{% assign a = event.items %}{% for i in a %}{{ i.name }}{% endfor %}', 'MugTea'],
  ['{% assign greeting = "Hello" %}{{ greeting }} {{ customer.first_name }}', 'Hello Ada'],
  ['{% assign x = customer.points | plus: 1 %}{% if x > 7 %}8{% endif %}', '8'],
  ['a {% comment %} {{ customer.nothing | odd }} {% endcomment %}b', 'a b'],
  ['{% raw %}{{ customer.first_name }}{% endraw %}', '{ { customer.first_name }}'],
  ['a {%- if customer.vip -%} b {%- endif -%} c', 'abc'],
  ['a {{- customer.city -}} b', 'aGrazb'],
  ['{{${first_name}}} {{ ${last_name} | default: "x" }}', 'Ada lovelace'],
  ['{{${email_address}}} {{${user_id}}}', 'ada@example.com u1'],
  ['{{custom_attribute.${city}}} {{custom_attribute.${Favourite Colour} | upcase}}', 'Graz TEAL'],
  ['{{event_properties.${total}}} {{api_trigger_properties.${total}}}', '12.5 12.5'],
  ['{% if {{custom_attribute.${plan}}} == "premium" %}a{% endif %}', 'a'],
  ['{% if custom_attribute.${plan} == "premium" %}yes{% endif %}', 'yes'],
  [
    '{{ subscription.email }} {{ user.tags.city }} {{ message.custom_data.total }}',
    'ada@example.com Graz 12.5',
  ],
  ['{{ first_name }} {{ total }}', 'Ada 12.5'],
  ['{{ customer.first_name | default: &quot;there&quot; }}', 'Ada'],
  ['{% if customer.points &gt; 5 %}more{% endif %}', 'more'],
  ['{{ <span>customer.first_name</span> }}', 'Ada'],
  [
    '<a href="https://x.example/?n={{ customer.city | url_encode }}">x</a>',
    '<a href="https://x.example/?n=Graz">x</a>',
  ],
];

const klaviyo: readonly (readonly [string, string])[] = [
  ["Hi {{ first_name|default:'there' }}", 'Hi Ada'],
  ["Hi {{ person.nickname|default:'there' }}", 'Hi there'],
  ["{{ person|lookup:'Favourite Colour' }} {{ person|lookup:'$city'|default:'x' }}", 'teal Graz'],
  ['{{ first_name|upper }} {{ last_name|title }} {{ last_name|capfirst }}', 'ADA Lovelace Lovelace'],
  ['{{ event.total|floatformat:0 }}', '13'],
  ["{{ event|lookup:'total' }}", '12.5'],
  ['{{ person.points|add:3 }}', '10'],
  ['{{ event.items|length }}', '2'],
  ["{{ person.tags|join:'/' }}", 'a/b'],
  ['{% if person.plan == "premium" %}yes{% endif %}', 'yes'],
  [
    '{% if person.zero %}0{% endif %}{% if person.none %}e{% endif %}{% if not person.off %}f{% endif %}',
    'f',
  ],
  ['{% if person.vip or person.off and person.off %}yes{% endif %}', 'yes'],
  ['{% if person.plan == "a" %}a{% elif "b" in person.tags %}b{% else %}c{% endif %}', 'b'],
  ['{% if "z" not in person.tags %}no z{% endif %}', 'no z'],
  ['{% if person.missing is None %}none{% endif %}', 'none'],
  ['{% for item in event.items %}{{ item.name }}{{ item|lookup:"price" }}{% endfor %}', 'Mug4Tea9'],
  ['{% for item in event.nothing %}x{% empty %}none{% endfor %}', 'none'],
  ["{{ person.joined|date:'F j, Y' }}", 'January 5, 2026'],
  ["{{ person.joined|format_date_string|date:'d.m.Y' }}", '05.01.2026'],
  ['© {% current_year %} {% current_month_name %}', '© 2026 May'],
  ['a{# a note #}b{% comment %}{{ x|y }}{% endcomment %}c', 'abc'],
  ['{% verbatim %}{{ first_name }}{% endverbatim %}', '{ { first_name }}'],
  ["{{ person.city|find_replace:'Gr|L' }}", 'Laz'],
  ['<style>@media x{#id{color:red}}</style>', '<style>@media x{ #id{color:red}}</style>'],
];

const mailchimp: readonly (readonly [string, string])[] = [
  ['Hi *|FNAME|* *|LNAME|*', 'Hi Ada lovelace'],
  ['*|fname|* *|EMAIL|* *|PHONE|*', 'Ada ada@example.com +43 1'],
  ['*|MERGE0|* *|MERGE1|* *|MERGE2|*', 'ada@example.com Ada lovelace'],
  ['*|UPPER:MERGE1|* *|IF:MERGE1|*Hi *|merge1|**|END:IF|**|IF:MERGE2=lovelace|*!*|END:IF|*', 'ADA Hi Ada!'],
  [
    '<a href="https://x.example/?e=*|URL:EMAIL|*&c=*|URL:MERGE2|*">x</a>',
    '<a href="https://x.example/?e=ada%40example.com&c=lovelace">x</a>',
  ],
  ['*|COLOR|* *|UPPER:COLOR|* *|TITLE:LNAME|* *|LOWER:FNAME|*', 'red RED Lovelace ada'],
  ['*|IF:FNAME|*Hi *|FNAME|**|ELSE:|*Hi*|END:IF|*', 'Hi Ada'],
  ['*|IF:NOTHING|*a*|ELSE:|*b*|END:IF|*', 'b'],
  ['*|IFNOT:NOTHING|*a*|ELSE:|*b*|END:IF|*', 'a'],
  ['*|IF:COLOR=blue|*a*|ELSEIF:COLOR=red|*b*|ELSE:|*c*|END:IF|*', 'b'],
  ['*|IF:COLOR!=blue|*a*|END:IF|*', 'a'],
  ['*|IFNOT:COLOR=blue|*a*|END:IF|*', 'a'],
  ['*|IF:POINTS &gt;= 7|*many*|END:IF|**|IF:POINTS<7|*few*|END:IF|*', 'many'],
  ['*|IF:COLOR=red|**|IF:POINTS>1|*both*|END:IF|**|END:IF|*', 'both'],
  ['*|IF:COLOR=bright red and blue|*a*|ELSE|*b*|ENDIF|*', 'b'],
  ['© *|CURRENT_YEAR|* *|DATE:F j, Y|*', '© 2026 May 2, 2026'],
  ['*|IFNOT:ARCHIVE_PAGE|*mail*|END:IF|*', 'mail'],
  ['*|IF:ARCHIVE_PAGE|*page *|RSSFEED:X|**|ELSE:|*mail*|END:IF|*', 'mail'],
  ['a*|IF:REWARDS|* *|HTML:REWARDS|* *|END:IF|*b', 'ab'],
  ['<!--*|IF:MC_PREVIEW_TEXT|*--><span>*|MC_PREVIEW_TEXT|*</span><!--*|END:IF|*-->x', '<!---->x'],
  ['<td mc:edit="main" class="a" mc:variant=\'b\' mc:hideable>x</td>', '<td class="a">x</td>'],
  ["{{ first_name }} {% if x %} {the user's x}", "{ { first_name }} { % if x %} &#123;the user's x}"],
];

/** Input that becomes a placeholder, which no message may contain, with the codes of its warnings. */
const refused: readonly (readonly [ForeignSource, string, string, readonly string[]])[] = [
  ['liquid', '{{ customer.name | slugify }}', '«customer.name slugify»', ['no_counterpart']],
  ['liquid', '{{ campaign.name }}', '«campaign.name»', ['no_counterpart']],
  ['liquid', '{{ content_blocks.${footer} }}', '«content_blocks. footer»', ['no_counterpart']],
  ['liquid', '{{ customer.a b }}', '«customer.a b»', ['unreadable']],
  ['liquid', '{{ customer. }}', '«customer.»', ['unreadable']],
  ['liquid', '{% abort_message("no name") %}', '«abort_message( no name )»', ['no_counterpart']],
  [
    'liquid',
    '{% connected_content https://x.example/{{${user_id}}}?a=b :save r %}{{ r.name }}',
    '«connected_content https://x.example/ user_id ?a=b :save r»«r.name»',
    ['no_counterpart', 'no_counterpart'],
  ],
  [
    'liquid',
    '{% if customer.a ! %}x{% else %}y{% endif %}',
    '«if customer.a !»x«else»y«endif»',
    ['unreadable'],
  ],
  [
    'liquid',
    '{% if customer.a %}x{% elsif campaign.name == "b" %}y{% endif %}',
    '«if customer.a»x«elsif campaign.name == b»y«endif»',
    ['no_counterpart'],
  ],
  ['liquid', '{% if customer.a %}x', '«if customer.a»x', ['unreadable']],
  ['liquid', 'x{% endif %}', 'x«endif»', ['unreadable']],
  [
    'liquid',
    '{% if customer.a %}{% for i in event.items %}x{% endif %}y{% endfor %}',
    "{if the user's a exists and the user's a is not false}«for i in event.items»x{end if}y«endfor»",
    ['unreadable', 'unreadable'],
  ],
  [
    'liquid',
    '{% assign a = x %}{% for x in event.items %}{{ a }}{% endfor %}',
    '{for each x in the items from the trigger event}«a»{end for}',
    ['no_counterpart'],
  ],
  [
    'liquid',
    '{% for i in event.items limit:2 %}{{ i.name }}{% endfor %}',
    '«for i in event.items limit:2»«i.name»«endfor»',
    ['no_counterpart', 'no_counterpart'],
  ],
  [
    'liquid',
    '{% if customer.a == 1 %}{% assign x = 1 %}{% endif %}{{ x }}',
    "{if the user's a is 1}«assign x = 1»{end if}«x»",
    ['no_counterpart', 'no_counterpart'],
  ],
  [
    'liquid',
    '{% capture x %}a{% endcapture %}{{ x }}',
    '«capture x»a«endcapture»«x»',
    ['no_counterpart', 'no_counterpart', 'no_counterpart'],
  ],
  [
    'liquid',
    '{{ customer.a | plus: 1 | upcase | times: 2 }}',
    '«customer.a plus: 1 upcase times: 2»',
    ['no_counterpart'],
  ],
  ['liquid', '{{ customer.a | plus: 1 | times: 2 }}', '«customer.a plus: 1 times: 2»', ['no_counterpart']],
  ['liquid', '{{ customer.a | append: "b" | upcase }}', '«customer.a append: b upcase»', ['no_counterpart']],
  ['liquid', '{{ customer.a | default: "<b>x</b>" }}', '«customer.a default: b x /b»', ['no_counterpart']],
  ['liquid', '{{ event.items.last.name }}', '«event.items.last.name»', ['no_counterpart']],
  ['liquid', '{{ event.items[-1].name }}', '«event.items[-1].name»', ['no_counterpart']],
  ['liquid', '{{ event.items[-2] }}', '«event.items[-2]»', ['no_counterpart']],
  ['liquid', '{{ event.items.size.x }}', '«event.items.size.x»', ['no_counterpart']],
  ['liquid', '{{ event.items[customer.points] }}', '«event.items[customer.points]»', ['no_counterpart']],
  [
    'liquid',
    '{% assign i = event.items | last %}{{ i.name }}{{ event.items | last | map: "name" }}',
    '«i.name»«event.items last map: name»',
    ['approximated', 'no_counterpart', 'no_counterpart'],
  ],
  [
    'liquid',
    '{% for i in event.items %}{{ forloop.index }}{% unless forloop.last %}, {% endunless %}{% endfor %}',
    '{for each i in the items from the trigger event}«forloop.index»«unless forloop.last», «endunless»{end for}',
    ['no_counterpart', 'no_counterpart'],
  ],
  ['klaviyo', '{{ event.items.0.5 }}', '«event.items.0.5»', ['no_counterpart']],
  ['klaviyo', '{{ organization.name }}', '«organization.name»', ['no_counterpart']],
  ['klaviyo', "{% coupon_code 'SUMMER' %}", '«coupon_code SUMMER»', ['no_counterpart']],
  [
    'klaviyo',
    '{% catalog event.id %}{{ catalog_item.title }}{% endcatalog %}',
    '«catalog event.id»«catalog_item.title»«endcatalog»',
    ['no_counterpart', 'no_counterpart', 'no_counterpart'],
  ],
  [
    'mailchimp',
    '*|LIST:COMPANY|* *|PROMO_CODE:[x]|*',
    '«LIST:COMPANY» «PROMO_CODE:[x]»',
    ['no_counterpart', 'no_counterpart'],
  ],
  [
    'mailchimp',
    '*|INTERESTED:A:B|*x*|ELSE:|*y*|END:INTERESTED|*',
    '«INTERESTED:A:B»x«ELSE:»y«END:INTERESTED»',
    ['no_counterpart', 'unreadable', 'no_counterpart'],
  ],
  ['mailchimp', '*|IF:INTERESTED:A:B|*x*|END:IF|*', '«IF:INTERESTED:A:B»x«END:IF»', ['no_counterpart']],
  ['mailchimp', '*|IF:A|*x', '«IF:A»x', ['unreadable']],
  [
    'mailchimp',
    '*|MERGE3|**|UPPER:MERGE10|**|IF:MERGE4|*x*|END:IF|*',
    '«MERGE3»«UPPER:MERGE10»«IF:MERGE4»x«END:IF»',
    ['no_counterpart', 'no_counterpart', 'no_counterpart'],
  ],
];

/** Parts that a message does not need. */
const leftOut: readonly (readonly [ForeignSource, string, string, readonly string[]])[] = [
  ['mailchimp', 'a <a class="b" href="*|UNSUB|*">Unsubscribe</a> c', 'a  c', ['given_by_footer']],
  ['mailchimp', 'a *|UNSUB|* c', 'a  c', ['given_by_footer']],
  ['mailchimp', '*|LIST:ADDRESS|**|HTML:LIST_ADDRESS_HTML|*x', 'x', ['given_by_footer', 'given_by_footer']],
  ['mailchimp', '<a href="*|ARCHIVE|*"><b>View</b></a>x', 'x', ['left_out']],
  ['mailchimp', '<title>*|MC:SUBJECT|*</title>', '<title></title>', ['left_out']],
  // A link without a target would be worse than a placeholder.
  ['mailchimp', '<img src="*|UNSUB|*">', '<img src="«UNSUB»">', ['no_counterpart']],
  ['mailchimp', '<a href="*|UNSUB|*">never closed', '<a href="«UNSUB»">never closed', ['no_counterpart']],
  [
    'mailchimp',
    '*|IF:A|*<a href="*|UNSUB|*">*|FNAME|**|IF:B|*b*|END:IF|*</a>*|END:IF|*',
    "{if the user's A is not empty}{end if}",
    ['given_by_footer'],
  ],
  [
    'mailchimp',
    '<a href="*|UNSUB|*">*|IF:A|*a</a>*|END:IF|*',
    '<a href="«UNSUB»">{if the user\'s A is not empty}a</a>{end if}',
    ['given_by_footer'],
  ],
  ['liquid', '<a href="{% unsubscribe_url %}">Out</a>.', '.', ['given_by_footer']],
  ['liquid', '<a href="{{unsubscribe_url}}">Out</a>.', '.', ['given_by_footer']],
  ['liquid', '<a href="{{${set_user_to_unsubscribed_url}}}">Out</a>.', '.', ['given_by_footer']],
  ['liquid', '<a href="[unsubscribe_url]">Out</a>.', '.', ['given_by_footer']],
  [
    'liquid',
    'a [unsubscribe_url] b <a href="[unsubscribe_url]">Out</a>',
    'a  b ',
    ['given_by_footer', 'given_by_footer'],
  ],
  ['liquid', '{{${email_footer}}}.', '.', ['given_by_footer']],
  ['mailchimp', '<meta content="*|MC:SUBJECT|*">', '<meta content="">', ['left_out']],
  ['liquid', '<a href="{% view_in_browser_url %}">View</a>.', '.', ['left_out']],
  [
    'klaviyo',
    "{% unsubscribe 'Out' %} {{ organization.full_address }}.",
    ' .',
    ['given_by_footer', 'given_by_footer'],
  ],
  [
    'klaviyo',
    '<a href="{% manage_preferences_link %}">Preferences</a>{% web_view %}.',
    '.',
    ['given_by_footer', 'left_out'],
  ],
];

describe('what has no counterpart', () => {
  it.each(refused)('%s: %s becomes %s', (source, body, expected, codes) => {
    const conversion = converted(source, body);
    expect(conversion.body).toBe(expected);
    expect(conversion.warnings.map(({ code }) => code)).toEqual(codes);
    const findings = findProblems({ subject: null, bodyHtml: conversion.body, templateLanguage: null });
    expect(hasErrors(findings)).toBe(true);
  });

  it.each(leftOut)('%s: %s becomes %s', (source, body, expected, codes) => {
    const conversion = converted(source, body);
    expect(conversion.body).toBe(expected);
    expect(conversion.warnings.map(({ code }) => code)).toEqual(codes);
  });

  it('is told with its place and what it was', () => {
    const { warnings, subject } = convertForeign({
      source: 'liquid',
      subject: '{{ campaign.name }}',
      body: 'a\n  {{ customer.x | json }}',
    });
    expect(subject).toBe('«campaign.name»');
    expect(warnings).toEqual([
      {
        field: 'subject',
        line: 1,
        column: 1,
        offset: 0,
        code: 'no_counterpart',
        message: 'Waypost has nothing for “campaign”.',
        original: '{{ campaign.name }}',
      },
      {
        field: 'body',
        line: 2,
        column: 3,
        offset: 4,
        code: 'no_counterpart',
        message: 'Waypost has no filter “json”.',
        original: '{{ customer.x | json }}',
      },
    ]);
  });

  it.each([
    ['liquid', '{{ customer.a | divided_by: 2 }}'],
    ['liquid', '{{ event.items.first.name }}'],
    ['liquid', '{{ event.title.first }}{{ event.title | last }}{{ event.title[0] }}'],
    ['liquid', '{{ event.gift | default: "none" }}'],
    ['mailchimp', '*|URL:EMAIL|*'],
    ['klaviyo', '{{ person.a|floatformat:2 }}'],
    ['mailchimp', '*|MC:DATE|*'],
  ] as const)('%s: what is nearly the same is told: %s', (source, body) => {
    const codes = converted(source, body).warnings.map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set(['approximated']));
  });

  it.each([
    ['Hi *|FNAME|*', 'Hi Ada'],
    ['Tom & "Jerry" <3', 'Tom &amp; &quot;Jerry&quot; &lt;3'],
    ['{the x} *|FNAME|*', '&#123;the x} Ada'],
    ['*|IF:FNAME|*Hi *|FNAME|**|ELSE:|*Hi*|END:IF|*!', 'Hi Ada!'],
    ['Hi {', 'Hi {'],
    ['*|MC:SUBJECT|*', ''],
    ['', ''],
  ])('the subject %s in a body is the converted one', (subject, expected) => {
    const body = '<title>*|MC:SUBJECT|*</title>*|IF:FNAME|**|mc:subject|*.*|END:IF|*';
    const conversion = convertForeign({ source: 'mailchimp', subject, body });
    const { tree } = parseSource(conversion.body, 'nlt');
    expect(compileTemplate(tree, 'html').render(data)).toMatchObject({
      text: `<title>${expected}</title>${expected}.`,
    });
  });

  it('a subject in a body keeps its placeholders, and does not nest too deep', () => {
    const subject = `${'*|IF:A|*'.repeat(30)}*|LIST:COMPANY|*${'*|END:IF|*'.repeat(30)}`;
    const body = `*|MC:SUBJECT|*${'*|IF:B|*'.repeat(30)}*|MC:SUBJECT|*${'*|END:IF|*'.repeat(30)}`;
    const conversion = convertForeign({ source: 'mailchimp', subject, body });
    expect(conversion.body.match(/«[^»]*»/g)).toEqual(['«LIST:COMPANY»', '«MC:SUBJECT»']);
    expect(parseSource(conversion.body, 'nlt').tree.errors).toEqual([]);
    expect(conversion.warnings.map(({ code }) => code)).toEqual(['no_counterpart', 'beyond_bounds']);
  });

  it('shows a subject that reads like an expression as text', () => {
    const { subject } = convertForeign({
      source: 'mailchimp',
      subject: "{the user's x} *|FNAME|*",
      body: '',
    });
    expect(subject).toBe("｛the user's x} {the user's first_name}");
  });
});

describe('a hostile template', () => {
  const LENGTH = repetitions({ short: 20_000, full: 100_000 });
  const hostile = [
    '{{',
    '{%',
    '{{}}',
    '{{x',
    '{{ x }}',
    '{% if x %}',
    '{% endif %}',
    '{% for x in x %}',
    '{% case x %}{% when x %}',
    '{% assign x = x | plus: x %}',
    '{% raw %}',
    '{% comment %}',
    '{{${',
    '{#',
    '*|',
    '*|IF:',
    '*|IF:X|*',
    '*|ELSE:|*',
    '*|X|*',
    '|*',
    '<a href="*|UNSUB|*">',
    '<a href="*|UNSUB|*">x</a>',
    '<a href="{% unsubscribe %}">',
    '*|IF:REWARDS|*x*|END:IF|*',
    '*|MC:SUBJECT|*',
    ' mc:edit="',
    ' mc:edit=\'"',
    '{',
    '{the ',
    '«',
    '[unsubscribe_url]',
    '<a href="[unsubscribe_url]">x</a>',
  ];

  it.each(hostile)('of %s ends', (piece) => {
    for (const source of ['liquid', 'klaviyo', 'mailchimp'] as const) {
      const body = piece.repeat(Math.ceil(LENGTH / piece.length));
      const conversion = convertForeign({ source, subject: body.slice(0, 255), body });
      expect(conversion.warnings.length).toBeLessThanOrEqual(400);
      expect(parseSource(conversion.body, 'nlt').tree.errors).toEqual([]);
    }
  });

  it('of values that double does not grow without end', () => {
    const body = `{% assign a = x | plus: 1 %}${'{% assign a = a | append: "aaaaaaaaaa" %}'.repeat(5_000)}{{ a }}`;
    expect(converted('liquid', body).body.length).toBeLessThan(1_000_000);
  });

  it('of long values that are shown often does not grow without end', () => {
    const long = `{% assign a = x | default: "${'y'.repeat(3_500)}" %}`;
    const longer = `{% assign a = a | append: "${'z'.repeat(3_500)}" %}`;
    for (const body of [
      long + '{{ a }}'.repeat(5_000),
      long + longer.repeat(100) + '{{ a }}'.repeat(1_000),
    ]) {
      const conversion = converted('liquid', body);
      expect(conversion.body.length).toBeLessThan(2_097_152 + body.length);
      expect(conversion.warnings.map(({ code }) => code)).toContain('beyond_bounds');
    }
    const conditions = long + '{% if a == "b" %}x{% endif %}'.repeat(4_000);
    const conversion = converted('liquid', conditions);
    expect(conversion.body.length).toBeLessThan(2_097_152 + conditions.length);
    expect(conversion.warnings.map(({ code }) => code)).toContain('beyond_bounds');
  });

  it.each([
    ['blocks', '{{ customer.plan }}', '[unsubscribe_url]'],
    ['addresses in brackets', '[unsubscribe_url]', '{{ customer.plan }}'],
  ])('of too many %s is converted up to there, and loses no text', (_name, piece, other) => {
    const rest = `.${piece}+${other}+${other}-`;
    const { body, warnings } = converted('liquid', piece.repeat(9_001) + rest);
    expect(body.endsWith(`»${rest.replaceAll('{{', '{ {')}`)).toBe(true);
    expect(warnings.length).toBeLessThanOrEqual(200);
    expect(body.match(/»/g)).toHaveLength(1);
  });
});

describe.each([
  ['liquid', liquid],
  ['klaviyo', klaviyo],
  ['mailchimp', mailchimp],
] as const)('%s', (source, table) => {
  it.each(table)('%s shows %s', (body, expected) => {
    expect(rendered(source, body)).toBe(expected);
  });
});
