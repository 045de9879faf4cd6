/** Each tracking rule finds what it is for, ignores what only resembles it, and reports the position. */
import { MAX_FINDINGS } from '../findings/bounded-findings.js';
import { repetitions } from '../../../../../test/support/test-scope.js';
import { parseSource } from '../../../../language/language.js';
import type { RuleFinding } from '../findings/finding.js';
import { readEmail } from '../email/parsed-email.js';
import type { RuleName } from '../rules/catalogue.js';
import { trackingFindings } from './tracking-findings.js';

function find(html: string): RuleFinding[] {
  const { email } = readEmail(html, parseSource(html, null).tree.nodes);
  return email ? trackingFindings(email) : [];
}
const rulesIn = (html: string): RuleName[] => find(html).map(({ rule }) => rule);
const link = (href: string): string => `<a href="${href}">the page</a>`;
const links = (...hrefs: string[]): string => hrefs.map(link).join('\n');

test('a message as it should be gets nothing', () => {
  const html =
    links(
      'https://acme.com/a?utm_source=mail&amp;utm_campaign=may',
      'https://acme.com/b?utm_source=mail&amp;utm_campaign=may',
    ) +
    '<img src="https://acme.com/logo.png" width="120" height="40"><img src="https://acme.com/line.gif" width="600" height="1">' +
    '<a href="https://acme.com/unsubscribe" data-tracking="off">Unsubscribe</a><a href="mailto:help@acme.com">Help</a>';
  expect(find(html)).toEqual([]);
});

test.each<[RuleName, string, string]>([
  [
    'tracking_pixel',
    '<img src="https://a.com/o.gif" width=1 height="1">',
    '<img src="https://a.com/o.gif" width=1 height=40>',
  ],
  [
    'tracking_pixel',
    '<img src="https://a.com/o.gif" style="width:1px;height:1px">',
    '<img src="/o.gif" width=1 height=1>',
  ],
  [
    'tracking_pixel',
    '<img src="https://a.com/o.gif" style="display:none">',
    '<img src="https://a.com/o.gif">',
  ],
  [
    'tracker_image',
    '<img src="https://www.google-analytics.com/collect?v=1">',
    '<img src="https://google-analytics.com.acme.com/x">',
  ],
  [
    'tracker_image',
    '<img src="https://www.facebook.com/tr?id=1">',
    '<img src="https://www.facebook.com/logo.png">',
  ],
  [
    'tracker_image',
    '<img src="https://acme.us1.list-manage.com/track/open.php?u=1">',
    '<img src="https://acme.com/track.png">',
  ],
  [
    'link_tracked_elsewhere',
    link('https://acme.us1.list-manage.com/track/click?u=1'),
    link('https://acme.com/list-manage.com'),
  ],
  [
    'link_tracked_elsewhere',
    link('https://u1.ct.sendgrid.net/ls/click?upn=1'),
    link('https://sendgrid.com/'),
  ],
  ['link_tracked_elsewhere', link('https://links.acme.com/ls/click?upn=1'), link('https://acme.com/click')],
  [
    'utm_missing',
    links('https://acme.com/a?utm_source=m', 'https://acme.com/b?utm_source=m', 'https://acme.com/c'),
    links(
      'https://acme.com/a?utm_source=m',
      'https://acme.com/b?utm_source=m',
      'https://other.com/',
      'https://acme.com/privacy',
    ),
  ],
  [
    'utm_source_missing',
    link('https://acme.com/?utm_campaign=may'),
    link('https://acme.com/?utm_campaign=may&utm_source=m'),
  ],
  [
    'utm_value_blank',
    link('https://acme.com/?utm_source='),
    link('https://acme.com/?utm_source=spring%20sale'),
  ],
  [
    'utm_value_blank',
    link('https://acme.com/?utm_source=mail%20'),
    link("https://acme.com/?utm_source={the user's Plan}"),
  ],
  [
    'utm_value_case',
    links('https://acme.com/?utm_source=Mail', 'https://acme.com/?utm_source=mail'),
    links('https://acme.com/?utm_source=Mail', 'https://acme.com/?utm_source=Mail'),
  ],
  [
    'utm_values_differ',
    links(
      'https://acme.com/?utm_source=m&utm_campaign=may',
      'https://acme.com/?utm_source=m&utm_campaign=june',
    ),
    links(
      'https://acme.com/?utm_source=m&utm_content=top',
      'https://acme.com/?utm_source=m&utm_content=foot',
    ),
  ],
  [
    'utm_unknown',
    link('https://acme.com/?utm_soure=a'),
    link('https://acme.com/?utm_content=a&utmost=1&x=utm_soure'),
  ],
  ['utm_in_fragment', link('https://acme.com/#top?utm_source=a'), link('https://acme.com/?utm_source=a#utm')],
  ['links_too_many_to_track', link('https://acme.com').repeat(1_001), link('https://acme.com').repeat(1_000)],
  [
    'link_personal_data',
    link('https://acme.com/?who=ada%40example.com'),
    link('https://acme.com/?who=support@acme.com'),
  ],
  [
    'link_personal_data',
    link("https://acme.com/?email={the user's Email}"),
    link("https://acme.com/?id={the user's Id}"),
  ],
  ['link_personal_data', link('https://acme.com/u/ada@example.com/edit'), link('https://acme.com/@ada/edit')],
  [
    'image_personal_data',
    '<img src="https://acme.com/h.png?email=ada@example.com">',
    '<img src="https://acme.com/h@2x.png">',
  ],
  [
    'unsubscribe_tracked',
    '<a href="https://acme.com/x">Unsubscribe</a>',
    '<a data-tracking=OFF href="https://acme.com/x">Unsubscribe</a>',
  ],
  [
    'tracking_switch_unknown',
    '<a data-tracking="false" href="https://acme.com">x</a>',
    '<a data-tracking="off" href="https://acme.com">x</a>',
  ],
  ['click_id_copied', link('https://acme.com/?gclid=abc'), link('https://acme.com/?gclids=abc')],
  ['foreign_campaign_id', link('https://acme.com/?mc_cid=abc'), link('https://acme.com/?cid=abc')],
  [
    'remote_font_tracks',
    '<link rel="stylesheet" href="https://fonts.googleapis.com/css?family=A">',
    '<link rel="canonical" href="https://a.com">',
  ],
  [
    'remote_font_tracks',
    '<style>@import url("https://fonts.googleapis.com/css?family=A");</style>',
    '<style>@media print{}</style>',
  ],
  [
    'link_ping',
    '<a ping="https://a.com/p" href="https://acme.com">x</a>',
    '<a title="ping" href="https://acme.com">x</a>',
  ],
])('%s is found in %j and not in %j', (rule, bad, good) => {
  expect(rulesIn(bad)).toContain(rule);
  expect(rulesIn(good)).not.toContain(rule);
});

