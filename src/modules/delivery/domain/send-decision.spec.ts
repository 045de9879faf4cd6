import { decideSend, unsentText, type SendInputs } from './send-decision.js';

const NOW = new Date('2026-03-02T09:00:00.000Z');
const LATER = new Date('2026-03-02T09:00:01.000Z');
const COMPANY = { name: 'Acme', addressLine1: '1 Main St', city: 'X', postalCode: '1', country: 'US' };

const FACTS: SendInputs = {
  environment: 'live',
  contentType: 'transactional',
  options: {},
  workspace: {
    name: 'Workspace',
    status: 'active',
    liveAt: NOW,
    company: COMPANY,
    sender: { fromEmail: 'hello@acme.test', fromName: 'Acme', replyTo: 'help@acme.test' },
  },
  contact: {
    email: 'ada@example.com',
    subscriptionStatus: 'subscribed',
    hasRefused: false,
    suppressedFor: null,
  },
  template: { isActive: true, hasErrors: false, unresolvedPlaceholder: false },
  origin: 'trip',
  objection: null,
  refusedBy: null,
  domains: { shared: 'mail.localhost', own: () => undefined },
};

type Change = (facts: SendInputs) => SendInputs;
const workspace =
  (change: Partial<SendInputs['workspace']>): Change =>
  (facts) => ({
    ...facts,
    workspace: { ...facts.workspace, ...change },
  });
const contact =
  (change: object): Change =>
  (facts) => ({
    ...facts,
    contact: {
      email: 'ada@example.com',
      subscriptionStatus: 'subscribed',
      hasRefused: false,
      suppressedFor: null,
      ...change,
    },
  });
const template =
  (change: Partial<NonNullable<SendInputs['template']>>): Change =>
  (given) => ({
    ...given,
    template: { isActive: true, hasErrors: false, unresolvedPlaceholder: false, ...change },
  });
const facts =
  (change: Partial<SendInputs>): Change =>
  (given) => ({ ...given, ...change });
const TOPIC = { reason: 'unsubscribed_topic', topic: 'news' } as const;
const PAUSED = { reason: 'paused', until: LATER } as const;
const promotional = (objection: SendInputs['objection'], options: SendInputs['options'] = {}): Change =>
  facts({ contentType: 'promotional', objection, options });
/** Origins of messages that an application requests one by one. */
const ASKED_FOR = ['direct', 'resend'] as const;
const decide = (...changes: Change[]) =>
  decideSend(
    changes.reduce((given, change) => change(given), FACTS),
    NOW,
  );

