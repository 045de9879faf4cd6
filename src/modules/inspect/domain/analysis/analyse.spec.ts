import { analyse, type AnalysisInput } from './analyse.js';
import type { Analysis } from './analysis.js';
import { MAX_FINDINGS } from '../findings/bounded-findings.js';
import { storedFindings } from '../findings/stored-finding.js';
import type { RuleName } from '../rules/catalogue.js';

const SENDER = {
  fromEmail: 'a@acme.com',
  replyTo: undefined,
  companyComplete: true,
  live: true,
  sharedDomain: 'send.acme.com',
  isOwnDomain: true,
};
const FRAME = [
  '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>T</title></head><body>',
  '</body></html>',
];

function work(
  bodyHtml: string,
  more: Partial<AnalysisInput> & { subject?: string | null } = {},
): AnalysisInput {
  const { subject = 'News of this week', ...rest } = more;
  return {
    content: { subject, bodyHtml, bodyText: 'Some text', templateLanguage: null },
    preheader: null,
    channel: 'email',
    sender: SENDER,
    allowedHosts: [],
    sample: null,
    now: new Date('2026-05-02T09:30:00Z'),
    ...rest,
  };
}

function framed(body: string): string {
  return FRAME.join(`<p>Enough words for a message that stands on its own feet.</p>\n${body}\n`);
}

/** Codes with the element or the text that they point at. */
function codesWithTexts(analysis: Analysis, bodyHtml: string): [string, string][] {
  return storedFindings(analysis.findings, bodyHtml).findings.map(({ code, line, column }) => {
    const rest = line === null ? '' : (bodyHtml.split('\n')[line - 1] ?? '').slice((column ?? 1) - 1);
    return [code, /^<[^>]*>/.exec(rest)?.[0] ?? rest];
  });
}

const contact = (fields: Record<string, unknown>): AnalysisInput['sample'] => ({
  contact: fields,
  triggerEvent: null,
  additionalEvents: null,
});

test('findings stand at their elements, also behind values and in conditions', () => {
  const body = framed(
    '<p>Hi {the user\'s First Name, or "there"}</p>{if the user\'s Plan is "pro"}\n<p><a class="x" href="">one</a></p>{else}\n' +
      '<p><a href="javascript:go()">two</a></p>{end if}',
  );
  expect(codesWithTexts(analyse(work(body)), body)).toEqual(
    expect.arrayContaining([
      ['LK002', '<a class="x" href="">'],
      ['LK004', '<a href="javascript:go()">'],
    ]),
  );
});

test('what a loop repeats is told once', () => {
  const body = framed(
    '<ul>{for each Item in the Items from the trigger event}\n<li><a href="">{the Item\'s Name}</a></li>{end for}</ul>',
  );
  expect(codesWithTexts(analyse(work(body)), body).filter(([code]) => code === 'LK002')).toEqual([
    ['LK002', '<a href="">'],
  ]);
});

test('made-up values cause no finding and no look at their address', () => {
  const body = framed(
    '<p><a href="{{ event.target }}">{{ event.title }}</a> <a href="https://{{ event.host }}/x">b</a>' +
      '<img src="{{ event.picture }}" alt="" width="1" height="1"><a href="https://acme.com/{{ event.x }}">c</a></p>',
  );
  const analysis = analyse(work(body));
  expect(
    codesWithTexts(analysis, body).filter(
      ([code]) => /^(LK|IM|SP)/.test(code) && !code.startsWith('SP01') && code !== 'SP002',
    ),
  ).toEqual([]);
  expect(analysis.resources).toEqual([]);
  expect(analysis.message?.html).toContain('https://acme.com/Sample');
});

test("a contact's own values are judged, at their elements", () => {
  const body = framed(
    '<p><a href="{the user\'s Site}">a</a>\n<a href="{the Site from the trigger event}">b</a></p>',
  );
  const given = analyse(work(body, { sample: contact({ properties: { site: '' } }) }));
  expect(codesWithTexts(given, body).filter(([code]) => code.startsWith('LK'))).toEqual([
    ['LK002', '<a href="{the user\'s Site}">'],
  ]);
  expect(given.resources).toEqual([]);
});

