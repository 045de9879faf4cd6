/**
 * Rules about addresses that filters distrust, in addition to the rules for every link (codes SP052, SP053 and SP057 to
 * SP059).
 */
import { quote, type RuleFinding } from '../findings/finding.js';
import { registrableOf } from '../email/host.js';
import { webLinksOf, type WebLink } from '../email/web-links.js';
import type { RuleName } from '../rules/catalogue.js';
import { firstOf, type SpamInput } from './spam-input.js';

const MAX_DOMAINS = 10;
/** From this number of ordinary letters in percent encoding, an address is obfuscated. */
const MIN_ESCAPES = 3;

/** The top-level domains that block lists contain most. */
const DISTRUSTED_TLDS = new Set(
  (
    'tk ml ga cf gq top xyz click link work loan cam rest icu buzz cyou monster quest sbs cfd bond mov zip country kim ' +
    'science party review stream download racing win bid date faith trade accountant cricket men surf hair beauty lol'
  ).split(' '),
);
/** Sites that take an address as a parameter, to share, show or store it. */
const SHARING_SITES = new Set(
  (
    'facebook.com twitter.com x.com linkedin.com pinterest.com reddit.com whatsapp.com wa.me t.me telegram.me bsky.app ' +
    'threads.net xing.com tumblr.com getpocket.com news.ycombinator.com google.com live.com office.com yahoo.com web.archive.org'
  ).split(' '),
);

type LinkCheck = (link: WebLink) => string | null;

const LINK_CHECKS: readonly (readonly [RuleName, LinkCheck])[] = [
  [
    'link_tld_suspicious',
    ({ url }) => (DISTRUSTED_TLDS.has(tldOf(url.hostname)) ? `ends in .${tldOf(url.hostname)}` : null),
  ],
  ['link_obscured', ({ href }) => (isObscured(href) ? 'uses percent encoding for ordinary letters' : null)],
  ['link_redirects', ({ url }) => redirection(url)],
  [
    'link_nested_domain',
    ({ url }) => (isNested(url.hostname) ? `contains another domain in ${url.hostname}` : null),
  ],
];

export function suspectLinkFindings({ email }: SpamInput): RuleFinding[] {
  if (!email) return [];
  const links = webLinksOf(email);
  const found = LINK_CHECKS.flatMap(([rule, check]) => firstOf(findingsOfCheck(rule, check, links)));
  return [...found, ...domainCountFindings(links)];
}

function* findingsOfCheck(
  rule: RuleName,
  check: LinkCheck,
  links: readonly WebLink[],
): Generator<RuleFinding> {
  for (const link of links) {
    const what = check(link);
    if (what === null) continue;
    const { href, at, until } = link;
    yield { rule, message: `The link ${quote(href)} ${what}.`, at, until };
  }
}

function tldOf(host: string): string {
  return host.slice(host.lastIndexOf('.') + 1);
}

function isObscured(href: string): boolean {
  const host = /^https?:\/\/([^/?#]{0,255})/i.exec(href)?.[1] ?? '';
  const escapes = href.match(/%(?:3\d|4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/gi)?.length ?? 0;
  return host.includes('%') || escapes >= MIN_ESCAPES;
}

function redirection(url: URL): string | null {
  const own = registrableOf(url.hostname);
  if (SHARING_SITES.has(own)) return null;
  const inPath = /\/(https?:\/{1,2}[^/?#]{1,255})/i.exec(url.pathname)?.[1];
  for (const inner of [...url.searchParams.values(), ...(inPath === undefined ? [] : [inPath])]) {
    if (!/^https?:\/\//i.test(inner) || !URL.canParse(inner)) continue;
    const target = registrableOf(new URL(inner).hostname);
    if (target !== own) return `leads to another address, ${target.slice(0, 100)}`;
  }
  return null;
}

/** Whether a common top-level domain is in the middle of a host, as in `bank.com.evil.top`. */
function isNested(host: string): boolean {
  const labels = host.split('.');
  return labels.some((label, at) => at > 0 && at < labels.length - 2 && /^(?:com|net|org|gov)$/.test(label));
}

function domainCountFindings(links: readonly WebLink[]): RuleFinding[] {
  const domains = new Set(links.map(({ url }) => registrableOf(url.hostname)));
  if (domains.size <= MAX_DOMAINS) return [];
  const message = `The links lead to ${domains.size} different domains.`;
  return [{ rule: 'link_domains_many', message, at: null }];
}
