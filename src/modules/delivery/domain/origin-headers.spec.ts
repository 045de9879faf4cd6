import { originHeaders } from './origin-headers.js';

const scope = { workspaceId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee1' };
const sourceId = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee2';

test('transactional mail says that no person has written it; promotional mail does not', () => {
  const headers = (contentType: 'transactional' | 'promotional') =>
    originHeaders({ sourceId, templateSlug: 'welcome', contentType }, scope);
  expect(headers('transactional')).toEqual([
    ['Feedback-ID', `${sourceId}:transactional:${scope.workspaceId}:waypost`],
    ['Auto-Submitted', 'auto-generated'],
  ]);
  expect(headers('promotional')).toEqual([
    ['Feedback-ID', `${sourceId}:promotional:${scope.workspaceId}:waypost`],
  ]);
});

test.each([
  ['receipt', 'receipt'],
  ['a:b', ''],
  ['größe', ''],
  ['x y', ''],
  ['x\r\nBcc: a', ''],
  ['x'.repeat(65), ''],
])('without a flow or a campaign mail of the template %j is counted under %j', (templateSlug, name) => {
  const [[, value] = []] = originHeaders({ sourceId: null, templateSlug, contentType: 'promotional' }, scope);
  expect(value).toBe(`${name}:promotional:${scope.workspaceId}:waypost`);
});
