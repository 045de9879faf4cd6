/** Opens and clicks of a workspace's own mail: from the setting to the statistics, over GraphQL, SMTP and HTTP. */
import pg from 'pg';
import type { Email } from 'postal-mime';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { MailSink } from '../support/mail-sink.js';
import { until } from '../support/until.js';

const PERSON = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0' };
const TARGET = 'https://shop.test/größe?a=1&b=2#part';
const BODY = `<html><head><style>a{color:red}</style></head><body><p>Hi</p><a href="${TARGET.replaceAll('&', '&amp;')}">Shop</a>
<a href="http://other.test/">Other</a><a href="mailto:x@shop.test">Mail</a><a href="#part">Part</a>
<a data-tracking="off" href="https://shop.test/reset">Reset</a></body></html>`;

let app: TestApp;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await bootApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  workspace = await app.workspace();
  await workspace.call('POST', '/v1/templates', {
    name: 'News',
    slug: 'news',
    subject: 'News',
    body_html: BODY,
  });
  for (const type of ['promotional', 'transactional']) {
    const { body } = await workspace.call('POST', '/v1/flows', {
      name: type,
      trigger_event: type,
      content_type: type,
      steps: [{ type: 'send_email', template_slug: 'news' }],
      settings: { reentry_policy: 'always' },
    });
    await workspace.call('POST', `/v1/flows/${body.id}/activate`);
  }
});

let people = 0;

async function sent(kind: 'promotional' | 'transactional' = 'promotional') {
  const address = `reader${++people}@x.test`;
  const event = { external_id: address, event_name: kind, contact: { email: address } };
  expect((await workspace.call('POST', '/v1/events', event)).status).toBe(202);
  await until('the message has arrived', () => app.sink.to(address).length === 1);
  const mail = app.sink.to(address)[0]!;
  const email: Email = await MailSink.parse(mail);
  const html = email.html ?? '';
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'));
  const [, pixel] = /<img src="([^"]*)"/.exec(html) ?? [];
  return { id: mail.messageId.slice(1).split('@')[0]!, html, text: email.text ?? '', links, pixel };
}

async function track(tracking: object | null): Promise<void> {
  const { body } = await workspace.graphql(
    'mutation ($input: WorkspaceSettingsInput!) { updateWorkspaceSettings(input: $input) { settings { tracking { opens clicks transactional } } } }',
    { input: { tracking } },
  );
  expect(body.data.updateWorkspaceSettings.settings.tracking).toEqual(
    tracking ?? { opens: false, clicks: false, transactional: false },
  );
}

/** Opens one of the service's links; `address` contains the service's own URL. */
function visit(address: string, headers: Record<string, string> = PERSON, method = 'GET'): Promise<Answer> {
  const { pathname, search } = new URL(address);
  return app.request(method, pathname + search, undefined, headers);
}

const FIGURES = 'opens machineOpens clicks machineClicks';
async function untilCounted(id: string, figures: object): Promise<void> {
  let last: unknown;
  await until(
    'what was heard is counted',
    async () => {
      const { body } = await workspace.graphql(`query ($id: ID!) { emailLog(id: $id) { ${FIGURES} } }`, {
        id,
      });
      last = body.data.emailLog;
      return JSON.stringify(last) === JSON.stringify(figures);
    },
    () => last,
  );
}

test('nothing is tracked unless it is set', async () => {
  const { html, links } = await sent();
  expect(html).not.toContain('/t/');
  expect(links.slice(0, 2)).toEqual([TARGET, 'http://other.test/']);
  const { body } = await workspace.graphql(
    '{ workspace { settings { tracking { opens clicks transactional } } } }',
  );
  expect(body.data.workspace.settings.tracking).toEqual({
    opens: false,
    clicks: false,
    transactional: false,
  });
});

