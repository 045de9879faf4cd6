/** Gmail's limit is reported with the number. */
import { sentBytes } from '../../../delivery/domain/sent-size.js';
import { analyse } from '../analysis/analyse.js';
import { preflight } from '../preflight/preflight.js';
import { renderingsOf } from '../rendering/renderings.js';
import { checkSize, GMAIL_CLIP_BYTES } from './message-size.js';

test.each<[number, string[]]>([
  [1, []],
  [GMAIL_CLIP_BYTES * 0.9, []],
  [Math.ceil(GMAIL_CLIP_BYTES * 0.9) + 1, ['size_near_limit']],
  [GMAIL_CLIP_BYTES, ['size_near_limit']],
  [GMAIL_CLIP_BYTES + 1, ['size_clipped']],
])('%d bytes', (size, expected) => {
  expect(checkSize('x'.repeat(size)).map(({ rule }) => rule)).toEqual(expected);
});

test('counts bytes and names them', () => {
  expect(checkSize('é'.repeat(60_000))[0]?.message).toContain('117.2 KB');
});

const ADDITIONS = {
  baseUrl: 'https://mail.acme.test',
  company: { name: 'Acme Inc', addressLine1: '1 Main St', city: 'Springfield', country: 'US' },
  tracked: { opens: true, clicks: true },
};
const link = (n: number): string => `<p><a href="https://acme.test/p/${n}">Look at number ${n}</a></p>`;
const LINKS = Array.from({ length: 650 }, (_, n) => link(n)).join('');
/** The targets of links are known once they are rendered. */
const VALUES = Array.from({ length: 800 }, () => `<p><a href="{the user's Website}">Look at it</a></p>`).join(
  '',
);

test.each([
  ['links', LINKS],
  ['links of values', VALUES],
])('what is sent is larger than what is written: %s', (_name, bodyHtml) => {
  expect(checkSize(bodyHtml)).toEqual([]);
  const content = { subject: 'Hi', bodyHtml, bodyText: 'text', templateLanguage: null };
  const sender = {
    ...{ fromEmail: 'hello@acme.test', replyTo: undefined, companyComplete: true, live: true },
    ...{ sharedDomain: 'mail.localhost', isOwnDomain: true },
  };
  const now = new Date(0);
  const { warnings } = preflight({ content, sender, allowedHosts: [], sent: { additions: ADDITIONS, now } });
  expect(warnings.filter(({ code }) => code === 'HT009')).toHaveLength(1);
  const work = {
    content,
    sender,
    allowedHosts: [],
    preheader: null,
    channel: 'email',
    sample: null,
    now,
  } as const;
  const rulesOf = (additions?: typeof ADDITIONS): string[] =>
    analyse({ ...work, ...(additions && { additions }) }).findings.map(({ rule }) => rule);
  expect(rulesOf(ADDITIONS)).toContain('size_clipped');
  expect(rulesOf()).not.toContain('size_clipped');
  const { message, pieces, addedBytes } = analyse({ ...work, additions: ADDITIONS });
  const html = message?.html ?? '';
  const shown = (added: number): string[] =>
    renderingsOf({ html, pieces, bodyHtml, clients: ['gmail_web'], addedBytes: added }).findings.map(
      ({ rule }) => rule,
    );
  expect([shown(0).includes('clipped_by_gmail'), shown(addedBytes).includes('clipped_by_gmail')]).toEqual([
    false,
    true,
  ]);
});

test('only what is tracked is counted', () => {
  const size = (tracked: typeof ADDITIONS.tracked): number => sentBytes(LINKS, { ...ADDITIONS, tracked });
  const [none, opens, clicks] = [
    [false, false],
    [true, false],
    [false, true],
  ].map(([o = false, c = false]) => size({ opens: o, clicks: c }));
  expect(none).toBeGreaterThan(Buffer.byteLength(LINKS));
  expect(opens).toBeGreaterThan(none ?? 0);
  expect(clicks).toBeGreaterThan((none ?? 0) + 650 * 100);
});
