/**
 * The local mailbox over real SMTP and HTTP: messages received over SMTP are served over HTTP, also after a restart.
 */
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { repetitions } from '../../../../test/support/test-scope.js';
import { ConfigError } from '../../config/config.js';
import { startMailbox, type Mailbox } from './mailbox.js';
import type { MessageSummary, FullMessage } from './mailbox-message.js';
import { MailboxStore } from './mailbox-store.js';

let dir: string;
let mailbox: Mailbox;

const start = (): Promise<Mailbox> => startMailbox({ dir, httpPort: 0, host: '127.0.0.1' });

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'waypost-mailbox-'));
  mailbox = await start();
});
afterEach(async () => {
  await mailbox.stop();
  rmSync(dir, { recursive: true, force: true });
});

async function send(...mails: SendMailOptions[]): Promise<void> {
  const transport = createTransport(mailbox.smtpUrl);
  for (const mail of mails) await transport.sendMail({ from: 'hello@acme.test', ...mail });
  transport.close();
}

async function get<T>(path: string): Promise<T> {
  return (await fetch(mailbox.httpUrl + path)).json() as Promise<T>;
}

const list = (query = ''): Promise<MessageSummary[]> => get(`/api/messages${query}`);
const subjects = async (query = ''): Promise<string[]> => (await list(query)).map(({ subject }) => subject);

describe('a message', () => {
  test('is listed, and opened whole', async () => {
    await send({
      from: { name: 'Åsa, of Acme', address: 'hello@acme.test' },
      to: 'u1@example.com',
      subject: 'Grüße 🎉',
      text: 'Plain words',
      html: '<p>Rich words</p>',
      headers: { 'X-Waypost-Environment': 'live' },
      attachments: [{ filename: 'report.csv', content: 'a,b' }],
    });
    const [summary] = await list();
    expect(summary).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      from: 'Åsa, of Acme <hello@acme.test>',
      to: 'u1@example.com',
      subject: 'Grüße 🎉',
      received_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      environment: 'live',
    });
    const whole = await get<FullMessage>(`/api/messages/${summary?.id ?? ''}`);
    expect(whole).toMatchObject({ ...summary, html: '<p>Rich words</p>', text: 'Plain words' });
    expect(whole.headers).toContainEqual({ name: 'Subject', value: 'Grüße 🎉' });
    expect(whole.attachments).toEqual([{ name: 'report.csv', type: 'text/csv', size: 3 }]);
    expect(whole.raw).toMatch(/^X-Waypost-Environment: live\r$/m);
  });

  test.each([
    ['live', 'live'],
    ['TEST', 'test'],
    ['staging', null],
    [undefined, null],
  ])('with X-Waypost-Environment %s is of environment %s', async (value, environment) => {
    await send({ to: 'a@b.c', ...(value ? { headers: { 'X-Waypost-Environment': value } } : {}) });
    expect((await list())[0]?.environment).toBe(environment);
  });

  test('without From and To shows its envelope', async () => {
    const transport = createTransport(mailbox.smtpUrl);
    await transport.sendMail({
      envelope: { from: 'bounce@acme.test', to: ['a@b.c', 'd@e.f'] },
      raw: 'Subject: folded\r\n over two lines\r\n\r\n..dots\r\n.\r\nend',
    });
    transport.close();
    const [summary] = await list();
    expect(summary).toMatchObject({
      from: 'bounce@acme.test',
      to: 'a@b.c, d@e.f',
      subject: 'folded over two lines',
    });
    expect((await get<FullMessage>(`/api/messages/${summary?.id ?? ''}`)).raw).toContain(
      '..dots\r\n.\r\nend',
    );
  });

  test('shows its HTML as a page without rights, its own pictures in place', async () => {
    await send({
      to: 'a@b.c',
      html: '<html><head></head><body><img src="cid:logo"><script>alert(1)</script></body></html>',
      attachments: [{ cid: 'logo', filename: 'l.png', content: Buffer.from('png') }],
    });
    const response = await fetch(`${mailbox.httpUrl}/api/messages/${(await list())[0]?.id ?? ''}/html`);
    expect(response.headers.get('content-security-policy')).toMatch(
      /^sandbox allow-popups .*default-src 'none'/,
    );
    expect(response.headers.get('content-security-policy')).not.toContain('allow-scripts');
    expect(await response.text()).toContain(
      '<head><base target="_blank"></head><body><img src="data:image/png;base64,',
    );
  });

  test('can be downloaded as it came', async () => {
    await send({ to: 'a@b.c', subject: 'raw' });
    const response = await fetch(`${mailbox.httpUrl}/api/messages/${(await list())[0]?.id ?? ''}/raw`);
    expect(response.headers.get('content-type')).toBe('message/rfc822');
    expect(await response.text()).toContain('Subject: raw\r\n');
  });
});

