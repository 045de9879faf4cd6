/** The complete matrix of roles and permissions in its most restrictive reading, and the reach of key scopes. */
import { KEY_SCOPES, type KeyScope, type Role, ROLES } from '../../../kernel/principal.js';
import {
  isWriting,
  roleAllows,
  type Permission,
  PERMISSIONS,
  permissionMatrix,
  scopesAllowing,
} from './permission.js';

const MATRIX: Readonly<Record<Permission, readonly Role[]>> = {
  'members:read': ['owner', 'admin'],
  'members:write': ['owner', 'admin'],
  'flows:read': ['owner', 'admin', 'developer', 'marketing'],
  'flows:write': ['owner', 'admin', 'developer', 'marketing'],
  'templates:read': ['owner', 'admin', 'developer', 'marketing'],
  'templates:write': ['owner', 'admin', 'developer', 'marketing'],
  'analytics:read': ['owner', 'admin', 'marketing', 'operations', 'viewer'],
  'inspect:read': ['owner', 'admin', 'developer', 'marketing'],
  'inspect:write': ['owner', 'admin', 'developer', 'marketing'],
  'events:write': ['owner', 'admin', 'developer'],
  'contacts:read': ['owner', 'admin', 'developer', 'operations'],
  'contacts:write': ['owner', 'admin', 'developer'],
  'segments:read': ['owner', 'admin', 'developer', 'marketing'],
  'segments:write': ['owner', 'admin', 'developer', 'marketing'],
  'email_logs:read': ['owner', 'admin', 'operations'],
  'email_logs:write': ['owner', 'admin', 'operations'],
  'campaigns:read': ['owner', 'admin', 'marketing'],
  'campaigns:write': ['owner', 'admin', 'marketing'],
  'domains:read': ['owner', 'admin', 'developer'],
  'domains:write': ['owner', 'admin'],
  'billing:write': ['owner'],
};

test.each(PERMISSIONS)('%s', (permission) => {
  expect(ROLES.filter((role) => roleAllows(role, permission))).toEqual(MATRIX[permission]);
});

test.each<[KeyScope[], KeyScope[]]>([
  [['data'], ['data', 'management', 'full']],
  [['management'], ['management', 'full']],
  [['reporting'], ['reporting', 'full']],
  [
    ['data', 'reporting'],
    ['data', 'reporting', 'management', 'full'],
  ],
  [[], ['full']],
])('routes of %p are reached by %p', (routeScopes, reaching) => {
  const found = scopesAllowing(routeScopes);
  expect(KEY_SCOPES.filter((scope) => found.includes(scope))).toEqual(reaching);
});

test('only billing may be written in a workspace that is read-only', () => {
  expect(PERMISSIONS.filter(isWriting)).toEqual([
    'members:write',
    'flows:write',
    'templates:write',
    'inspect:write',
    'events:write',
    'contacts:write',
    'segments:write',
    'email_logs:write',
    'campaigns:write',
    'domains:write',
  ]);
});

test('what is printed is the matrix', () => {
  const { permissions, keyScopes } = permissionMatrix();
  expect(permissions).toEqual(MATRIX);
  expect(keyScopes).toEqual({
    data: ['data', 'management', 'full'],
    reporting: ['reporting', 'full'],
    management: ['management', 'full'],
    full: ['full'],
  });
});