test('rates are of what was tracked, before and after it is switched off', async () => {
  const rates = async (): Promise<any> => {
    const config = { metrics: ['sent', 'open_rate', 'click_rate'] };
    return (await workspace.call('POST', '/v1/reports/query', { config })).body;
  };
  await track({ opens: true, clicks: false, transactional: false });
  const { id, pixel } = await sent();
  await sent('transactional');
  await visit(pixel!);
  await untilCounted(id, { opens: 1, machineOpens: 0, clicks: 0, machineClicks: 0 });
  await track({ opens: false, clicks: true, transactional: true });
  await sent();
  await until('all three are sent', async () => (await rates()).totals.sent === 3);
  const { totals, measured } = await rates();
  expect(totals).toEqual({ sent: 3, open_rate: 100, click_rate: 0 });
  expect(measured.totals).toEqual({
    open_rate: { measured: 1, of: 3 },
    click_rate: { measured: 1, of: 3 },
  });
});

test('links of the web lead through us and to where they led; all others stay, and so does the text', async () => {
  await track({ opens: true, clicks: true, transactional: false });
  const { html, links, text, id, pixel } = await sent();
  const [shop = '', other = '', mailto, part, reset, footer] = links;
  expect([mailto, part, reset]).toEqual(['mailto:x@shop.test', '#part', 'https://shop.test/reset']);
  expect(footer).toContain('/v1/public/unsubscribe?token=');
  for (const link of [shop, other]) expect(link).toMatch(/^http:\/\/[^/]+\/t\/c\?t=[\w-]+$/);
  expect(text).toContain('shop.test/gr');
  expect(text).not.toContain('/t/c');
  expect(html).toMatch(
    /<a href="[^"]*unsubscribe[^]*<img src="[^"]*\/t\/o\?t=[\w-]+" width="1" height="1" alt=""[^>]*><\/body>/,
  );

  const answer = await visit(shop);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, new URL(TARGET).href]);
  expect(answer.headers.get('cache-control')).toContain('no-store');
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  expect((await visit(other)).headers.get('location')).toBe('http://other.test/');
  const image = await visit(pixel!);
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/gif']);
  await untilCounted(id, { opens: 1, machineOpens: 0, clicks: 2, machineClicks: 0 });
});

test('scanners, previews and prefetching are told apart; who wants not to be noted is not', async () => {
  await track({ opens: true, clicks: true, transactional: false });
  const { links, pixel, id } = await sent();
  const [shop = '', other = ''] = links;
  for (const headers of [
    { ...PERSON, dnt: '1' },
    { ...PERSON, 'sec-gpc': '1' },
  ])
    expect((await visit(shop, headers)).status).toBe(302);
  expect((await visit(shop, PERSON, 'HEAD')).status).toBe(302);
  expect((await visit(other, { ...PERSON, 'sec-purpose': 'prefetch;prerender' })).status).toBe(302);
  expect((await visit(pixel!, { 'user-agent': 'Mozilla/5.0' })).status).toBe(200);
  await untilCounted(id, { opens: 0, machineOpens: 1, clicks: 0, machineClicks: 2 });
  // The recipient, after the link scanner.
  expect((await visit(shop)).status).toBe(302);
  await untilCounted(id, { opens: 0, machineOpens: 1, clicks: 1, machineClicks: 2 });
});

test('a flood of visits of the same link adds next to nothing', async () => {
  await track({ opens: true, clicks: true, transactional: false });
  const { links, id } = await sent();
  const before = Date.now();
  for (let n = 0; n < 50; n++) expect((await visit(links[0]!)).status).toBe(302);
  const most = 2 + Math.floor((Date.now() - before) / 10_000);
  const clicks = async (): Promise<number> =>
    (await workspace.graphql('query ($id: ID!) { emailLog(id: $id) { clicks } }', { id })).body.data.emailLog
      .clicks;
  await until('they are counted', async () => (await clicks()) > 0);
  expect(await clicks()).toBeLessThanOrEqual(most);
});