describe('decideSend', () => {
  test('sends from the shared domain, display name and reply-to kept', () => {
    expect(decide()).toEqual({
      kind: 'send',
      to: 'ada@example.com',
      from: { address: 'hello@mail.localhost', name: 'Acme' },
      returnPath: 'hello@mail.localhost',
      replyTo: 'help@acme.test',
    });
  });

  test('sends to the address without the spaces around it', () => {
    expect(decide(contact({ email: ' ada@example.com ' }))).toMatchObject({ to: 'ada@example.com' });
  });

  test.each([
    ['Acme', COMPANY],
    ['Workspace', { ...COMPANY, name: undefined }],
  ])('without a display name the sender is called %s', (name, company) => {
    const nameless = { fromEmail: 'hello@acme.test' };
    expect(decide(workspace({ sender: nameless, company: company as typeof COMPANY }))).toMatchObject({
      from: { name },
    });
  });

  test.each<[string, Change[]]>([
    ['workspace_not_live', [workspace({ liveAt: null })]],
    ['workspace_not_live', [workspace({ liveAt: LATER })]],
    ['contact_deleted', [facts({ contact: null })]],
    ['contact_deleted', [contact({ subscriptionStatus: 'deleted' })]],
    ['unsubscribed', [contact({ subscriptionStatus: 'unsubscribed' })]],
    ['unsubscribed', [contact({ hasRefused: true })]],
    ...ASKED_FOR.map((origin): [string, Change[]] => [
      'unsubscribed',
      [contact({ hasRefused: true }), facts({ origin, contentType: 'promotional' })],
    ]),
    ...ASKED_FOR.map((origin): [string, Change[]] => [
      'suppressed_complaint',
      [contact({ hasRefused: true, suppressedFor: 'complaint' }), facts({ origin })],
    ]),
    ['suppressed_manual', [contact({ suppressedFor: 'manual' })]],
    ['suppressed_hard_bounce', [contact({ suppressedFor: 'hard_bounce' })]],
    [
      'suppressed_complaint',
      [contact({ suppressedFor: 'complaint' }), facts({ contentType: 'promotional' })],
    ],
    [
      'suppressed_complaint',
      [
        contact({ suppressedFor: 'complaint' }),
        facts({ options: { emailSendSettings: { sendToUnsubscribed: true } } }),
      ],
    ],
    ['unsubscribed', [contact({ hasRefused: true, suppressedFor: 'complaint' })]],
    ['no_email_address', [contact({ email: null })]],
    ['no_email_address', [contact({ email: ' ' })]],
    ['invalid_email_address', [contact({ email: 'ada' })]],
    ['invalid_email_address', [contact({ email: 'a@b.c\r\nBcc: x@y.z' })]],
    [
      'company_address_incomplete',
      [facts({ contentType: 'promotional' }), workspace({ company: { name: 'Acme' } })],
    ],
    ['frequency_cap', [facts({ refusedBy: 'frequency_cap' })]],
    ['unsubscribed_topic', [promotional(TOPIC)]],
    ['paused', [promotional(PAUSED)]],
    // The first reason is reported.
    ['unsubscribed', [promotional(PAUSED), contact({ hasRefused: true })]],
    ['paused', [promotional(PAUSED), contact({ email: null })]],
    ['workspace_not_live', [workspace({ liveAt: null }), facts({ contact: null })]],
    ['plan_limit_reached', [facts({ refusedBy: 'plan_limit_reached' }), workspace({ liveAt: null })]],
    ['contact_deleted', [facts({ refusedBy: 'frequency_cap', contact: null })]],
    ['frequency_cap', [facts({ refusedBy: 'frequency_cap', template: null })]],
    [
      'unsubscribed',
      [contact({ subscriptionStatus: 'unsubscribed', email: null }), facts({ template: null })],
    ],
  ])('suppresses: %s', (reason, changes) => {
    expect(decide(...changes)).toEqual({ kind: 'suppress', reason });
  });

  test.each([TOPIC, PAUSED])('asks nobody’s choice of what a step sends to all: %j', (objection) => {
    expect(decide(facts({ objection })).kind).toBe('send');
    const toAll = { emailSendSettings: { sendToUnsubscribed: true } };
    expect(decide(promotional(objection, toAll)).kind).toBe('send');
  });

  test.each<[string, Change[]]>([
    ['template_not_found', [facts({ template: null })]],
    ['template_inactive', [template({ isActive: false, hasErrors: true })]],
    ['template_errors', [template({ hasErrors: true })]],
    ['unresolved_placeholder', [template({ unresolvedPlaceholder: true })]],
    ['unresolved_placeholder', [template({ unresolvedPlaceholder: true, hasErrors: true })]],
    ['unresolved_placeholder', [facts({ options: { subject: 'Hi «name»' } })]],
    ['unresolved_placeholder', [facts({ options: { subject: 'Hi &laquo;name&#187;' } })]],
    ['invalid_from_address', [workspace({ sender: { fromEmail: '' } })]],
    ['invalid_from_address', [workspace({ sender: { fromEmail: 'x@y.z\r\nBcc: a@b.c' } })]],
    ['invalid_from_address', [workspace({ sender: { fromEmail: 'hello@acme.test', replyTo: 'nobody' } })]],
  ])('fails: %s', (code, changes) => {
    expect(decide(...changes)).toMatchObject({ kind: 'fail', code });
  });

  test.each<[string, Change[]]>([
    [
      'a workspace that is not live, in the test environment',
      [workspace({ liveAt: null }), facts({ environment: 'test' })],
    ],
    ['a transactional message without a company address', [workspace({ company: {} })]],
    [
      'an unsubscribed contact, where the step says so',
      [
        contact({ subscriptionStatus: 'unsubscribed' }),
        facts({ options: { emailSendSettings: { sendToUnsubscribed: true } } }),
      ],
    ],
    ...ASKED_FOR.map((origin): [string, Change[]] => [
      `a transactional message to who has unsubscribed, where it is asked for by itself (${origin})`,
      [contact({ subscriptionStatus: 'unsubscribed', hasRefused: true }), facts({ origin })],
    ]),
  ])('sends: %s', (_name, changes) => {
    expect(decide(...changes)).toMatchObject({ kind: 'send' });
  });
});

test('a message whose parts could not be rendered is suppressed for a required field, and else has failed', () => {
  expect(unsentText({ kind: 'suppressed', field: 'contact.first_name' })).toEqual({
    kind: 'suppress',
    reason: 'missing_required_field: contact.first_name',
  });
  expect(
    unsentText({ kind: 'failed', error: { code: 'work_limit', message: 'Too much.' } as never }),
  ).toEqual({
    kind: 'fail',
    code: 'render_failed',
    detail: 'work_limit: Too much.',
  });
});