describe('the list', () => {
  test('is newest first, searched by words, and limited', async () => {
    await send(
      { to: 'ada@example.com', subject: 'Welcome' },
      { to: 'grace@example.com', subject: 'Invoice' },
      { to: 'ada@example.com', subject: 'Invoice again' },
    );
    expect(await subjects()).toEqual(['Invoice again', 'Invoice', 'Welcome']);
    expect(await subjects('?search=INVOICE')).toEqual(['Invoice again', 'Invoice']);
    expect(await subjects('?search=ada+invoice')).toEqual(['Invoice again']);
    expect(await subjects('?search=nothing')).toEqual([]);
    expect(await subjects('?limit=1')).toEqual(['Invoice again']);
    expect((await fetch(`${mailbox.httpUrl}/api/messages?limit=1`)).headers.get('x-total-count')).toBe('3');
    expect((await fetch(`${mailbox.httpUrl}/api/messages?limit=0`)).status).toBe(422);
  });

  test('is the same after a restart, and goes on', async () => {
    await send({ to: 'a@b.c', subject: 'one' }, { to: 'a@b.c', subject: 'two' });
    const before = await list();
    await mailbox.stop();
    mailbox = await start();
    expect(await list()).toEqual(before);
    expect((await get<FullMessage>(`/api/messages/${before[0]?.id ?? ''}`)).raw).toContain('Subject: two');
    await send({ to: 'a@b.c', subject: 'three' });
    expect(await subjects()).toEqual(['three', 'two', 'one']);
  });

  test('a line that a kill cut short is left out after a restart', async () => {
    await send({ to: 'a@b.c', subject: 'one' });
    await mailbox.stop();
    const index = readdirSync(dir).find((name) => name.endsWith('.index')) ?? '';
    appendFileSync(join(dir, index), '{"id":"x","subject":"cut sh');
    mailbox = await start();
    await send({ to: 'a@b.c', subject: 'two' });
    expect(await subjects()).toEqual(['two', 'one']);
  });

  test('one message is deleted, and all are, also for later', async () => {
    await send({ to: 'a@b.c', subject: 'one' }, { to: 'a@b.c', subject: 'two' });
    const path = `/api/messages/${(await list())[0]?.id ?? ''}`;
    const remove = async (at: string): Promise<number> =>
      (await fetch(mailbox.httpUrl + at, { method: 'DELETE' })).status;
    expect(await remove(path)).toBe(204);
    expect(await remove(path)).toBe(404);
    expect((await fetch(mailbox.httpUrl + path)).status).toBe(404);
    await mailbox.stop();
    mailbox = await start();
    expect(await subjects()).toEqual(['one']);
    expect(await remove('/api/messages')).toBe(204);
    expect(await list()).toEqual([]);
    await send({ to: 'a@b.c', subject: 'three' });
    await mailbox.stop();
    mailbox = await start();
    expect(await subjects()).toEqual(['three']);
  });

  test('keeps the newest only, and drops the files of the rest', async () => {
    const folder = join(dir, 'small');
    const options = { capacity: 5, segmentBytes: 100 };
    const store = new MailboxStore(folder, options);
    for (let i = 0; i < 40; i++)
      await store.add(
        { id: `m${i}`, from: '', to: '', subject: `s${i}`, received_at: '', environment: null },
        Buffer.alloc(30),
      );
    await store.close();
    const again = new MailboxStore(folder, options);
    expect(again.list('', 99).map(({ id }) => id)).toEqual(['m39', 'm38', 'm37', 'm36', 'm35']);
    await again.close();
    expect(readdirSync(folder).length).toBeLessThanOrEqual(6);
  });
});

