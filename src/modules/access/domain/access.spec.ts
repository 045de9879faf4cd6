/** Tests each 403 code of section 7.2 and its fields. */
import type { KeyPrincipal, KeyScope, MemberPrincipal, Role } from '../../../kernel/principal.js';
import { type AccessRule, assertPermitted, isPermitted, accessError } from './access.js';

const where = {
  workspaceId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface',
  environment: 'live',
  plan: 'free',
  customRates: {},
} as const;
const key = (scope: KeyScope): KeyPrincipal => ({
  kind: 'api_key',
  keyId: 'k',
  scope,
  rateLimitPerMinute: null,
  ...where,
});
const member = (role: Role): MemberPrincipal => ({
  kind: 'member',
  memberId: 'm',
  subject: 's',
  email: 'a@b.c',
  role,
  ...where,
});
const state = { suspended: false, dashboardUrl: 'http://dash' };

function bodyFor(caller: KeyPrincipal | MemberPrincipal, rule: AccessRule, suspended = false) {
  const body = accessError(caller, rule, { ...state, suspended })?.body();
  if (!body) return undefined;
  const { detail, ...rest } = body;
  expect(typeof detail).toBe('string');
  return rest;
}

test('a key on a route of the dashboard', () => {
  expect(bodyFor(key('full'), { permission: 'members:read' })).toEqual({
    error: 'forbidden',
    reason: 'control_plane_only',
    dashboard_url: 'http://dash',
  });
});

test('a key whose scope does not reach the route', () => {
  expect(bodyFor(key('data'), { permission: 'flows:read', keyScopes: ['management'] })).toEqual({
    error: 'forbidden',
    reason: 'insufficient_scope',
    required_scopes: ['management', 'full'],
    your_scopes: ['data'],
  });
});

test('a key without the scope on a contact write', () => {
  expect(
    bodyFor(key('reporting'), { permission: 'contacts:write', keyScopes: ['data'], contactWrite: true }),
  ).toEqual({
    error: 'forbidden',
    reason: 'scope_forbidden',
    required_scope: 'data',
  });
});

test('a member without the permission', () => {
  expect(bodyFor(member('viewer'), { permission: 'flows:write' })).toEqual({
    error: 'forbidden',
    reason: 'missing_permission',
    required_permission: 'flows:write',
  });
});

test('a member of another role than those named', () => {
  expect(bodyFor(member('developer'), { roles: ['owner', 'admin'] })).toEqual({
    error: 'forbidden',
    reason: 'insufficient_role',
    required_roles: ['owner', 'admin'],
    your_role: 'developer',
  });
});

test('writing in a workspace that is read-only', () => {
  const suspended = { code: 'workspace_suspended' };
  expect(bodyFor(key('full'), { permission: 'events:write', keyScopes: ['data'] }, true)).toEqual(suspended);
  expect(bodyFor(member('owner'), { permission: 'flows:write' }, true)).toEqual(suspended);
  expect(bodyFor(member('owner'), { permission: 'flows:read' }, true)).toBeUndefined();
  expect(bodyFor(member('viewer'), { permission: 'flows:write' }, true)).toMatchObject({
    reason: 'missing_permission',
    required_permission: 'flows:write',
  });
  expect(bodyFor(member('owner'), { roles: ['owner'], isWriting: true }, true)).toEqual(suspended);
  expect(bodyFor(member('owner'), { roles: ['owner'] }, true)).toBeUndefined();
});

test.each<[string, KeyPrincipal | MemberPrincipal, AccessRule]>([
  [
    'full reaches everything a key may',
    key('full'),
    { permission: 'analytics:read', keyScopes: ['reporting'] },
  ],
  ['management reaches data', key('management'), { permission: 'events:write', keyScopes: ['data'] }],
  ['any member, where nothing is asked', member('viewer'), {}],
  ['a role that is named', member('admin'), { roles: ['owner', 'admin'] }],
  ['a permission of the role', member('marketing'), { permission: 'flows:write' }],
])('passes: %s', (_name, caller, rule) => {
  expect(accessError(caller, rule, state)).toBeUndefined();
});

test('what a member may is also asked of a record that has been found', () => {
  expect(isPermitted(member('operations'), 'email_logs:write')).toBe(true);
  expect(isPermitted(member('developer'), 'email_logs:write')).toBe(false);
  expect(isPermitted(key('full'), 'email_logs:write')).toBe(false);
  expect(() => assertPermitted(member('operations'), 'email_logs:write')).not.toThrow();
  expect(() => assertPermitted(member('developer'), 'email_logs:write')).toThrow('email_logs:write');
});