test('tells what does not render and why', () => {
  const body = framed("<p>Code {the user's Code, required}</p>");
  const missing = analyse(work(body, { sample: contact({}) }));
  expect(missing.message).toBeNull();
  expect(missing.findings).toContainEqual(
    expect.objectContaining({ rule: 'does_not_render', message: 'The body needs Code, which is missing.' }),
  );
  expect(analyse(work(body)).message?.html).toContain('Code A1B2C3');
  const wrong = analyse(work(framed('<p>{the user or "friend"}</p>')));
  expect(wrong.findings.map(({ rule }) => rule)).toEqual(expect.arrayContaining(['template_error']));
  expect(wrong.findings.map(({ rule }) => rule)).not.toContain('does_not_render');
});

test('subject and preheader', () => {
  const codes = (more: Parameters<typeof work>[1]): string[] =>
    codesWithTexts(analyse(work(framed(''), more)), '').map(([code]) => code);
  expect(codes({ subject: null })).toEqual(expect.arrayContaining(['SJ001', 'SJ007']));
  expect(codes({ preheader: 'More inside' })).not.toContain('SJ007');
  expect(codes({})).not.toContain('SJ001');
  const subject = "{the user's Offer}";
  expect(codes({ subject, sample: contact({}) })).toContain('SJ001');
  expect(codes({ subject })).not.toContain('SJ001');
});

test.each(['push', 'in_app'] as const)('of %s the text alone', (channel) => {
  const body = 'Hi «name», *|FNAME|* <script>x</script>';
  const analysis = analyse(work(body, { channel, subject: null }));
  expect(
    codesWithTexts(analysis, body)
      .map(([code]) => code)
      .sort(),
  ).toEqual(['HT003', 'HT004', 'HT011']);
  expect(analysis.message?.subject).toBeNull();
  expect(analysis.resources).toEqual([]);
});

test('resources once an element, in the order of the message', () => {
  const body = framed(
    '<table background="https://acme.com/a.png"><tr><td style="color:red;background:url(https://acme.com/b.png)">\n' +
      '{for each Item in the Items from the trigger event}<a href="https://acme.com/c?a=1&amp;b=2">c</a>{end for}' +
      '<a href="mailto:a@acme.com">m</a><a href="tel:1">t</a><img src="http://acme.com/d.png" alt="">' +
      '<map><area href="https://acme.com/e" alt="e"></map></td></tr></table>',
  );
  const { resources, resourcesTruncated: resourcesTruncated } = analyse(work(body));
  expect(
    resources.map(({ kind, address, at, until }) => [
      kind,
      address,
      body.slice(at, at + 4),
      body.slice(at, until),
    ]),
  ).toEqual([
    ['image', 'https://acme.com/a.png', '<tab', '<table background="https://acme.com/a.png">'],
    [
      'image',
      'https://acme.com/b.png',
      '<td ',
      '<td style="color:red;background:url(https://acme.com/b.png)">',
    ],
    ['link', 'https://acme.com/c?a=1&b=2', '<a h', '<a href="https://acme.com/c?a=1&amp;b=2">'],
    ['image', 'http://acme.com/d.png', '<img', '<img src="http://acme.com/d.png" alt="">'],
    ['link', 'https://acme.com/e', '<are', '<area href="https://acme.com/e" alt="e">'],
  ]);
  expect(resourcesTruncated).toBe(false);
});

test.each<[RuleName, string]>([
  ['link_empty', '<a href="">x</a>'],
  ['link_dangerous', '<a href="javascript:x()">x</a>'],
  ['image_without_source', '<img src="" alt="x">'],
  ['image_without_source', '<p style="background:url()">x</p>'],
  ['placeholder', '<p>«name»</p>'],
  ['foreign_merge_tag', '*|FNAME|* '],
  ['element_forbidden', '<script>1</script>'],
  ['contrast_low', '<p style="color:#eee;background:#fff">x</p>'],
  ['text_tiny', '<p style="font-size:6px">x</p>'],
  ['direction_override', 'a\u202eb'],
  ['attribute_twice', '<i class="a" class="b">x</i>'],
])('each of many elements at fault is a finding of its own: %s', (rule, element) => {
  const body = framed(`${element}\n`.repeat(600));
  const { findings, findingsOmitted: findingsOmitted } = analyse(work(body));
  const found = storedFindings(
    findings.filter((finding) => finding.rule === rule),
    body,
  ).findings;
  expect(found).toHaveLength(600);
  expect(new Set(found.map(({ line, column }) => `${line}:${column}`)).size).toBe(600);
  expect(findingsOmitted).toBe(0);
});

