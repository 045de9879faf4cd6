import type { Resource } from '../analysis/analysis.js';
import {
  looksLikeText,
  mediaTypeOf,
  type FetchFailure,
  type FetchOutcome,
  type ImageContent,
} from './fetch-outcome.js';
import type { ImageHeader } from './image-header.js';
import { imageVerdicts } from './image-verdicts.js';
import { linkVerdicts } from './link-verdicts.js';
import { lifetimeOf, resourceOutcome } from './resource-outcome.js';
import { RULES } from '../rules/catalogue.js';

const answer = (status: number, rest: Partial<FetchOutcome> = {}): FetchOutcome => ({
  failure: null,
  status,
  redirects: [],
  isDowngraded: false,
  mediaType: null,
  content: null,
  ...rest,
});
const failure = (reason: FetchFailure, redirects: number[] = []): FetchOutcome =>
  answer(0, { failure: reason, status: null, redirects });
const KB = 1024;
const PNG: ImageHeader = { type: 'png', width: 600, height: 300, isAnimated: false };
const image = (
  bytes: number,
  header: Partial<ImageHeader> | null = {},
  rest: Partial<ImageContent> & { mediaType?: string } = {},
): FetchOutcome => {
  const { mediaType = 'image/png', ...content } = rest;
  const known = header && { ...PNG, ...header };
  return answer(200, { mediaType, content: { bytes, header: known, isText: false, ...content } });
};

test.each<[string, FetchOutcome, string[]]>([
  ['a page', answer(200, { mediaType: 'text/html' }), []],
  ['no content', answer(204), []],
  ['a 404', answer(404), ['link_missing']],
  ['a 410 behind redirects', answer(410, { redirects: [301] }), ['link_missing']],
  ['a login', answer(401), ['link_forbidden']],
  ['a refusal', answer(403), ['link_forbidden']],
  ['too many requests', answer(429), ['link_forbidden']],
  ['a bad request', answer(400), ['link_client_error']],
  ['a 500', answer(500), ['link_server_error']],
  ['a 503', answer(503), ['link_server_error']],
  ['one temporary redirect', answer(200, { redirects: [302] }), []],
  ['one permanent redirect', answer(200, { redirects: [301] }), ['link_permanent_redirect']],
  [
    'a permanent redirect that keeps the method',
    answer(200, { redirects: [308, 302] }),
    ['link_permanent_redirect'],
  ],
  ['a permanent redirect behind another', answer(200, { redirects: [302, 301] }), []],
  ['three redirects', answer(200, { redirects: [301, 302, 302] }), ['link_redirects_many']],
  ['a redirect to http', answer(200, { redirects: [302], isDowngraded: true }), ['link_redirect_insecure']],
  ['a program', answer(200, { mediaType: 'application/x-msdownload' }), ['link_program']],
  ['a document', answer(200, { mediaType: 'application/pdf' }), []],
  ['a private address', failure('refused_private'), ['link_private']],
  ['a redirect to a private address', failure('refused_private', [302]), ['link_private_redirect']],
  ['a blocked port', failure('refused_port'), ['link_port_blocked']],
  ['a redirect to an app', failure('refused_scheme', [302]), ['link_redirect_scheme']],
  ['a host that nobody knows', failure('dns_failed'), ['link_host_unknown']],
  ['no connection', failure('connect_failed'), ['link_unreachable']],
  ['no HTTP', failure('bad_answer'), ['link_unreachable']],
  ['no certificate', failure('tls_failed'), ['link_tls_invalid']],
  ['no answer', failure('timeout'), ['link_timeout']],
  ['a circle', failure('too_many_redirects', [302, 302, 302, 302, 302, 302]), ['link_redirect_loop']],
])('a link that leads to %s', (_, outcome, rules) => {
  expect(linkVerdicts(outcome).map(([rule]) => rule)).toEqual(rules);
});

test.each<[string, FetchOutcome, string[]]>([
  ['good', image(100 * KB), []],
  ['as heavy as it may be', image(200 * KB), []],
  ['heavy', image(200 * KB + 1), ['image_heavy']],
  ['a megabyte', image(1024 * KB), ['image_heavy']],
  ['too large', image(1024 * KB + 1), ['image_too_large']],
  ['a small animation', image(400 * KB, { type: 'gif', isAnimated: true }), ['image_heavy']],
  ['a large animation', image(501 * KB, { type: 'gif', isAnimated: true }), ['image_animated_large']],
  [
    'an SVG',
    image(KB, { type: 'svg' }, { isText: true, mediaType: 'image/svg+xml' }),
    ['image_type_unsupported'],
  ],
  ['a WebP', image(KB, { type: 'webp' }), ['image_type_unsupported']],
  ['sent as bytes', image(KB, {}, { mediaType: 'application/octet-stream' }), ['image_type_wrong']],
  ['of many pixels', image(KB, { width: 2_401, height: 10 }), ['image_dimensions_large']],
  ['of as many pixels as it may have', image(KB, { width: 2_400, height: 2_400 }), []],
  ['a page', image(KB, null, { isText: true, mediaType: 'text/html' }), ['image_not_an_image']],
  ['a text that is called an image', image(KB, null, { isText: true }), ['image_not_an_image']],
  ['of no known type', image(KB, null), ['image_unreadable']],
  ['empty', image(0, null), ['image_unreadable']],
  ['redirected often', { ...image(KB), redirects: [301, 302, 302] }, ['image_redirects_many']],
  ['redirected to http', { ...image(KB), redirects: [302], isDowngraded: true }, ['image_redirect_insecure']],
  ['missing', answer(404), ['image_missing']],
  ['gone', answer(410), ['image_missing']],
  ['refused', answer(403), ['image_forbidden']],
  ['on a server in trouble', answer(502), ['image_server_error']],
  ['at a private address', failure('refused_private'), ['image_unreachable']],
  ['redirected to a private address', failure('refused_private', [302]), ['image_private_redirect']],
  ['at a blocked port', failure('refused_port'), ['image_connection_failed']],
  ['redirected out of the web', failure('refused_scheme', [302]), ['image_connection_failed']],
  ['on a host that nobody knows', failure('dns_failed'), ['image_host_unknown']],
  ['without a connection', failure('connect_failed'), ['image_connection_failed']],
  ['on no server of the web', failure('bad_answer'), ['image_connection_failed']],
  ['without a certificate', failure('tls_failed'), ['image_tls_invalid']],
  ['slow', failure('timeout'), ['image_timeout']],
  ['in a circle', failure('too_many_redirects'), ['image_redirect_loop']],
])('an image that is %s', (_, outcome, rules) => {
  expect(imageVerdicts(outcome).map(([rule]) => rule)).toEqual(rules);
});