test('of a message whose links are called up for ever no more than so many visits an hour are kept', async () => {
  const links = Array.from({ length: 210 }, (_, n) => `<a href="https://shop.test/${n}">${n}</a>`).join('\n');
  const saved = await workspace.call('PUT', '/v1/templates/news', { body_html: `<p>Hi</p>${links}` });
  expect(saved.status).toBe(200);
  await track({ opens: false, clicks: true, transactional: false });
  const mail = await sent();
  for (const link of mail.links.slice(0, 210)) expect((await visit(link)).status).toBe(302);
  const admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
  const kept = await admin.query('SELECT FROM feedback WHERE email_log_id = $1', [mail.id]);
  await admin.end();
  expect(kept.rowCount).toBe(200);
});

test('a link that was changed leads nowhere and tells nothing; an image’s token is no link’s', async () => {
  await track({ opens: true, clicks: true, transactional: false });
  const { links, pixel } = await sent();
  const [shop = ''] = links;
  const token = new URL(shop).searchParams.get('t')!;
  const bytes = Buffer.from(token, 'base64url');
  const changed = [0, 5, 20, bytes.length - 20, bytes.length - 1].map((at) => {
    const copy = Buffer.from(bytes);
    copy[at]! ^= 1;
    return copy.toString('base64url');
  });
  const swapped = Buffer.from(token, 'base64url').toString('latin1').replace('shop.test', 'evil.test');
  const bad = [...changed, Buffer.from(swapped, 'latin1').toString('base64url'), token.slice(0, -4), 'x', ''];
  bad.push(new URL(pixel!).searchParams.get('t')!);
  for (const one of bad) {
    const answer = await app.request('GET', `/t/c?t=${one}`, undefined, { 'accept-language': 'de' });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('location')).toBeNull();
    expect(answer.body).toContain('<html lang="de">');
    expect(String(answer.body)).not.toMatch(/shop\.test|evil\.test/);
  }
  for (const path of [
    `/t/o?t=${token}`,
    '/t/o?t=x',
    '/t/o',
    '/t/c',
    '/t/c?t=a&t=b',
    '/t/c?u=https://evil.test',
  ])
    expect((await app.request('GET', path)).status).toBe(404);
  expect((await app.request('POST', `/t/c?t=${token}`, {})).status).toBe(405);
});

test('transactional mail is tracked where that is set, and what is set is taken away by null', async () => {
  await track({ opens: false, clicks: true, transactional: false });
  expect((await sent('transactional')).html).not.toContain('/t/');
  await track({ opens: false, clicks: true, transactional: true });
  const { html, links, pixel } = await sent('transactional');
  expect([links[0]!.includes('/t/c?t='), pixel]).toEqual([true, undefined]);
  expect(html).not.toContain('/t/o');
  await track(null);
  expect((await sent()).html).not.toContain('/t/');
});

test('preflight tells the size that is sent: with tracked links, the footer and the pixel', async () => {
  const links = Array.from(
    { length: 450 },
    (_, n) => `<p><a href="https://shop.test/product/${n}?size=${'l'.repeat(60)}">${n}</a></p>`,
  );
  const body_html = `<html><body>{{ contact.email }}${links.join('')}</body></html>`;
  expect(Buffer.byteLength(body_html)).toBeLessThan(60_000);
  expect((await workspace.call('PUT', '/v1/templates/news', { body_html })).status).toBe(200);
  const warnings = async (): Promise<string[]> => {
    const { body } = await workspace.call('POST', '/v1/templates/news/preflight', {});
    const clipped = body.warnings.filter(({ code }: { code: string }) => code === 'HT009');
    return clipped.map(({ message }: { message: string }) => message);
  };
  await track(null);
  expect(await warnings()).toEqual([]);
  await track({ opens: true, clicks: true, transactional: false });
  const [message = ''] = await warnings();
  expect(message).toMatch(/ KB when sent with tracked links, footer and tracking pixel; /);
  const { html } = await sent();
  const reportedBytes = Number(/has ([\d.]+) KB/.exec(message)?.[1]) * 1024;
  const isSent = Buffer.byteLength(html);
  // The unsubscribe link's address and the footer's language are those of the recipient.
  expect(isSent).toBeGreaterThan(102 * 1024);
  expect([reportedBytes >= isSent, reportedBytes - isSent < 500]).toEqual([true, true]);
});
