import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { byEnvironment, type TenantItem } from './tenant-items.js';

const LIVE: TenantScope = { workspaceId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea', environment: 'live' };
const TEST: TenantScope = { ...LIVE, environment: 'test' };
const of = (scope: TenantScope, item: string): TenantItem<string> => ({ scope, item });

test.each([
  ['live first', [of(LIVE, 'a'), of(TEST, 'x'), of(LIVE, 'b')]],
  ['test first', [of(TEST, 'x'), of(LIVE, 'a'), of(LIVE, 'b')]],
])('figures of the environments are added to in one order: %s', (_, items) => {
  expect(byEnvironment(items)).toEqual([
    { scope: LIVE, items: ['a', 'b'] },
    { scope: TEST, items: ['x'] },
  ]);
});
