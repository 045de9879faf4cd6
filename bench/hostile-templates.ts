/** Templates built to be expensive: sources that are slow to parse, and sources and data that are slow to render. */
import type { RenderContext } from '../src/language/language.js';

/** `piece`, repeated up to `length` characters. */
export function filled(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

/** Pieces that hostile sources repeat, by description; 2 MB hold `{if the x is y}` more than 100,000 times. */
export const HOSTILE_PIECES: Readonly<Record<string, string>> = {
  '{': '{',
  'open ifs': '{if the x is y} ',
  '{the': '{the ',
  '{{': '{{ ',
  '{%': '{% ',
  '{{ x': '{{ x }}{% if x %}',
  quotes: '{the x, or "}',
  'unclosed quotes': '{the "',
  '&nbsp;': '{the&nbsp;&nbsp;x&nbsp;',
  'tags in braces': '{the <b>x</b>',
  'tags left open': '{the <',
};

const MANY = 10_000;
const list = Array.from({ length: MANY }, (_, index) => index);
const looped = (body: string): string => `{for each x in the list}${body}{end for}`;

/** Sources and data whose rendering ends at a limit or just below it. */
export const COSTLY_RENDERINGS: Readonly<Record<string, readonly [source: string, properties: object]>> = {
  'Intl, 20,000 dates': ['{the d, as "date and time"}\n'.repeat(20_000), { d: '2026-01-02T03:04:05Z' }],
  'Intl, date patterns': [looped('{the x, as "EEEE, d MMMM yyyy HH:mm zzzz"}'), {}],
  'exact numbers': [
    looped(`{if ${'the a times the b plus '.repeat(200)}1 is 1}{end if}`),
    { a: '1e-399', b: filled('9', 400) },
  ],
  'long texts': [looped('{if the a is the b}{end if}'), { a: filled('Ω', 1e6), b: filled('ω', 1e6) }],
  conditions: [looped('{if the a exists}{end if}'.repeat(9_900)), {}],
  replacing: [looped('{if the a, replacing "a" with "" is b}{end if}'), { a: filled('a', 900_000) }],
  links: ['<a href="/x{the a}">'.repeat(50), { a: filled('a ', 790_000) }],
  'fields counted': [
    '{the a, count}'.repeat(7_000),
    { a: Object.fromEntries(list.map((key) => [`Key ${key}`, 1])) },
  ],
};

/** The render context of an expensive rendering. */
export function costlyContext(properties: object, now: Date): RenderContext {
  return { contact: { properties: { list, ...properties } }, now, timeZone: 'America/New_York' };
}