test('what is missing or private is critical, and so is a page in the place of an image', () => {
  const critical = (Object.keys(RULES) as (keyof typeof RULES)[]).filter(
    (name) => /^(LK|IM)0[89]/.test(RULES[name].code) && RULES[name].severity === 'critical',
  );
  expect(critical.sort()).toEqual([
    'image_missing',
    'image_not_an_image',
    'image_private_redirect',
    'link_missing',
    'link_private_redirect',
  ]);
});

const resource = (kind: Resource['kind'], address: string, at: number): Resource => ({
  ...{ kind, address, at, until: at + 5 },
});

test('each element at fault is a finding of its own, with its place', () => {
  const resources = [resource('link', 'https://acme.com/a', 10), resource('link', 'https://acme.com/a', 20)];
  const outcome = resourceOutcome('links', {
    ...{ resources, omitted: 0, unchecked: 0, limit: 100 },
    outcomeOf: () => answer(404),
  });
  const message = 'The link “https://acme.com/a” leads to a page that is missing (404).';
  expect(outcome).toEqual({
    ...{ name: 'links', status: 'done', detail: null },
    findings: [10, 20].map((at) => ({
      ...{ rule: 'link_missing', at, until: at + 5, message },
    })),
  });
});

test('images that are heavy together are counted once each', () => {
  const resources = ['a', 'b', 'a', 'c'].map((name, at) => resource('image', `https://acme.com/${name}`, at));
  const findings = (bytes: number): readonly string[] =>
    resourceOutcome('images', {
      ...{ resources, omitted: 0, unchecked: 0, limit: 100 },
      outcomeOf: ({ address }) => (address.endsWith('c') ? answer(404) : image(bytes)),
    }).findings.map(({ rule }) => rule);
  expect(findings(400 * KB)).not.toContain('image_total_heavy');
  expect(findings(401 * KB).filter((rule) => rule === 'image_total_heavy')).toHaveLength(1);
});

test.each([
  [0, 0, 1, 'done', null],
  [1, 0, 1, 'failed', 'Not checked: 1 address beyond the first 100 of the message.'],
  [0, 2, 1, 'failed', 'Not checked because of the time limit: 2 addresses.'],
  [0, 2, 0, 'failed', 'Not checked because of the time limit: 2 addresses.'],
  [0, 0, 0, 'done', null],
])('%d left, %d missed, %d seen', (left, missed, seen, status, detail) => {
  const resources = [resource('link', 'https://acme.com/', 0)];
  const outcomeOf = () => (seen > 0 ? answer(200) : undefined);
  expect(
    resourceOutcome('links', { resources, outcomeOf, omitted: left, unchecked: missed, limit: 100 }),
  ).toMatchObject({
    status,
    detail,
  });
});

test.each<[Resource['kind'], FetchOutcome, number]>([
  ['link', answer(200), 60],
  ['link', answer(204, { redirects: [302] }), 60],
  ['image', image(KB), 60],
  ['link', answer(404), 1],
  ['link', answer(410), 1],
  ['link', answer(403), 1],
  ['link', answer(429), 1],
  ['link', answer(500), 1],
  ['link', answer(200, { redirects: [301] }), 1],
  ['link', answer(200, { isDowngraded: true }), 1],
  ['image', answer(404), 1],
  ['image', image(KB, null, { isText: true }), 1],
  ['image', image(2_000 * KB), 1],
  ['link', failure('timeout'), 1],
  ['link', failure('dns_failed'), 1],
  ['image', failure('refused_private'), 1],
])('a %s that answers %j counts for %d minutes', (kind, outcome, minutes) => {
  expect(lifetimeOf(kind, outcome)).toBe(minutes * 60_000);
});

test.each([
  ['text/html; charset=utf-8', 'text/html'],
  ['IMAGE/PNG', 'image/png'],
  [' image/svg+xml ', 'image/svg+xml'],
  ['image/', null],
  ['nonsense', null],
  [`image/${'x'.repeat(100)}`, null],
  [undefined, null],
])('the type of %s', (header, type) => {
  expect(mediaTypeOf(header)).toBe(type);
});

test.each([
  ['<!doctype html>', true],
  ['größer', true],
  ['a\0b', false],
  ['', false],
])('%j is text: %s', (text, isText) => {
  expect(looksLikeText(Buffer.from(text))).toBe(isText);
});