test('a finding stands where the address does', () => {
  const html = '<p>x</p><a class="b" href="https://acme.com/?gclid=1">x</a>';
  const [found] = find(html);
  expect(html.slice(Number(found?.at), found?.until)).toBe('href="https://acme.com/?gclid=1"');
});

test('a link without tags is told of, each by itself', () => {
  const html = links(
    'https://acme.com/?utm_source=a',
    'https://acme.com/?utm_source=b',
    'https://acme.com/?utm_source=c',
    'https://acme.com/x',
    'https://acme.com/y',
  );
  expect(rulesIn(html).filter((rule) => rule === 'utm_missing')).toHaveLength(2);
});

const SIZE = repetitions({ short: 400_000, full: 2_000_000 });
const rep = (text: string): string => text.repeat(Math.floor(SIZE / text.length));

/** Inputs that would take minutes without a bound; the test timeout catches one that hangs. */
test.each([
  ['links', rep('<a href="https://a.com/?utm_source=A">x</a>')],
  [
    'sites',
    Array.from(
      { length: repetitions({ short: 12_000, full: 60_000 }) },
      (_, i) => `<a href="https://a${i}.com/">x</a>`,
    ).join(''),
  ],
  ['one long address', link(`https://a.com/?${rep('u=1&')}`)],
  ['beginnings of tokens', rep(link(`https://a.com/?t=${'eyJ'.repeat(5_000)}`))],
  ['halves of tokens', rep(link(`https://a.com/?t=${'eyJaaaaaaaaaaa.'.repeat(1_000)}`))],
  ['signs of addresses', rep(link(`https://a.com/${'a@'.repeat(7_000)}`))],
  ['pixels', rep('<img src="https://a.com/" width=1 height=1>')],
  ['imports', `<style>${rep('@import "https://a.com/";')}</style>`],
])(`${SIZE} characters of %s get an answer`, (_name, html) =>
  expect(find(html).length).toBeLessThanOrEqual(2 * MAX_FINDINGS),
);
