/** Section 8.1: who shares a window with whom. */
import type { KeyPrincipal, MemberPrincipal } from '../../../kernel/principal.js';
import { boundsOf } from './bounds.js';
import type { KnownCaller } from './caller.js';
import { classOf, type EndpointClass } from './endpoint.js';

const workspace = { workspaceId: 'w1', environment: 'live', plan: 'free', customRates: {} } as const;
const key: KeyPrincipal = {
  ...workspace,
  kind: 'api_key',
  keyId: 'k1',
  scope: 'full',
  rateLimitPerMinute: null,
};
const member: MemberPrincipal = {
  ...{ ...workspace, kind: 'member', memberId: 'm1', subject: 's1', email: 'a@b.test', role: 'owner' },
};
const person: KnownCaller = { kind: 'person', subject: 's1' };
const EXPORT = classOf('GET', '/v1/analytics/export')!;
const EVENTS = classOf('POST', '/v1/events')!;

const shared = (one: KnownCaller, other: KnownCaller, of: EndpointClass, otherOf = of): string[] => {
  const keys = new Set(boundsOf(other, otherOf).map((bound) => bound.key));
  return boundsOf(one, of).flatMap((bound) =>
    keys.has(bound.key) ? [`${bound.window} ${bound.length}`] : [],
  );
};

test.each<[string, KnownCaller, KnownCaller, EndpointClass, string[]]>([
  ['two keys of a workspace', key, { ...key, keyId: 'k2' }, EXPORT, ['workspace 60000', 'endpoint 3600000']],
  ['keys of two workspaces', key, { ...key, keyId: 'k2', workspaceId: 'w2' }, EXPORT, []],
  ['two members of a workspace', member, { ...member, subject: 's2' }, EXPORT, ['endpoint 3600000']],
  [
    'a member in two workspaces',
    member,
    { ...member, workspaceId: 'w2' },
    EXPORT,
    ['person 60000', 'person 3600000'],
  ],
  ['two persons', person, { kind: 'person', subject: 's2' }, EVENTS, []],
  ['a person and a member', person, member, EVENTS, []],
])('%s share what they must', (_, one, other, endpoint, windows) => {
  expect(shared(one, other, endpoint)).toEqual(windows);
});

test('groups of endpoints share the windows of their key alone', () => {
  expect(shared(key, key, EXPORT, EVENTS)).toEqual(['key 60000', 'key 3600000']);
});

test.each([key, member, person])('each window of $kind has a key of its own', (caller) => {
  const keys = boundsOf(caller, EXPORT).map((bound) => bound.key);
  expect(new Set(keys).size).toBe(keys.length);
});
