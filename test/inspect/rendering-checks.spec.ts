/** Renders messages for all mail programs with a real Chromium: the findings, their positions, and the pictures. */
import { RenderingChecks } from '../../src/modules/inspect/application/rendering-checks.js';
import {
  RENDER_CLIENTS,
  type RenderClient,
} from '../../src/modules/inspect/domain/rendering/render-client.js';
import type { RuleFinding } from '../../src/modules/inspect/domain/findings/finding.js';
import { Browser, BROWSER_SETTINGS } from '../../src/platform/browser/browser.js';
import { makeLogger } from '../../src/platform/logging/logger.js';
import { Metrics } from '../../src/platform/telemetry/metrics.js';
import { Threads } from '../../src/platform/threads/threads.js';
import { THREAD_ENTRY } from '../../src/processes/thread-entry.js';

const PATH = process.env['TEST_BROWSER_PATH'];
const describeWithBrowser = PATH ? describe : describe.skip;
const logger = makeLogger('test', 'silent');
const SCOPE = { workspaceId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea' };

let threads: Threads;
let browser: Browser;
let checks: RenderingChecks;

beforeAll(() => {
  threads = new Threads(THREAD_ENTRY, new Metrics(), logger);
  // Long timeouts, so that tests also pass on an overloaded machine.
  browser = new Browser(PATH, logger, { ...BROWSER_SETTINGS, maxRunMs: 600_000, maxActionMs: 300_000 });
  checks = new RenderingChecks(threads, browser, logger);
});
afterAll(async () => {
  await browser.close();
  await threads.close();
});

/** Renders a body without expressions. */
async function rendered(html: string, clients: readonly RenderClient[] = RENDER_CLIENTS, by = checks) {
  const pieces = [{ rendered: 0, source: 0, isText: true }];
  const message = { subject: 'Hi', html, text: '' };
  return by.check(SCOPE, { message, pieces, bodyHtml: html }, clients, new AbortController().signal);
}

function findingTexts(findings: readonly RuleFinding[], html: string): string[] {
  return findings.map(({ rule, at, until, clients }) => {
    const where = typeof at === 'number' ? html.slice(at, until) : '';
    return [rule, where, (clients ?? ['all']).join(' ')].filter((part) => part !== '').join(' | ');
  });
}

test('without a browser it says what each program drops, and that there are no pictures', async () => {
  const blind = new RenderingChecks(threads, new Browser(undefined, logger), logger);
  const html = '<div style="display:flex">Hi</div>';
  const { outcomes, screenshots } = await rendered(html, RENDER_CLIENTS, blind);
  expect(
    outcomes.map(({ name, status, detail }) => [name, status, detail?.includes('BROWSER_PATH')]),
  ).toEqual([
    ['rendering', 'done', true],
    ['screenshots', 'skipped', true],
  ]);
  expect(findingTexts(outcomes[0]?.findings ?? [], html)).toEqual([
    `layout_lost | ${html} | outlook_windows`,
  ]);
  expect(screenshots).toEqual([]);
});

test('without a program there is nothing to be rendered', async () => {
  const { outcomes, screenshots } = await rendered('<p>Hello</p>', []);
  expect(outcomes.map(({ status, detail }) => [status, detail])).toEqual([
    ['skipped', 'No mail programs are configured.'],
    ['skipped', 'No mail programs are configured.'],
  ]);
  expect(screenshots).toEqual([]);
});

test('what is too much is said to be too much', async () => {
  const { outcomes } = await rendered('<p>'.repeat(30_000));
  expect(outcomes.map(({ status }) => status)).toEqual(['failed', 'failed']);
});

const EMAILS = new Map([
  [
    'button',
    `<!DOCTYPE html><html><head><meta name="color-scheme" content="light dark"><style>@media (prefers-color-scheme:dark){.card{background:#1b1b1b!important;color:#eee!important}}@media (max-width:500px){.two{display:block!important;width:100%!important}}</style></head><body style="margin:0;background:#f2f4f8"><div style="display:none;max-height:0">Preheader of the message</div><table role="presentation" width="100%"><tr><td align="center"><table role="presentation" class="card" style="max-width:600px;width:100%;background:#ffffff;color:#1d2433;border-radius:12px;font-family:Arial,sans-serif"><tr><td style="padding:32px"><h1 style="margin:0 0 12px;font-size:26px">Welcome, Ada</h1><p style="font-size:16px;line-height:24px">Your account is ready. Confirm your address, and you can begin.</p><a href="https://example.com" style="display:inline-block;padding:14px 28px;background:#0b5fff;color:#ffffff;border-radius:8px;text-decoration:none">Confirm address</a><p style="font-size:13px;color:#5b6472">Questions? Answer this message.</p></td></tr></table></td></tr></table></body></html>`,
  ],
  [
    'columns',
    `<!DOCTYPE html><html><body style="margin:0;font-family:Georgia,serif;background:#fff8ee"><div style="display:flex;gap:16px;padding:16px"><div style="flex:1;background:#7a1f3d;color:#fff;padding:20px;border-radius:10px"><h2>Autumn</h2><p>Three new coats.</p></div><div style="flex:1;background-image:linear-gradient(#234,#456);color:#fff;padding:20px"><h2>Winter</h2><p>Scarves and hats.</p></div></div><!--[if mso]><p style="padding:16px">Outlook sees this.</p><![endif]--><p style="padding:16px;color:#333">Until Sunday only.</p></body></html>`,
  ],
  [
    'receipt',
    `<!DOCTYPE html><html><body style="margin:0;background:#ffffff;color:#222;font-family:Helvetica,Arial,sans-serif"><table width="640" cellpadding="8" style="margin:auto"><tr><td colspan="2"><h2>Receipt 1042</h2></td></tr>${['Tea', 'Cups', 'Kettle'].map((item, index) => `<tr style="background:${index % 2 ? '#fff' : '#f4f4f4'}"><td>${item}</td><td align="right">${index + 4}.00 €</td></tr>`).join('')}<tr><td style="font-size:10px;color:#bbbbbb" colspan="2">All prices with tax. <a href="https://example.com/terms">Terms</a></td></tr></table></body></html>`,
  ],
]);

/** The programs that run on phones. */
const ON_PHONES = 'gmail_web gmail_app outlook_com apple_mail yahoo samsung_mail';

describeWithBrowser('with a browser', () => {
  test.each([...EMAILS])('the same is found of the email with a %s each time', async (_name, html) => {
    const [first, second] = [await rendered(html), await rendered(html)];
    expect(second.outcomes).toEqual(first.outcomes);
  });

  test.each<[string, string, readonly string[]]>([
    ['nothing', '<p style="font-size:16px">Hello, all is well here.</p>', []],
    [
      'what is too wide for a phone',
      '<table width="600"><tr><td>Hello</td></tr></table>',
      [`too_wide_for_phone | <table width="600"><tr><td>Hello</td></tr></table> | ${ON_PHONES}`],
    ],
    [
      'the element that is too wide within one that it stretches',
      '<table width="100%"><tr><td><table width="560"><tr><td><p>Hello</p></td></tr></table></td></tr></table>',
      [`too_wide_for_phone | <table width="560"><tr><td><p>Hello</p></td></tr></table> | ${ON_PHONES}`],
    ],
    [
      'what a sheet makes too wide within a table that adapts',
      '<style>.w{width:560px}</style><table width="100%"><tr><td><table class="w"><tr><td><p>Hello</p></td></tr></table></td></tr></table>',
      // Gmail ignores style sheets in the body.
      [
        'styles_lost | <style>.w{width:560px}</style> | gmail_web gmail_app',
        'too_wide_for_phone | <table class="w"><tr><td><p>Hello</p></td></tr></table> | outlook_com apple_mail yahoo samsung_mail',
      ],
    ],
    [
      'a page that is very long on a phone, with its true height',
      '<div style="height:9000px">Hello</div>',
      expect.arrayContaining([expect.stringMatching(/^page_too_long \| /)]),
    ],
    [
      'text that nobody can read',
      '<p style="color:#eee;background:#fff">Hello</p>',
      [
        'text_unreadable | <p style="color:#eee;background:#fff">Hello</p> | all',
        'dark_text_unreadable | <p style="color:#eee;background:#fff">Hello</p> | outlook_windows',
      ],
    ],
    [
      'text of which the background is lost in one program',
      '<div style="background:linear-gradient(#000,#111);color:#fff">Hello</div>',
      [
        'background_image_lost | <div style="background:linear-gradient(#000,#111);color:#fff">Hello</div> | outlook_windows outlook_com yahoo',
        'text_unreadable | <div style="background:linear-gradient(#000,#111);color:#fff">Hello</div> | outlook_windows outlook_com yahoo',
        'dark_text_unreadable | <div style="background:linear-gradient(#000,#111);color:#fff">Hello</div> | outlook_windows',
      ],
    ],
    [
      'text upon an image alone',
      '<p style="background:url(https://x.example/dark.png);color:#fff">Hello</p>',
      expect.arrayContaining([
        expect.stringMatching(/^text_unreadable_without_images \| <p .*Hello<\/p> \| gmail_web/),
      ]),
    ],
    [
      'text that is cut off',
      '<div style="height:20px;overflow:hidden"><p>Hello</p><p>World</p></div>',
      expect.arrayContaining([expect.stringMatching(/^text_cut_off \| <div/)]),
    ],
    [
      'a link of nothing but an image',
      '<p>Hello</p><a href="https://x.example/"><img src="https://x.example/a.png" width="200" height="50"></a>',
      expect.arrayContaining([expect.stringMatching(/^link_shows_nothing \| <a .*<\/a> \| all/)]),
    ],
    [
      'a small link that stands alone, and small text',
      '<p>Hello</p><p style="font-size:10px"><a href="https://x.example/">here</a></p>',
      expect.arrayContaining([
        expect.stringMatching(/^tap_target_small \| <a/),
        expect.stringMatching(/^text_small_as_shown \| <a/),
      ]),
    ],
    [
      'text that the dark makes unreadable',
      '<p style="color:#222">Hello</p><div style="background:#d0d0d0"><p style="color:#888888">Grey</p></div>',
      expect.arrayContaining([expect.stringMatching(/^text_unreadable \| <p style="color:#888888">/)]),
    ],
  ])('finds %s', async (_, html, findings) => {
    const page = `<!DOCTYPE html><body style="margin:0">${html}</body>`;
    const { outcomes } = await rendered(page);
    expect(outcomes.map(({ status }) => status)).toEqual(['done', 'done']);
    expect(outcomes[0]?.detail).toBeNull();
    expect(findingTexts(outcomes[0]?.findings ?? [], page)).toEqual(findings);
  });

  test('pictures are made of every program, light and dark, on what it runs on, of a large email too', async () => {
    const card =
      '<tr><td style="padding:12px;color:#333;font-family:Arial"><h2>Offer</h2><p>Some words of it.</p></td></tr>';
    const rows = card.repeat(Math.ceil(100_000 / card.length));
    const html = `<!DOCTYPE html><html><head><style>@media (prefers-color-scheme:dark){h2{color:#fff}}h2{color:#036}</style></head><body style="margin:0"><table style="width:100%;background:#fff">${rows}</table></body></html>`;
    const { outcomes, screenshots } = await rendered(html);
    expect(outcomes.map(({ status }) => status)).toEqual(['done', 'done']);
    const devicesOf = (client: RenderClient): readonly string[] =>
      ({
        outlook_windows: ['desktop'],
        thunderbird: ['desktop'],
        gmail_app: ['phone'],
        samsung_mail: ['phone'],
      })[client as string] ?? ['desktop', 'phone'];
    expect(screenshots.map(({ client, scheme, device }) => `${client} ${scheme} ${device}`)).toEqual(
      RENDER_CLIENTS.flatMap((client) =>
        ['light', 'dark'].flatMap((scheme) =>
          devicesOf(client).map((device) => `${client} ${scheme} ${device}`),
        ),
      ),
    );
    expect(outcomes[1]?.detail).toBe(
      '24 of 24 screenshots are cut at 2,500 pixels because the message is longer.',
    );
    for (const { image, height, width, device } of screenshots) {
      expect(image.length).toBeLessThanOrEqual(400 * 1024);
      expect(height).toBeLessThanOrEqual(2_500);
      expect(width).toBe(device === 'phone' ? 375 : 800);
    }
  });
});
