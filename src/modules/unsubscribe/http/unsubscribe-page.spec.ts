import { createHash } from 'node:crypto';
import { LANGUAGES } from '../../preferences/domain/language.js';
import type { PreferencePage } from '../application/unsubscribe.service.js';
import { PAGE_MESSAGES } from './page-messages.js';
import { PALETTES } from './page-style.js';
import { PAGE_HEADERS, renderInvalidPage, renderPreferencePage, linkRequestOf } from './unsubscribe-page.js';

const HOSTILE = '<script>alert(1)</script>"\'&{sender}$&';
const NEWS = { key: 'news', name: 'News', description: 'Once a week', isSubscribed: true };
const PAGE: PreferencePage = {
  language: 'en',
  sender: 'Acme',
  address: 'a***@e***.com',
  action: '/u?token=x',
  isUnsubscribed: false,
  mayChoose: true,
  topics: [NEWS, { key: 'offers', name: 'Offers', description: '', isSubscribed: false }],
  pausedUntil: null,
  timezone: null,
};
const actionsOf = (html: string): string[] =>
  [...html.matchAll(/name="action" value="(\w+)"/g)].map(([, value = '']) => value);

describe('the page of an unsubscribe link', () => {
  test('asks with forms that need no script', () => {
    const html = renderPreferencePage(PAGE, null);
    expect(html).toContain('<form method="post" action="/u?token&#x3D;x">');
    expect(html).not.toMatch(/<script|\son\w+=|javascript:/i);
    expect(actionsOf(html)).toEqual(['unsubscribe', 'choose', 'pause']);
  });

  test('offers what is possible in each state, and to unsubscribe in all but one', () => {
    const left = { ...PAGE, mayChoose: false, topics: [] };
    expect(actionsOf(renderPreferencePage(left, null))).toEqual(['unsubscribe']);
    expect(actionsOf(renderPreferencePage({ ...PAGE, topics: [] }, null))).toEqual(['unsubscribe', 'pause']);
    const resting = { ...PAGE, pausedUntil: new Date('2026-04-01T23:30:00Z') };
    expect(actionsOf(renderPreferencePage(resting, null))).toEqual(['unsubscribe', 'choose', 'resume']);
    expect(actionsOf(renderPreferencePage({ ...PAGE, isUnsubscribed: true }, null))).toEqual(['come_back']);
    expect(actionsOf(renderPreferencePage({ ...left, isUnsubscribed: true }, null))).toEqual([]);
  });

  test('tells a pause by the date of the person', () => {
    const pausedUntil = new Date('2026-04-01T23:30:00Z');
    expect(renderPreferencePage({ ...PAGE, pausedUntil }, null)).toContain('Paused until April 1, 2026.');
    const inBerlin = { ...PAGE, pausedUntil, timezone: 'Europe/Berlin', language: 'de' as const };
    expect(renderPreferencePage(inBerlin, null)).toContain('Pausiert bis 2. April 2026.');
    expect(renderPreferencePage({ ...PAGE, pausedUntil, timezone: 'Mars/Base' }, null)).toContain('April 1');
  });

  test('is read by those who cannot see it: language, landmark, one heading, labels, and what was done', () => {
    for (const language of LANGUAGES)
      for (const page of [PAGE, { ...PAGE, isUnsubscribed: true }]) {
        const html = renderPreferencePage({ ...page, language }, 'saved');
        expect(html).toContain(`<html lang="${language}">`);
        expect(html.match(/<main>|<h1>/g)).toEqual(['<main>', '<h1>']);
        expect(html).toContain('role="status"');
        const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
        expect(new Set(ids).size).toBe(ids.length);
        const named = [...html.matchAll(/(?:for|aria-labelledby|aria-describedby)="([^"]+)"/g)];
        for (const [, id] of named) expect(ids).toContain(id);
        for (const [box] of html.matchAll(/<input type="checkbox"[^>]*>/g))
          expect(html).toContain(`<label for="${/ id="([^"]+)"/.exec(box)?.[1]}"`);
        expect(html).toMatch(/<title>[^<]+ – Acme<\/title>/);
      }
  });

  test('has every word in every language, with the places that English has', () => {
    const placesIn = (text: string): string[] => text.match(/\{\w+\}/g) ?? [];
    for (const language of LANGUAGES)
      for (const [name, text] of Object.entries(PAGE_MESSAGES[language])) {
        const english = PAGE_MESSAGES.en[name as keyof typeof PAGE_MESSAGES.en];
        expect([language, name, text.trim() !== '', placesIn(text)]).toEqual([
          language,
          name,
          true,
          placesIn(english),
        ]);
        const mayBeAlike = text.length < 8;
        if (language !== 'en' && !mayBeAlike)
          expect([language, name, text]).not.toEqual([language, name, english]);
      }
  });

  test('escapes what comes from outside, and puts nothing of it in the place of something else', () => {
    const topics = [{ key: 'x', name: HOSTILE, description: HOSTILE, isSubscribed: true }];
    const hostile = { ...PAGE, sender: HOSTILE, address: HOSTILE, action: HOSTILE, topics };
    for (const html of [
      renderPreferencePage(hostile, null),
      renderPreferencePage({ ...hostile, isUnsubscribed: true }, 'welcome'),
    ]) {
      expect(html).not.toContain('<script');
      expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#x27;&amp;{sender}$&amp;');
    }
  });

  test('allows its own style and nothing else', () => {
    const style = /<style>(.*?)<\/style>/s.exec(renderInvalidPage('en'))?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(PAGE_HEADERS['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(renderPreferencePage(PAGE, null)).toContain(`<style>${style}</style>`);
    expect(renderPreferencePage(PAGE, null)).not.toMatch(/ style=|<link|<img|url\(/);
  });

  test('can be read in light and in dark', () => {
    for (const palette of Object.values(PALETTES))
      for (const [text, ground] of [
        ['text', 'card'],
        ['soft', 'card'],
        ['soft', 'ground'],
        ['accent', 'card'],
        ['onaccent', 'accent'],
        ['onnotice', 'notice'],
      ] as const)
        expect([text, ground, contrast(palette[text], palette[ground]) >= 4.5]).toEqual([text, ground, true]);
  });
});

/** Contrast ratio as defined by WCAG 2.2. */
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

const ONE_CLICK = { kind: 'unsubscribe', way: 'one_click' };

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['an empty form', new URLSearchParams()],
  ['a mail program', new URLSearchParams('List-Unsubscribe=One-Click')],
  [
    'a mail program, regardless of the rest of the user agent',
    new URLSearchParams('action=pause&List-Unsubscribe=One-Click'),
  ],
  ['JSON', { action: 'pause' }],
  ['other fields', new URLSearchParams('topic=news&shown=news')],
  ...['', 'Pause', 'constructor'].map((action): [string, unknown] => [
    `an action that the page does not have (${JSON.stringify(action)})`,
    new URLSearchParams({ action }),
  ]),
])('%s unsubscribes', (_name, form) => expect(linkRequestOf(form)).toEqual(ONE_CLICK));

test('the page unsubscribes under its own name', () => {
  expect(linkRequestOf(new URLSearchParams('action=unsubscribe'))).toEqual({
    kind: 'unsubscribe',
    way: 'page',
  });
});

test.each(['pause', 'resume', 'come_back'])('the page asks for: %s', (kind) => {
  expect(linkRequestOf(new URLSearchParams({ action: kind }))).toEqual({ kind });
});

test('a box that is not ticked is a choice only of a topic that was shown', () => {
  const form = new URLSearchParams('action=choose&shown=news&shown=offers&topic=news&topic=other');
  expect(linkRequestOf(form)).toEqual({
    kind: 'choose',
    chosen: new Map([
      ['news', true],
      ['offers', false],
    ]),
  });
});