describe('the servers', () => {
  test('serve the page under a policy that lets nothing from outside in', async () => {
    const response = await fetch(mailbox.httpUrl);
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'sha256-/,
    );
    const page = await response.text();
    expect(page).toContain('<title>Waypost mailbox</title>');
    expect(page.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:\/\//);
  });

  test('tell a page of new mail', async () => {
    const response = await fetch(`${mailbox.httpUrl}/api/changes`);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    await send({ to: 'a@b.c' });
    let received = '';
    while (!received.includes('event: change')) received += (await reader?.read())?.value ?? '';
    await reader?.cancel();
  });

  test('answer an unknown path with 404', async () => {
    const response = await fetch(`${mailbox.httpUrl}/nope`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ detail: 'Nothing found at GET /nope.', code: 'not_found' });
  });

  const statusFor = (url: string, host: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request(url, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .once('error', reject)
        .end();
    });

  test.each<[string, number]>([
    ['evil.example', 403],
    ['evil.example:1080', 403],
    ['127.0.0.1.evil.example', 403],
    ['localhost.evil.example', 403],
    ['localhost@evil.example', 403],
    ['localhost', 200],
    ['LocalHost:1080', 200],
    ['mail.localhost:1080', 200],
    ['127.0.0.1:1080', 200],
    ['[::1]:1080', 200],
  ])('answer to the host name %j, which a website could lend itself, with %d', async (host, status) => {
    expect(await statusFor(mailbox.httpUrl, host)).toBe(status);
  });

  test('beyond loopback refuse foreign names too, and answer to the one that is configured', async () => {
    await mailbox.stop();
    mailbox = await startMailbox({ dir, httpPort: 0, host: '0.0.0.0', names: ['Waypost.example'] });
    const url = mailbox.httpUrl.replace('0.0.0.0', '127.0.0.1');
    expect(await statusFor(url, 'evil.example')).toBe(403);
    expect(await statusFor(url, 'waypost.example:1080')).toBe(200);
    // Only this process sends here: the SMTP server keeps its host.
    expect(new URL(mailbox.smtpUrl).hostname).toBe('127.0.0.1');
  });

  test('refuse a message that is too large, and go on', async () => {
    const transport = createTransport({ ...smtpAddress(), ignoreTLS: true });
    const lines = `${'x'.repeat(998)}\r\n`.repeat(53_500);
    const huge = transport.sendMail({
      envelope: { from: 'a@b.c', to: 'd@e.f' },
      raw: `Subject: large\r\n\r\n${lines}`,
    });
    await expect(huge).rejects.toMatchObject({ responseCode: 552 });
    transport.close();
    await send({ to: 'a@b.c', subject: 'small' });
    expect(await subjects()).toEqual(['small']);
  });

  test.each(['nonsense.invalid', '203.0.113.7'])(
    '%s, no host of ours, is one line that names MAILBOX_HOST',
    async (host) => {
      const failing = startMailbox({
        dir: mkdtempSync(join(tmpdir(), 'waypost-mailbox-')),
        httpPort: 0,
        host,
      });
      await expect(failing).rejects.toThrow(/^MAILBOX_HOST "[^"]+" is not an address of this machine[^\n]*$/);
    },
  );

  test('a taken port of the page is one line that names MAILBOX_PORT', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const httpPort = (other.address() as AddressInfo).port;
    const second = startMailbox({ dir: join(dir, 'second'), httpPort, host: '127.0.0.1' });
    await expect(second).rejects.toBeInstanceOf(ConfigError);
    await expect(second).rejects.toThrow(/^MAILBOX_PORT "\d+": another program uses this port[^\n]*$/);
    await new Promise((resolve) => other.close(resolve));
  });

  test('take many mails at once over several connections', async () => {
    const count = repetitions({ short: 60, full: 300 });
    const transport = createTransport({ ...smtpAddress(), pool: true, maxConnections: 5, maxMessages: 1000 });
    await Promise.all(
      Array.from({ length: count }, (_, i) =>
        transport.sendMail({ from: 'a@b.c', to: `u${i}@example.com`, text: 'x'.repeat(27_000) }),
      ),
    );
    transport.close();
    const recipients = new Set((await list()).map(({ to }) => to));
    expect(recipients.size).toBe(count);
  });
});

function smtpAddress(): { host: string; port: number } {
  const { hostname, port } = new URL(mailbox.smtpUrl);
  return { host: hostname, port: Number(port) };
}
