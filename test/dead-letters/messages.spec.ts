/**
 * Messages in dead letters: a sent message is never sent again and never counts as failed, an unsent one is sent
 * after a requeue, and in every case the trip that waits for the message continues.
 */
import pg from 'pg';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';
import { isAside, listed, refusing, RETRY, rowOf } from './dead-letters-fixture.js';

let app: TestApp;
let admin: pg.Client;

beforeAll(async () => {
  app = await bootApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterEach(() =>
  admin.query('DROP FUNCTION IF EXISTS poison() CASCADE; DROP FUNCTION IF EXISTS reissued() CASCADE'),
);
afterAll(async () => {
  await admin.end();
  await app.close();
});

type ContentType = 'transactional' | 'promotional';

/** A workspace whose contacts get a mail when they sign up. The database refuses the rows of one contact, eve. */
class Mailing {
  private constructor(
    readonly workspace: TestWorkspace,
    readonly eve: string,
  ) {}

  static async of(contentType: ContentType): Promise<Mailing> {
    const workspace = await app.workspace();
    await workspace.call('POST', '/v1/templates', {
      name: 'Welcome',
      slug: 'welcome',
      subject: 'Hi',
      body_html: '<p>Hi {{ unsubscribe_url }}</p>',
    });
    const { body: flow } = await workspace.call('POST', '/v1/flows', {
      name: 'Welcome',
      trigger_event: 'signed_up',
      content_type: contentType,
      steps: [{ type: 'send_email', template_slug: 'welcome' }],
    });
    expect((await workspace.call('POST', `/v1/flows/${flow.id}/activate`)).status).toBe(200);
    const { body: eve } = await workspace.call('POST', '/v1/contacts', { external_id: 'eve' });
    return new Mailing(workspace, eve.id);
  }

  async signUp(...names: string[]): Promise<void> {
    for (const name of names)
      await this.workspace.call('POST', '/v1/events', {
        external_id: name,
        event_name: 'signed_up',
        contact: { email: `${name}.${this.workspace.id}@example.com` },
      });
  }

  mails(name: string): number {
    return app.sink.to(`${name}.${this.workspace.id}@example.com`).length;
  }

  async untilDeadLetter(): Promise<{ id: string; kind: string; code: string }> {
    await until('work is set aside', () => isAside(admin, this.workspace));
    const [work] = await listed(this.workspace);
    return work!;
  }

  /** Makes the ledger reject the status for the message, until the returned function is called. */
  refusingStatus(status: string, errcode: string): Promise<() => Promise<void>> {
    const when = `NEW.contact_id = '${this.eve}' AND NEW.status = '${status}'`;
    return refusing(admin, 'email_logs', when, 'UPDATE', errcode);
  }

  /** Advances the clock until the retry policy gives up. */
  async untilRetriesEnd(): Promise<void> {
    await until('work is set aside', () => {
      app.clock.wind(5_000);
      return isAside(admin, this.workspace);
    });
  }

  log(): Promise<{ status: string; error_code: string | null }> {
    return rowOf(admin, 'SELECT status, error_code FROM email_logs WHERE contact_id = $1', [this.eve]);
  }

  async tripStatus(): Promise<string> {
    const { status } = await rowOf<{ status: string }>(
      admin,
      'SELECT status FROM trips WHERE contact_id = $1',
      [this.eve],
    );
    return status;
  }

  /** Retries the dead letter; returns whether it was requeued. */
  async retry(id: string): Promise<boolean> {
    const { body } = await this.workspace.graphql(RETRY, { id });
    expect(await listed(this.workspace)).toEqual([]);
    return body.data.retrySetAsideWork.isPutBack;
  }

  /** Resolves when everything that was due before this call has been sent: mails are sent in order. */
  async settle(name: string): Promise<void> {
    await this.signUp(name);
    await until('a later message is sent', () => this.mails(name) === 1);
  }
}

describe.each<ContentType>(['transactional', 'promotional'])('a %s message', (contentType) => {
  test('that went out and whose fate the ledger refuses is of unknown fate, and is not sent again', async () => {
    const mailing = await Mailing.of(contentType);
    const mend = await mailing.refusingStatus('sent', '22P02');
    await mailing.signUp('ada', 'eve', 'bob');
    const work = await mailing.untilDeadLetter();
    expect(work).toMatchObject({ kind: 'send', code: 'value_refused' });
    await until('the trip goes on', async () => (await mailing.tripStatus()) === 'completed');
    expect(await mailing.log()).toEqual({ status: 'unknown', error_code: 'unknown_fate' });
    await mend();
    expect(await mailing.retry(work.id)).toBe(false);
    await mailing.settle('cyd');
    expect(['ada', 'eve', 'bob'].map((name) => mailing.mails(name))).toEqual([1, 1, 1]);
    expect(await mailing.log()).toMatchObject({ status: 'unknown' });
  });

  test.each([
    ['for a reason that may pass', '55P03'],
    ['by taking too long', '57014'],
  ])('whose fate is refused again and again %s comes to an end, too', async (_, code) => {
    const mailing = await Mailing.of(contentType);
    const mend = await mailing.refusingStatus('sent', code);
    await mailing.signUp('ada', 'eve', 'bob');
    const sent = `SELECT count(*)::int AS count FROM email_logs WHERE workspace_id = $1 AND status = 'sent'`;
    const isSent = async (): Promise<boolean> =>
      (await rowOf<{ count: number }>(admin, sent, [mailing.workspace.id])).count === 3;
    await mailing.settle('dan');
    await until('its neighbours are known to be sent while it waits', isSent);
    await mailing.untilRetriesEnd();
    await until('the trip goes on', async () => (await mailing.tripStatus()) === 'completed');
    expect(await mailing.log()).toEqual({ status: 'unknown', error_code: 'unknown_fate' });
    await mend();
    await mailing.settle('cyd');
    expect(['ada', 'eve', 'bob'].map((name) => mailing.mails(name))).toEqual([1, 1, 1]);
  });

  test('that cannot be taken in hand never left: the trip goes on, and it is sent once it is put back', async () => {
    const mailing = await Mailing.of(contentType);
    const mend = await mailing.refusingStatus('sending', '22P02');
    await mailing.signUp('ada', 'eve', 'bob');
    const work = await mailing.untilDeadLetter();
    expect(work).toMatchObject({ kind: 'send', code: 'value_refused' });
    await until('the trip goes on', async () => (await mailing.tripStatus()) === 'completed');
    expect(await mailing.log()).toEqual({ status: 'failed', error_code: 'internal_error' });
    await mend();
    expect(await mailing.retry(work.id)).toBe(true);
    await until('it is sent', () => mailing.mails('eve') === 1);
    await until('its neighbours are', () => mailing.mails('ada') + mailing.mails('bob') === 2);
  });

  test('that cannot be taken in hand, and may have left before, is of unknown fate', async () => {
    const mailing = await Mailing.of(contentType);
    // As left by a process that died with the message in flight.
    await admin.query(`CREATE FUNCTION reissued() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.reissues = 1; RETURN NEW; END $$;
      CREATE TRIGGER reissued BEFORE INSERT ON email_logs FOR EACH ROW WHEN (NEW.contact_id = '${mailing.eve}')
      EXECUTE FUNCTION reissued()`);
    const mend = await mailing.refusingStatus('sending', '22P02');
    await mailing.signUp('eve');
    const work = await mailing.untilDeadLetter();
    await until('the trip goes on', async () => (await mailing.tripStatus()) === 'completed');
    expect(await mailing.log()).toEqual({ status: 'unknown', error_code: 'unknown_fate' });
    await mend();
    await admin.query('DROP FUNCTION reissued() CASCADE');
    expect(await mailing.retry(work.id)).toBe(false);
    await mailing.settle('cyd');
    expect(mailing.mails('eve')).toBe(0);
  });

  test.each([
    ['at once', '22P02', 'value_refused'],
    ['again and again', '55P03', 'kept_failing'],
  ])(
    'that went out is sent though whoever hears of it fails %s, and is told again once it is put back',
    async (_, errcode, code) => {
      const mailing = await Mailing.of(contentType);
      const mend = await refusing(
        admin,
        'trips',
        `NEW.contact_id = '${mailing.eve}' AND OLD.status = 'awaiting_send'`,
        'UPDATE',
        errcode,
      );
      await mailing.signUp('ada', 'eve', 'bob');
      await mailing.untilRetriesEnd();
      const work = await mailing.untilDeadLetter();
      expect(work).toMatchObject({ kind: 'settled_send', code });
      expect(await mailing.log()).toEqual({ status: 'sent', error_code: null });
      expect(await mailing.tripStatus()).toBe('awaiting_send');
      await mend();
      expect(await mailing.retry(work.id)).toBe(true);
      await until('the trip goes on', async () => (await mailing.tripStatus()) === 'completed');
      await mailing.settle('cyd');
      expect(['ada', 'eve', 'bob'].map((name) => mailing.mails(name))).toEqual([1, 1, 1]);
    },
  );
});
