/** Logs are structured, carry the request id, and hold no key, token, secret or body of an email, at any level. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createTestDatabase } from '../support/database.js';
import { MailSink } from '../support/mail-sink.js';
import { openWorkspace } from '../support/open-workspace.js';
import { freePort, ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

/** What an SMTP server and a database said, and to whom. */
const CANARIES = ['SMTP-CANARY', 'smtp-canary@', 'DATABASE-CANARY', 'ada@example.com'];

/** From now on the database refuses templates, and quotes what it was given. */
async function breakTemplates(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'no % here', NEW.name USING DETAIL = NEW.name, HINT = NEW.slug; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON templates FOR EACH ROW EXECUTE FUNCTION refuse()`);
  await client.end();
}

test('canaries of every kind go through the service and stay out of its logs', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'waypost-logs-'));
  const database = await createTestDatabase();
  const sink = await MailSink.start();
  const url = `http://127.0.0.1:${await freePort()}`;
  const service = ServiceProcess.start('up', {
    PORT: new URL(url).port,
    DATA_DIR: dataDir,
    DATABASE_URL: database.adminUrl,
    SMTP_URL: sink.url,
    LOG_LEVEL: 'trace',
  });
  try {
    await service.ready(url);
    const workspace = await openWorkspace(url, dataDir);
    await workspace.template('hello', '<p>BODY-CANARY for {the user\'s First Name, or "you"}</p>');
    await workspace.flow('transactional', 'signed_up', [{ type: 'send_email', template_slug: 'hello' }]);
    expect(await workspace.signUp('ada')).toBe(true);
    await until('the mail is there', () => sink.mails.length === 1);
    const refused = await fetch(`${url}/v1/flows`, {
      headers: {
        authorization: 'Bearer eyJhbGciOiJFUzI1NiJ9.TOKEN-CANARY.x',
        'x-request-id': 'request-canary-1',
      },
    });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('x-request-id')).toBe('request-canary-1');
    sink.verdict = (mail) =>
      mail.to.includes('smtp-canary@example.com')
        ? { code: 550, text: '5.1.1 <smtp-canary@example.com> is SMTP-CANARY' }
        : undefined;
    expect(await workspace.signUp('smtp-canary')).toBe(true);
    await until('the refusal is logged', () => service.output.includes('A message was not accepted'));
    expect(service.output).toContain('"code":"550 5.1.1"');
    await breakTemplates(database.adminUrl);
    const broken = await workspace.call('POST', '/v1/templates', {
      name: 'DATABASE-CANARY',
      slug: 'canary',
      subject: 'x',
      body_html: '<p>x</p>',
    });
    expect(broken.status).toBe(500);
    await until('the fault is logged', () => service.output.includes('"code":"P0001"'));
    await until('the request is logged', () => service.output.includes('request-canary-1'));
    await service.stop();

    const secrets = Object.values(
      JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>,
    );
    const welcome = service.output.indexOf('Waypost is ready');
    const lines = service.output.split('\n').filter((line) => line.startsWith('{'));
    expect(welcome).toBeGreaterThan(0);
    expect(lines.length).toBeGreaterThan(20);
    for (const canary of [workspace.key, 'BODY-CANARY', 'TOKEN-CANARY', ...CANARIES, ...secrets])
      expect(lines.filter((line) => line.includes(canary))).toEqual([]);
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number), name: 'up' });
  } finally {
    await service.stop();
    await sink.stop();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
