/**
 * Screenshots of a full run show the images of the message, which are fetched beforehand; measurements exclude
 * them. Tested over the network with a real Chromium.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32, deflateSync } from 'node:zlib';
import { InspectChecks } from '../../src/modules/inspect/application/inspect-checks.js';
import type { CheckResults } from '../../src/modules/inspect/application/inspect-results.js';
import { InspectRuns } from '../../src/modules/inspect/application/inspect-runs.js';
import { InspectWorkRepository } from '../../src/modules/inspect/persistence/inspect-work.repository.js';
import { PLANS } from '../../src/modules/limits/domain/plan.js';
import { Database } from '../../src/platform/database/database.js';
import { bootApp, type TestApp } from '../support/app.js';

const PATH = process.env['TEST_BROWSER_PATH'];
const describeWithBrowser = PATH ? describe : describe.skip;
const REQUEST = { channel: 'email', subject: null, preheader: null, contactId: null } as const;
/** Height of the image in CSS pixels, which determines the page's height. */
const TALL = 1_500;

function png(width: number, height: number): Buffer {
  const chunk = (name: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describeWithBrowser('with a browser', () => {
  let app: TestApp;
  let server: http.Server;
  let origin: string;
  let asked: string[] = [];

  beforeAll(async () => {
    server = http.createServer(({ url = '' }, response) => {
      asked.push(url);
      response.writeHead(url.startsWith('/missing') ? 404 : 200, { 'content-type': 'image/png' });
      response.end(png(300, TALL));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    app = await bootApp({ queues: [], env: { BROWSER_PATH: PATH ?? '', INSPECT_ALLOW_HOSTS: '127.0.0.1' } });
  });
  afterAll(async () => {
    await app.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  async function examined(html: string, mode: 'quick' | 'full'): Promise<CheckResults> {
    const workspace = await app.workspace();
    const scope = { workspaceId: workspace.id, environment: 'live' } as const;
    const template = { name: 'one', slug: 'one', subject: 'Hello', body_html: html };
    expect((await workspace.call('POST', '/v1/templates', template)).status).toBe(201);
    const config = { render_clients: ['gmail_web', 'outlook_windows'] };
    const asOwner = { authorization: `Bearer ${workspace.ownerToken}`, 'x-workspace-id': workspace.id };
    expect((await app.request('PUT', '/v1/inspect/config', config, asOwner)).status).toBe(200);
    const get = <T>(type: abstract new (...given: never[]) => T): T =>
      app.app.get<T>(type, { strict: false });
    await get(InspectRuns).request(
      scope,
      PLANS.growth,
      { ...REQUEST, mode, templateSlug: 'one' },
      'somebody',
    );
    const job = await get(Database).inScope(scope, (tx) =>
      get(InspectWorkRepository).claim(tx, scope, mode, app.clock.now(), []),
    );
    if (!job) throw new Error('There is no run to be made.');
    asked = [];
    return get(InspectChecks).run(scope, job, new AbortController().signal, () => Promise.resolve());
  }

  const page = (path: string): string =>
    `<!DOCTYPE html><html lang="en"><body style="margin:0"><p style="background:url(${origin}/dark.png);color:#fff">Hello</p><img src="${origin}${path}" alt=""></body></html>`;
  const rulesOf = ({ outcomes }: CheckResults): string[] =>
    outcomes
      .filter(({ name }) => name === 'rendering')
      .flatMap(({ findings }) =>
        findings.map(({ rule, at, clients }) => `${rule} ${JSON.stringify([at, clients])}`),
      );

  test('pictures show the images, and what is measured is measured without them', async () => {
    const shown = await examined(page('/tall.png?a=1&amp;b=2'), 'full');
    expect(asked.sort()).toEqual(['/dark.png', '/tall.png?a=1&b=2']);
    expect(shown.outcomes.map(({ name, status, detail }) => [name, status, detail])).toEqual(
      ['content', 'links', 'images', 'spam', 'rendering', 'screenshots'].map((name) => [name, 'done', null]),
    );
    // One program on both devices, the other on desktop only, each in light and dark mode.
    expect(shown.screenshots).toHaveLength(6);
    for (const { height } of shown.screenshots) expect(height).toBeGreaterThanOrEqual(TALL);

    const blocked = await examined(page('/missing.png?a=1&amp;b=2'), 'full');
    expect(blocked.screenshots).toHaveLength(6);
    for (const { height } of blocked.screenshots) expect(height).toBeLessThan(TALL);
    const bare = ({ screenshots, outcomes }: CheckResults): string[] =>
      rulesOf({ screenshots, outcomes }).filter((each) => each.startsWith('text_unreadable_without_images'));
    expect(bare(shown)).not.toEqual([]);
    expect(bare(shown)).toEqual(bare(blocked));
  });

  test('a quick run makes none', async () => {
    expect((await examined(page('/tall.png'), 'quick')).screenshots).toEqual([]);
  });
});