test('findings are bounded, the gravest stay, and what is left out is counted', () => {
  const { findings, findingsOmitted: findingsOmitted } = analyse(
    work(framed('<a href="">x</a>'.repeat(5_100))),
  );
  expect(findings).toHaveLength(MAX_FINDINGS);
  expect(findingsOmitted).toBeGreaterThan(100);
  expect(findings.filter(({ rule }) => rule === 'link_empty').length).toBeGreaterThan(4_900);
});

test('links and images are bounded', () => {
  const { resources, resourcesTruncated: resourcesTruncated } = analyse(
    work(framed('<a href="https://acme.com/">y</a>'.repeat(5_100))),
  );
  expect([resources.length, resourcesTruncated]).toEqual([5_000, true]);
});

describe('with a contact', () => {
  const bodyOf = (vip: string, others: string): string =>
    framed(`<p>Hi</p>{if the user's VIP}${vip}{else}${others}{end if}`);
  const rulesFor = (
    body: string,
    fields: Record<string, unknown>,
    more: Parameters<typeof work>[1] = {},
  ): string[] => analyse(work(body, { sample: contact(fields), ...more })).findings.map(({ rule }) => rule);

  test.each<[RuleName, string]>([
    ['link_empty', '<a href="">x</a>'],
    ['link_relative', '<a href="/x">x</a>'],
    ['placeholder', '<p>«name»</p>'],
    ['placeholder', '<p>&laquo;name&raquo;</p>'],
    ['foreign_merge_tag', '<p>*|FNAME|*</p>'],
    ['template_warning', '<p>{the user\'s Name, as "html"}</p>'],
    ['foreign_merge_tag', '<p>{{ lipsum() }}</p>'],
    ['element_forbidden', '<script>1</script>'],
    ['comment_note', '<!-- FIX' + 'ME: later -->'],
    ['direction_override', '<p>a\u202eb</p>'],
    ['image_without_alt', '<img src="https://acme.com/a.png">'],
    ['css_position', '<p style="position:fixed">x</p>'],
    ['tag_misnested', '<b><i>x</b></i>'],
    ['size_clipped', `<p>${'words '.repeat(20_000)}</p>`],
  ])('%s is found where the contact gets it, and nowhere else: %s', (rule, html) => {
    for (const body of [bodyOf(html, '<p>Fine</p>'), bodyOf(`<p>${html}</p>`, '<p>Fine</p>')]) {
      expect(rulesFor(body, { properties: { vip: true } })).toContain(rule);
      expect(rulesFor(body, {})).not.toContain(rule);
      expect(analyse(work(body)).findings.map((finding) => finding.rule)).toContain(rule);
    }
    expect(rulesFor(bodyOf('<p>Fine</p>', html), {})).toContain(rule);
    expect(rulesFor(bodyOf('<p>Fine</p>', html), { properties: { vip: true } })).not.toContain(rule);
  });

  test('a loop without entries is not examined, one with entries is', () => {
    const body = framed('{for each Pet in the user\'s Pets}<a href="">{the Pet}</a>{end for}');
    expect(rulesFor(body, { properties: { pets: [] } })).not.toContain('link_empty');
    expect(
      rulesFor(body, { properties: { pets: ['Rex', 'Tom'] } }).filter((rule) => rule === 'link_empty'),
    ).toHaveLength(1);
  });

  test('conditions within conditions, in Jinja2 as well', () => {
    const body = framed(
      '{% if contact.vip %}{% if contact.city %}<a href="">in</a>{% else %}<a href="/x">out</a>{% endif %}{% endif %}',
    );
    expect(rulesFor(body, {})).not.toEqual(expect.arrayContaining(['link_empty']));
    const inside = rulesFor(body, { vip: true, city: 'Graz' });
    expect([inside.includes('link_empty'), inside.includes('link_relative')]).toEqual([true, false]);
    const outside = rulesFor(body, { vip: true });
    expect([outside.includes('link_empty'), outside.includes('link_relative')]).toEqual([false, true]);
  });

  test('of the subject what the contact gets', () => {
    const subject = "{if the user's VIP}RE: «offer» for you{else}News of this week{end if}";
    expect(rulesFor(framed(''), {}, { subject })).not.toEqual(expect.arrayContaining(['placeholder']));
    expect(rulesFor(framed(''), { properties: { vip: true } }, { subject })).toEqual(
      expect.arrayContaining(['placeholder', 'subject_false_reply']),
    );
  });

  test('an error of the template is told wherever it stands, since nothing is sent', () => {
    expect(rulesFor(bodyOf("<p>{the user's Name</p>", '<p>Fine</p>'), {})).toContain('template_error');
  });

  test('a place is that of the stored body', () => {
    const body = bodyOf('<p>Fine</p>', '\n  <a href="">x</a>');
    const { findings } = analyse(work(body, { sample: contact({}) }));
    const { line, column } =
      storedFindings(findings, body).findings.find(({ code }) => code === 'LK002') ?? {};
    expect([line, column]).toEqual([3, 3]);
  });
});

