import { analyse } from '../analysis/analyse.js';
import { preflight } from '../preflight/preflight.js';
import { RULES } from '../rules/catalogue.js';

const SENDER = {
  ...{ fromEmail: 'a@acme.com', replyTo: undefined, companyComplete: true, live: true },
  ...{ sharedDomain: 'send.acme.com', isOwnDomain: true },
};
const PRIVATE: readonly string[] = [RULES.link_private.code, RULES.image_unreachable.code];

/** The number of findings about private hosts, for a link and two images at an address: by runs and by preflight. */
function calledPrivate(address: string, allowedHosts: readonly string[]): [number, number] {
  const bodyHtml =
    `<p>Some words <a href="${address}/page">Read on</a> <img src="${address}/a.png" alt="A" width="1" height="1"></p>` +
    `<div style="background-image: url(${address}/b.png)">More</div>`;
  const content = { subject: 'News', bodyHtml, bodyText: 'Some words', templateLanguage: null };
  const given = { content, sender: SENDER, allowedHosts };
  const run = analyse({ ...given, preheader: null, channel: 'email', sample: null, now: new Date(0) });
  const { errors } = preflight(given);
  return [
    run.findings.filter(({ rule }) => PRIVATE.includes(RULES[rule].code)).length,
    errors.filter(({ code }) => PRIVATE.includes(code)).length,
  ];
}

test.each([
  ['https://assets.lan', [], false],
  ['https://assets.lan', ['assets.lan'], true],
  ['https://ASSETS.lan.', ['assets.lan'], true],
  ['https://other.assets.lan', ['assets.lan'], false],
  ['https://assets.lan', ['assets.lan:443'], true],
  ['http://assets.lan', ['assets.lan:443'], false],
  ['http://assets.lan:8080', ['assets.lan:8080'], true],
  ['http://assets.lan:8081', ['assets.lan:8080'], false],
  ['http://10.0.0.7:8080', ['10.0.0.7'], true],
  ['http://10.0.0.8', ['10.0.0.7'], false],
  ['http://[fd00:0::1]', ['fd00::1'], true],
  ['http://[fd00::1]:8080', ['[fd00::1]:8080'], true],
])('%s, where %j may be fetched: %j', (address, allowed, isSilent) => {
  expect(calledPrivate(address, allowed)).toEqual(isSilent ? [0, 0] : [3, 3]);
});

test('what cannot be loaded for another reason is told all the same', () => {
  expect(calledPrivate('file:///assets.lan', ['assets.lan'])[0]).toBe(2);
});
