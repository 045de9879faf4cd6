/** Tests that the example of the operations page is accepted and that errors are reported by path. */
import { DomainError } from '../../kernel/domain-error.js';
import { readSeedFile } from './seed-file.js';

const EXAMPLE = {
  workspaces: [
    {
      name: 'Acme',
      plan: 'growth',
      payment_customer_id: 'cus_1',
      payment_subscription_id: 'sub_1',
      account_email_verified: true,
      live: true,
      company: {
        name: 'Acme Inc',
        address_line1: '1 Main St',
        city: 'Springfield',
        region: 'IL',
        postal_code: '62701',
        country: 'US',
      },
      sender: { from_email: 'hello@acme.test', from_name: 'Acme' },
      settings: { frequency_cap: { max: 3, period_hours: 24 }, dnd: { start: '22:00', end: '07:00' } },
      members: [
        { email: 'owner@acme.test', name: 'Olive', role: 'owner' },
        { email: 'v@acme.test', role: 'viewer' },
      ],
      api_keys: [{ name: 'server', scope: 'full', environment: 'live', rate_limit_per_minute: null }],
      segments: [
        {
          name: 'Pro users',
          match: 'all',
          conditions: [{ field: 'properties.plan', operator: 'equals', value: 'pro' }],
        },
      ],
      templates: [
        {
          name: 'Welcome',
          slug: 'welcome',
          subject: 'Hi',
          body_html: `<p>Hi {the user's First Name, or "there"}</p>`,
        },
      ],
      contacts: [{ external_id: 'u1', email: 'u1@example.com' }],
    },
  ],
};

const [acme] = EXAMPLE.workspaces;

/** The paths that are rejected in a workspace with these members changed. */
function faults(changes: object): string[] {
  return pathsOf({ workspaces: [{ ...acme, ...changes }] });
}

function pathsOf(content: unknown): string[] {
  try {
    readSeedFile(content);
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return (error.fields.errors ?? []).map(({ field }) => field.replace(/^workspaces\[0\]\.?/, ''));
  }
}

test('the example of the operations page is read whole', () => {
  const [workspace] = readSeedFile(EXAMPLE);
  expect(workspace?.input).toEqual({
    name: 'Acme',
    plan: 'growth',
    paymentCustomerId: 'cus_1',
    paymentSubscriptionId: 'sub_1',
    accountEmailVerified: true,
    live: true,
    company: {
      name: 'Acme Inc',
      addressLine1: '1 Main St',
      city: 'Springfield',
      region: 'IL',
      postalCode: '62701',
      country: 'US',
    },
    sender: { fromEmail: 'hello@acme.test', fromName: 'Acme' },
    settings: { frequencyCap: { max: 3, periodHours: 24 }, dnd: { start: '22:00', end: '07:00' } },
  });
  expect(workspace?.members.map(({ input }) => input)).toEqual([
    { email: 'owner@acme.test', name: 'Olive', role: 'owner' },
    { email: 'v@acme.test', name: '', role: 'viewer' },
  ]);
  expect(workspace?.apiKeys[0]?.input.rateLimitPerMinute).toBeNull();
  expect(workspace?.contacts[0]?.input.externalId).toBe('u1');
});

test('a name is enough: free, live, with nothing else', () => {
  const [workspace] = readSeedFile({ workspaces: [{ name: 'Bare' }] });
  expect(workspace?.input).toMatchObject({
    plan: 'free',
    live: true,
    accountEmailVerified: false,
    company: {},
  });
});

test.each<[string, object, string[]]>([
  ['no name', { name: '' }, ['name']],
  ['unknown plan', { plan: 'platinum' }, ['plan']],
  ['unknown field', { colour: 'red' }, ['colour']],
  ['unknown part of the company', { company: { street: 'x' } }, ['company.street']],
  ['sender that is no address', { sender: { from_email: 'nobody' } }, ['sender.from_email']],
  [
    'half a cap',
    { settings: { frequency_cap: { max: 0 } } },
    ['settings.frequency_cap.max', 'settings.frequency_cap.period_hours'],
  ],
  [
    'bad time',
    { settings: { dnd: { start: '24:00', end: '7:00' } } },
    ['settings.dnd.start', 'settings.dnd.end'],
  ],
  ['live that is no flag', { live: 'yes' }, ['live']],
  ['unknown role', { members: [{ email: 'a@b.test', role: 'king' }] }, ['members[0].role']],
  [
    'two owners',
    {
      members: [
        { email: 'a@b.test', role: 'owner' },
        { email: 'c@b.test', role: 'owner' },
      ],
    },
    ['members[1]'],
  ],
  [
    'the same member twice',
    {
      members: [
        { email: 'a@b.test', role: 'viewer' },
        { email: 'A@b.test', role: 'admin' },
      ],
    },
    ['members[1]'],
  ],
  [
    'a rate above the plan',
    { plan: 'free', api_keys: [{ name: 'k', rate_limit_per_minute: 1_001 }] },
    ['api_keys[0].rate_limit_per_minute'],
  ],
  ['the same key twice', { api_keys: [{ name: 'k' }, { name: 'k', scope: 'full' }] }, ['api_keys[1]']],
  [
    'a condition without operator',
    { segments: [{ name: 's', conditions: [{ field: 'email' }] }] },
    ['segments[0].conditions[0].operator'],
  ],
  [
    'a template of delivery fields',
    { templates: [{ name: 'T', slug: 't', body_html: 'x', from_email: 'a@b.test' }] },
    ['templates[0].from_email'],
  ],
  ['a contact without id', { contacts: [{ email: 'a@b.test' }] }, ['contacts[0].external_id']],
  ['a contact with a bad email', { contacts: [{ external_id: 'u', email: 'x' }] }, ['contacts[0].email']],
  ['lists that are none', { members: {}, contacts: 'all' }, ['members', 'contacts']],
])('%s', (_name, changes, paths) => expect(faults(changes)).toEqual(paths));

test.each([
  ['nothing', null, ['file']],
  ['a list', [], ['file']],
  ['no workspaces', {}, ['workspaces']],
  ['the same name twice', { workspaces: [{ name: 'A' }, { name: 'A' }] }, ['workspaces[1]']],
] as const)('a file of %s is refused', (_name, content, paths) => {
  expect(pathsOf(content)).toEqual(expect.arrayContaining([...paths]));
});
