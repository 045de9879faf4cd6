/** Tests what a workspace needs to go live. */
import { describeGaps, missingForGoLive, type Workspace } from './workspace.js';

const moment = new Date('2026-03-02T09:00:00.000Z');
const ready: Workspace = {
  id: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface',
  name: 'Acme',
  plan: 'free',
  customRates: {},
  status: 'active',
  suspendedReason: null,
  accountEmailVerified: true,
  liveAt: null,
  deletionAt: null,
  isBeingDeleted: false,
  company: {
    name: 'Acme',
    addressLine1: '1 Main St',
    city: 'Springfield',
    postalCode: '62701',
    country: 'US',
  },
  sender: {},
  settings: {},
  createdAt: moment,
  updatedAt: moment,
};

test.each([
  ['nothing', ready, true, []],
  ['the email', { ...ready, accountEmailVerified: false }, true, ['account_email']],
  ['a part of the address', { ...ready, company: { ...ready.company, city: ' ' } }, true, ['company']],
  ['a key', ready, false, ['api_key']],
  [
    'everything',
    { ...ready, accountEmailVerified: false, company: {} },
    false,
    ['account_email', 'company', 'api_key'],
  ],
] as const)('missing: %s', (_name, workspace, hasApiKey, gaps) => {
  expect(missingForGoLive(workspace, hasApiKey)).toEqual(gaps);
});

test('the gaps are named to a person', () => {
  expect(describeGaps(['account_email', 'api_key'])).toBe(
    'The workspace cannot go live yet: the account email is not verified; there is no API key.',
  );
});