test('a run that is given a subject examines the one of the template as well, for the gate', () => {
  const given = work(framed(''), { subject: '«x» for you' });
  const { findings } = analyse({ ...given, content: { ...given.content, ownSubject: null } });
  const about = (subject: string): string[] =>
    findings.filter((finding) => finding.subject === subject).map(({ rule }) => rule);
  expect([about('examined'), about('template')]).toEqual([['placeholder'], ['subject_missing']]);
});

test('a message without an unsubscribe link of its own is told of it, as preflight does', () => {
  const rulesOf = (body: string): string[] => analyse(work(body)).findings.map(({ rule }) => rule);
  expect(rulesOf(framed('<p>x</p>'))).toContain('unsubscribe_missing');
  expect(rulesOf(framed('<a href="https://acme.com/unsubscribe">Unsubscribe</a>'))).not.toContain(
    'unsubscribe_missing',
  );
});

test('Jinja2 that is raw or converted is examined in its place', () => {
  const body = framed(
    '{# a #}{% raw %}<style>p { color: red }</style>{% endraw %}\n<p>{% if contact.x %}<a href="">x</a>{% endif %}</p>',
  );
  const pinned = work(body);
  const analysis = analyse({ ...pinned, content: { ...pinned.content, templateLanguage: 'jinja2' } });
  expect(codesWithTexts(analysis, body).filter(([code]) => /^(LK|HT01)/.test(code))).toEqual([
    ['LK002', '<a href="">'],
  ]);
});

test.each(['constructor', '__proto__', 'hasownproperty', 'valueof', 'tostring'])(
  'a template may use the name %s for everything',
  (name) => {
    const body = framed(
      `<style>@${name} (%){a{${name}:1${name}}}@media (%){a{color:${name}}}</style><${name} ${name}="${name}">x</${name}>` +
        `<p style="font-size:${name};display:${name};${name}:${name}(1)">${name}</p><img src="https://acme.com/a.${name}" alt="${name}">`,
    );
    expect(analyse(work(body)).message?.html).toContain(`<p style="font-size:${name}`);
  },
);

test('a small template that comes to many characters in a link', () => {
  const loops = ['A', 'B', 'C', 'D', 'E'].map(
    (name) => `{for each ${name} in the ${name}s from the trigger event}`,
  );
  const body = framed(
    `<a href="https://acme.com/">${loops.join('')}${'.'.repeat(2_600)}${'{end for}'.repeat(loops.length)}x</a>`,
  );
  expect(analyse(work(body)).message?.html.length).toBeGreaterThan(50_000);
});
