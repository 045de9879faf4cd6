import { isMachineMade, type TrackedRequest } from './machine-made.js';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';
const GMAIL = 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';
const OUTLOOK = 'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0; Pro)';
const HOUR = 3_600_000;

test.each<[string, Partial<TrackedRequest>, boolean]>([
  ['a person opens', { userAgent: CHROME }, false],
  ['a person opens on a telephone', { userAgent: IPHONE }, false],
  ['a person opens in Outlook', { userAgent: OUTLOOK }, false],
  ['nobody told what opened it', { userAgent: null }, false],
  ['nobody told, at once', { userAgent: null, sinceSent: 0 }, false],
  ['Apple’s privacy protection', { userAgent: 'Mozilla/5.0' }, true],
  ['Gmail as it is read', { userAgent: GMAIL }, false],
  ['Gmail ahead of that', { userAgent: GMAIL, sinceSent: 4_000 }, true],
  ['Gmail within ten seconds', { userAgent: GMAIL, sinceSent: 9_999 }, true],
  ['Gmail after ten seconds', { userAgent: GMAIL, sinceSent: 10_000 }, false],
  ['Gmail clicked at once', { userAgent: GMAIL, sinceSent: 0, kind: 'clicked' }, false],
  ['Yahoo as it is read', { userAgent: 'YahooMailProxy; https://help.yahoo.com/' }, false],
  ['Yahoo ahead of that', { userAgent: 'YahooMailProxy; https://help.yahoo.com/', sinceSent: 4_000 }, true],
  ['a person who is quick', { userAgent: CHROME, sinceSent: 900 }, false],
  ['Gmail, nobody knows when', { userAgent: GMAIL, sinceSent: null }, false],
  ['a link preview', { userAgent: 'Mozilla/5.0 (compatible; BingPreview/1.0b)' }, true],
  [
    'a crawler',
    { userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
    true,
  ],
  [
    'a browser without a head',
    { userAgent: CHROME.replace('Chrome', 'HeadlessChrome'), kind: 'clicked' },
    true,
  ],
  ['a program clicks', { userAgent: 'python-requests/2.31.0', kind: 'clicked' }, true],
  ['another program clicks', { userAgent: 'curl/8.4.0', kind: 'clicked' }, true],
  ['a mail gateway clicks', { userAgent: 'Barracuda Sentinel (EE)', kind: 'clicked' }, true],
  ['a HEAD request', { userAgent: CHROME, method: 'head', kind: 'clicked' }, true],
  ['a browser ahead of the click', { userAgent: CHROME, isPrefetch: true, kind: 'clicked' }, true],
  ['a GET request', { userAgent: CHROME, method: 'GET', kind: 'clicked' }, false],
  ['a person clicks in Apple’s bare agent', { userAgent: 'Mozilla/5.0', kind: 'clicked' }, false],
  ['a person clicks', { userAgent: CHROME, kind: 'clicked' }, false],
  ['a telephone called Cubot', { userAgent: 'Mozilla/5.0 (Linux; Android 9; CUBOT X19)' }, false],
])('%s', (_name, request, expected) => {
  expect(
    isMachineMade({
      kind: 'opened',
      userAgent: null,
      method: null,
      isPrefetch: false,
      sinceSent: HOUR,
      ...request,
    }),
  ).toBe(expected);
});
