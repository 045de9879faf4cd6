import { parse } from 'parse5';
import {
  comparedByDay,
  dayAt,
  emailsByDay,
  emailsByFlow,
  HOSTILE,
  OPEN_RATE,
  sampleData,
  sampleReport,
  SENT,
} from '../../../../test/support/report-samples.js';
import { missingPage, type Page, reportPage } from './report-page.js';
import { PALETTES } from './report-page-style.js';

function nonceOf({ headers }: Page): string {
  return /style-src 'nonce-([A-Za-z0-9+/]{24})'/.exec(headers['content-security-policy'] ?? '')?.[1] ?? '';
}

test.each(['print', 'shared'] as const)('the page (%s) has title, period, tiles, chart and table', (mode) => {
  const data = comparedByDay(31, {
    metrics: [SENT, OPEN_RATE],
    anomalies: [{ metric: 'open_rate', at: dayAt(2), value: 20, low: 31, high: 42 }],
  });
  const { html } = reportPage(sampleReport(), data, mode);
  expect(html).toContain('<title>Email performance: Mar 1 – 31, 2026</title>');
  expect(html).toContain('<h1><bdi>Email performance</bdi></h1>');
  expect(html).toContain(`<dd class="value">${data.totals['sent']?.toLocaleString('en')}</dd>`);
  expect(html).toContain(`>▲ ${data.comparison?.change['sent']}%</b>`);
  expect(html).toContain('Open rate on Mar 3, 2026: 20.00%, below its usual 31.00% to 42.00%.');
  expect(html.match(/<svg /g)).toHaveLength(2);
  expect(html.match(/<tr>/g)).toHaveLength(32);
});

test('to print opens the dialog by a script under a nonce, and nothing else runs or is loaded', () => {
  const page = reportPage(sampleReport(), emailsByDay(3), 'print');
  const nonce = nonceOf(page);
  expect(nonce).not.toBe('');
  expect(page.headers['content-security-policy']).toBe(
    `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
  );
  expect(page.html.match(/<script[^>]*>/g)).toEqual([`<script nonce="${nonce.replaceAll('=', '&#x3D;')}">`]);
  expect(page.html).toContain('print()');
  expect(page.html).not.toMatch(/ style=|<link|<img|<iframe|@import|url\((?!#)| on\w+=/);
});

test('each page has a nonce of its own', () => {
  const nonces = [1, 2, 3].map(() => nonceOf(reportPage(sampleReport(), emailsByDay(3), 'print')));
  expect(new Set(nonces).size).toBe(3);
});

test('a shared page runs nothing, is not indexed, not kept, not framed, and tells nobody its address', () => {
  for (const page of [reportPage(sampleReport(), emailsByDay(3), 'shared'), missingPage('Gone', 'It is.')]) {
    expect(page.headers['content-security-policy']).not.toContain('script-src');
    expect(page.html).not.toContain('<script');
    expect(page.html).toContain('<meta name="robots" content="noindex,nofollow">');
    expect(page.headers).toMatchObject({
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    });
  }
});

test('at most 100 rows are shown, and what is left out is told', () => {
  const { html } = reportPage(sampleReport(), emailsByDay(250), 'print');
  expect(html.match(/<tr>/g)).toHaveLength(101);
  expect(html).toContain('Shown: the first 100 rows of 250.');
  expect(reportPage(sampleReport(), emailsByDay(100), 'print').html).not.toContain('Shown:');
});

test('a report without a chart, and one without rows', () => {
  expect(reportPage(sampleReport(), emailsByDay(3, { chartType: 'table' }), 'shared').html).not.toContain(
    '<svg',
  );
  const empty = reportPage(sampleReport({ description: null }), sampleData(), 'shared').html;
  expect(empty).toContain('No data in this period');
  expect(empty).not.toContain('<table');
});

test('whatever names there are, no markup comes of them', () => {
  const shapeOf = (name: string): string => {
    const data = emailsByFlow([name], 0, { metrics: [{ ...SENT, label: name }] });
    return outline(reportPage(sampleReport({ name, description: name }), data, 'print').html);
  };
  for (const hostile of HOSTILE) expect(shapeOf(hostile)).toBe(shapeOf('x'));
  const { html } = reportPage(sampleReport({ name: HOSTILE[0] }), emailsByDay(2), 'print');
  expect(html).toContain('&lt;/svg&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
});

test('can be read in light and in dark', () => {
  for (const palette of Object.values(PALETTES))
    for (const [text, ground] of [
      ['text', 'card'],
      ['soft', 'card'],
      ['soft', 'ground'],
      ['text', 'tile'],
      ['soft', 'tile'],
      ['onnotice', 'notice'],
    ] as const)
      expect([text, ground, contrast(palette[text], palette[ground]) >= 4.5]).toEqual([text, ground, true]);
});

/** The names of elements and attributes, as a browser parses the page. */
function outline(html: string): string {
  return outlineOf(parse(html));
}

interface Outlined {
  readonly nodeName: string;
  readonly attrs?: readonly { readonly name: string }[];
  readonly childNodes?: readonly Outlined[];
}

function outlineOf({ nodeName, attrs = [], childNodes = [] }: Outlined): string {
  const elements = childNodes.filter((child) => child.nodeName !== '#text');
  return `${nodeName}(${attrs.map(({ name }) => name).join()})[${elements.map(outlineOf).join()}]`;
}

/** The formula of WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
