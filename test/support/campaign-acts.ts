/** Actions and waits for tests of campaigns, over HTTP, on a clock that the test advances. */
import { createHmac } from 'node:crypto';
import type { CampaignsFixture } from './campaigns-fixture.js';
import { until } from './until.js';

const KEY = Buffer.alloc(32, 7);
/** Settings of a service that accepts the email provider's webhooks. */
export const SIGNED_WEBHOOKS = { EMAIL_WEBHOOK_SECRET: `whsec_${KEY.toString('base64')}` };

export interface CampaignActs {
  /**
   * Creates `count` contacts. Every fifth has no address, and every fifth has opted out. Returns the number that may
   * get mail.
   */
  readonly people: (count: number) => Promise<number>;
  /** Creates a campaign that is ready to be sent to all contacts. */
  readonly ready: (more?: object) => Promise<any>;
  /** Waits until a campaign has a status, while time passes. */
  readonly become: (id: string, status: string) => Promise<void>;
  /** Makes a call on a campaign that must answer 200, and returns its body. */
  readonly act: (id: string, call: string, body?: object) => Promise<any>;
  /** Counts the workspace's messages by status. */
  readonly ledger: () => Promise<Record<string, number>>;
  /** Waits until the audience of the campaign's only instance is stored and has this size. */
  readonly taken: (id: string, audience: number) => Promise<void>;
  /** Delivers a provider webhook about a message, dated `after` seconds from now. */
  readonly deliverWebhook: (logId: string, type: string, after: number) => Promise<void>;
  /** Waits until all messages have been paused, released or cancelled. */
  readonly swept: (id: string) => Promise<void>;
}

export function campaignActs(fixture: CampaignsFixture): CampaignActs {
  async function people(count: number): Promise<number> {
    const contacts = Array.from({ length: count }, (_, n) => ({
      external_id: `person-${n}`,
      ...(n % 5 === 1 ? {} : { email: `person-${n}@example.com` }),
    }));
    const { status, body } = await fixture.workspace.call('POST', '/v1/contacts/bulk', { contacts });
    expect([status, body.errors]).toEqual([200, []]);
    await fixture.admin.query(
      `UPDATE contacts SET subscription_status = 'unsubscribed'
       WHERE workspace_id = $1 AND substr(external_id, 8)::int % 5 = 2`,
      [fixture.workspace.id],
    );
    return contacts.filter((_, n) => n % 5 !== 1 && n % 5 !== 2).length;
  }
  const ready = async (more: object = {}): Promise<any> =>
    fixture.campaign({ template_id: await fixture.template(), segment_id: await fixture.segment(), ...more });
  const become = (id: string, status: string): Promise<void> =>
    until(`the campaign is ${status}`, async () => {
      fixture.app.clock.wind(1_000);
      return (await fixture.get(id)).body.status === status;
    });
  async function act(id: string, call: string, body?: object): Promise<any> {
    const answer = await fixture.call('POST', `/${id}/${call}`, body);
    expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
    return answer.body;
  }
  async function ledger(): Promise<Record<string, number>> {
    const { rows } = await fixture.admin.query<{ status: string; n: number }>(
      'SELECT status, count(*)::int AS n FROM email_logs WHERE workspace_id = $1 GROUP BY status',
      [fixture.workspace.id],
    );
    return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
  }
  const taken = (id: string, audience: number): Promise<void> =>
    until('its audience is taken', async () => {
      const { rows } = await fixture.admin.query(
        'SELECT FROM campaign_instances WHERE campaign_id = $1 AND is_taken AND audience = $2',
        [id, audience],
      );
      return rows.length === 1;
    });
  async function deliverWebhook(logId: string, type: string, after: number): Promise<void> {
    const at = new Date(fixture.app.clock.now().getTime() + after * 1_000).toISOString();
    const open = { ipAddress: '192.0.2.1', userAgent: 'Thunderbird', timestamp: at };
    const body = JSON.stringify({ type, created_at: at, data: { email_id: logId, open } });
    const [id, seconds] = [`${type}-${logId}-${after}`, String(Math.floor(Date.now() / 1_000))];
    const signed = `${id}.${seconds}.${body}`;
    const { status } = await fixture.app.request('POST', '/v1/webhooks/email', body, {
      ...{ 'svix-id': id, 'svix-timestamp': seconds },
      'svix-signature': `v1,${createHmac('sha256', KEY).update(signed).digest('base64')}`,
    });
    expect(status).toBe(200);
  }
  const swept = (id: string): Promise<void> =>
    until('nothing is left to be swept, and no message is on its way', async () => {
      fixture.app.clock.wind(1_000);
      const { rows } = await fixture.admin.query(
        `SELECT FROM campaign_instances WHERE campaign_id = $1 AND sweep IS NOT NULL
         UNION ALL SELECT FROM email_logs WHERE source_id = $1 AND status = 'sending'`,
        [id],
      );
      return rows.length === 0;
    });

  return { people, ready, become, act, ledger, taken, deliverWebhook, swept };
}
