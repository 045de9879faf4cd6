/**
 * A real Chromium renders hostile pages: it opens no connection and runs no script, and a crash affects no other
 * page.
 */
import { existsSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { makeLogger } from '../../src/platform/logging/logger.js';
import { Browser, BROWSER_SETTINGS } from '../../src/platform/browser/browser.js';
import { BrowserProcess } from '../../src/platform/browser/browser-process.js';
import { BrowserFault, PageFault, type PageSnapshot } from '../../src/platform/browser/page-order.js';
import type { SealedPage } from '../../src/platform/browser/sealed-page.js';

const PATH = process.env['TEST_BROWSER_PATH'];
const describeWithBrowser = PATH ? describe : describe.skip;
const logger = makeLogger('test', 'silent');
const PHONE = { width: 375, prefersDark: false };
const NO_IMAGES = new Map<string, never>();
/** Long timeouts, so that tests also pass on an overloaded machine. */
const PATIENT = { ...BROWSER_SETTINGS, maxRunMs: 600_000, maxActionMs: 300_000 };
const signal = (): AbortSignal => new AbortController().signal;

let connections = 0;
let server: Server;
let address: string;
let browser: Browser;

beforeAll(async () => {
  server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => new Promise((resolve) => server.close(resolve)));

function texts({ strings, documents }: PageSnapshot): string {
  return (documents[0]?.layout.text ?? []).map((index) => strings[index] ?? '').join(' ');
}

/** Kills the process behind a page, as a message that is too large for it would. */
async function crash(page: SealedPage): Promise<void> {
  await page['devtools'].send('Page.crash');
}

describeWithBrowser('a browser', () => {
  beforeAll(() => {
    browser = new Browser(PATH, logger, PATIENT);
  });
  afterAll(async () => {
    await browser.close();
  });
  const shown = (html: string, owner = 'one'): Promise<string> =>
    browser.run(owner, signal(), async (page) => {
      await page.show(html, PHONE, NO_IMAGES);
      return texts(await page.snapshot([]));
    });

  test.each([
    ['an image', '<img src="http://A/a.png"><img srcset="http://A/b.png 2x">'],
    [
      'a name and a connection ahead',
      '<link rel=dns-prefetch href="//A"><link rel=preconnect href="http://A/">',
    ],
    [
      'what is fetched ahead',
      '<link rel=prefetch href="http://A/"><link rel=preload as=image href="http://A/">',
    ],
    [
      'a page ahead',
      '<link rel=prerender href="http://A/"><script type=speculationrules>{"prefetch":[{"urls":["http://A/"]}]}</script>',
    ],
    ['styles', '<link rel=stylesheet href="http://A/a.css"><style>@import "http://A/b.css";</style>'],
    ['a font', '<style>@font-face{font-family:X;src:url(http://A/x.woff)}p{font-family:X}</style>'],
    [
      'images of styles',
      '<style>p{background:url(http://A/a.png);list-style:url(http://A/b.png);cursor:url(http://A/c.cur),auto}</style>',
    ],
    [
      'a frame',
      '<iframe src="http://A/"></iframe><iframe srcdoc="<img src=http://A/>"></iframe><frameset><frame src="http://A/"></frameset>',
    ],
    ['an object', '<object data="http://A/"></object><embed src="http://A/">'],
    [
      'a film',
      '<video src="http://A/" poster="http://A/p.png" autoplay></video><audio src="http://A/" autoplay></audio>',
    ],
    ['a drawing', '<svg><image href="http://A/a.png"/><use href="http://A/b.svg#x"/></svg>'],
    ['another page', '<meta http-equiv=refresh content="0;url=http://A/">'],
    ['another page by name', '<meta http-equiv=refresh content="0;url=file:///etc/passwd">'],
    ['a form', '<form action="http://A/"><input autofocus name=x><button>x</button></form>'],
    ['a ping', '<a href="http://A/" ping="http://A/ping">x</a>'],
    [
      'a manifest and an icon',
      '<link rel=manifest href="http://A/m.json"><link rel=icon href="http://A/i.ico">',
    ],
    [
      'a script',
      '<script src="http://A/a.js"></script><script>fetch("http://A/");new WebSocket("ws://A/");navigator.serviceWorker?.register("http://A/")</script>',
    ],
    ['a script of an image', '<img src=x onerror="fetch(\'http://A/\')"><svg onload="fetch(\'http://A/\')">'],
    [
      'a call',
      '<script>new RTCPeerConnection({iceServers:[{urls:"stun:A"}]}).createDataChannel("x")</script>',
    ],
  ])('connects to nobody for %s', async (_, html) => {
    const page = `<p>Hello</p>${html.replaceAll('A', address)}`;
    expect(await shown(page)).toContain('Hello');
    expect(connections).toBe(0);
  });

  test('the listener counts: it is there to be connected to', async () => {
    await new Promise((resolve) => connect(Number(address.split(':')[1]), '127.0.0.1').on('close', resolve));
    expect(connections).toBe(1);
    connections = 0;
  });

  test('runs no scripts, and shows the images that it is given', async () => {
    const url = 'https://images.example/a.svg';
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30"/>');
    const images = new Map([[url, { mediaType: 'image/svg+xml', bytes: svg }]]);
    const html = `<p>Hello</p><img src="${url}"><script>document.body.textContent = 'changed'</script><noscript>none</noscript>`;
    const snapshot = await browser.run('one', signal(), async (page) => {
      await page.show(html, PHONE, images);
      return page.snapshot([]);
    });
    expect(texts(snapshot)).toContain('Hello');
    expect(texts(snapshot)).toContain('none');
    const bounds = snapshot.documents[0]?.layout.bounds ?? [];
    expect(bounds.some(([, , width, height]) => width === 60 && height === 30)).toBe(true);
  });

  test('makes pictures of JPEG, of the width asked for and no taller than they may be', async () => {
    const html = '<body style="margin:0"><div style="height:9000px;background:#c00">x</div>';
    const [short, tall] = await browser.run('one', signal(), async (page) => {
      await page.show(html, PHONE, NO_IMAGES);
      return [await page.screenshot(50), await page.screenshot(9_000)];
    });
    expect(short).toMatchObject({ width: 375, height: 50, mediaType: 'image/jpeg', cut: false });
    expect(tall).toMatchObject({ height: 2_500, cut: true });
    expect(Buffer.from(short?.image ?? []).toString('hex', 0, 3)).toBe('ffd8ff');
  });

  test('tells a page that it is dark', async () => {
    const html =
      '<style>b{display:none}@media (prefers-color-scheme:dark){b{display:inline}}</style><p>day</p><b>night</b>';
    const seen = await browser.run('one', signal(), async (page) => {
      await page.show(html, PHONE, NO_IMAGES);
      const light = texts(await page.snapshot([]));
      await page.setView({ ...PHONE, prefersDark: true });
      return [light.includes('night'), texts(await page.snapshot([])).includes('night')];
    });
    expect(seen).toEqual([false, true]);
  });

  test('one owner’s runs come one after the other, another’s beside them', async () => {
    let [now, most] = [0, 0];
    let meet: () => void = () => undefined;
    const haveMet = new Promise<void>((resolve) => (meet = resolve));
    const owners = new Set<string>();
    const run = (owner: string): Promise<void> =>
      browser.run(owner, signal(), async (page) => {
        expect(owners).not.toContain(owner);
        owners.add(owner);
        most = Math.max(most, ++now);
        if (now === 2) meet();
        await page.show('<p>Hello</p>', PHONE, NO_IMAGES);
        await haveMet;
        now--;
        owners.delete(owner);
      });
    await Promise.all(['a', 'a', 'a', 'b', 'c'].map(run));
    expect(most).toBe(2);
  });

  test('a run may open one page beside its first, which shows what it is given and closes with it', async () => {
    const seen = await browser.run('one', signal(), async (first, open) => {
      const second = await open();
      await Promise.all([
        first.show('<p>Left</p>', PHONE, NO_IMAGES),
        second.show('<p>Right</p>', PHONE, NO_IMAGES),
      ]);
      await expect(open()).rejects.toThrow(RangeError);
      return [texts(await first.snapshot([])), texts(await second.snapshot([]))];
    });
    expect(seen).toEqual([expect.stringContaining('Left'), expect.stringContaining('Right')]);
  });

  test('a page that dies fails its own run alone, and the next one works', async () => {
    let started: () => void = () => undefined;
    const isOpen = new Promise<void>((resolve) => (started = resolve));
    let crashed: () => void = () => undefined;
    const isCrashed = new Promise<void>((resolve) => (crashed = resolve));
    const bystander = browser.run('good', signal(), async (page) => {
      await page.show('<p>Hello</p>', PHONE, NO_IMAGES);
      started();
      await isCrashed;
      return texts(await page.snapshot([]));
    });
    await isOpen;
    await expect(browser.run('bad', signal(), (page) => crash(page))).rejects.toThrow(PageFault);
    crashed();
    expect(await bystander).toContain('Hello');
    expect(await shown('<p>Again</p>', 'bad')).toContain('Again');
  });

  test('a run that is given up ends at once', async () => {
    const given = new AbortController();
    const never = browser.run('one', given.signal, async () => {
      given.abort(new Error('given up'));
      return new Promise<void>(() => undefined);
    });
    await expect(never).rejects.toThrow('given up');
    expect(await shown('<p>Again</p>')).toContain('Again');
  });

  test('a run that takes too long is ended', async () => {
    const hasty = new Browser(PATH, logger, { ...BROWSER_SETTINGS, maxRunMs: 50 });
    await expect(hasty.run('one', signal(), () => new Promise<void>(() => undefined))).rejects.toThrow(
      PageFault,
    );
    await hasty.close();
  });

  test('a browser that takes too much memory is ended, and started again', async () => {
    const small = new Browser(PATH, logger, { ...PATIENT, maxMemoryBytes: 1 });
    const work = async (page: SealedPage): Promise<void> => {
      await page.show('<p>Hello</p>', PHONE, NO_IMAGES);
      await new Promise<void>(() => undefined);
    };
    await expect(small.run('one', signal(), work)).rejects.toThrow(BrowserFault);
    await expect(small.run('one', signal(), work)).rejects.toThrow(BrowserFault);
    await small.close();
  });

  test('its folder goes with it', async () => {
    const started = await BrowserProcess.start(PATH ?? '');
    const folder = started.chromium.process()?.spawnargs.find((arg) => arg.startsWith('--user-data-dir='));
    const place = folder?.slice('--user-data-dir='.length) ?? '';
    expect(existsSync(place)).toBe(true);
    await started.end();
    expect(existsSync(place)).toBe(false);
  });
});

test('without a program there is no browser', async () => {
  const none = new Browser(undefined, logger);
  expect(none.isConfigured).toBe(false);
  await expect(none.run('one', signal(), async () => undefined)).rejects.toThrow(BrowserFault);
  const missing = new Browser('/nowhere/chromium', logger);
  await expect(missing.run('one', signal(), async () => undefined)).rejects.toThrow(BrowserFault);
  await missing.close();
});
