/** Checks the path and parameters of links, beyond whether they lead anywhere (section 4.7, links). */
import { domainToASCII } from 'node:url';
import { isEmailAddress } from '../../../../kernel/email-address.js';
import { holdsExpression, VALUE_MARK } from '../email/blanked-source.js';
import { quote, type RuleFinding } from '../findings/finding.js';
import { registrableOf } from '../email/host.js';
import { writtenAttribute, type ParsedEmail } from '../email/parsed-email.js';
import type { RuleName } from '../rules/catalogue.js';
import { atElement } from './element-findings.js';
import { webAddress, type WebAddress } from '../email/web-address.js';

/** Maximum length of an address that every client and proxy passes on, in characters. */
const MAX_ADDRESS_LENGTH = 2_000;
const STAGING =
  /^(?:staging|stage|stg|dev|develop|development|qa|uat|test|testing|sandbox|preprod|local)\d*$|-(?:staging|stage|dev|uat|qa|test)$/;
const TUNNELS =
  /(?:^|\.)(?:ngrok\.io|ngrok-free\.app|ngrok\.app|loca\.lt|trycloudflare\.com|localhost\.run)$/;
const EDITABLE_DOCUMENTS: readonly RegExp[] = [
  /^https?:\/\/docs\.google\.com\/(?:document|spreadsheets|presentation|forms)\/[^#?]*\/edit\b/i,
  /^https?:\/\/(?:www\.)?figma\.com\/(?:file|design)\//i,
  /^https?:\/\/(?:www\.)?canva\.com\/design\/[^#]*\/edit\b/i,
];
const PROGRAM =
  /\.(?:exe|msix?|dmg|pkg|apk|bat|cmd|scr|pif|vb[se]|wsf|jar|iso|img|ps1|com|hta|lnk|reg|docm|xlsm|pptm)$/i;
const FILE = /\.(?:zip|rar|7z|tar|t?gz|bz2|xz|cab|ace|arj|docx?|xlsx?|pptx?|csv)$/i;
const SOCIAL_NETWORKS = new Set([
  ...['facebook.com', 'instagram.com', 'twitter.com', 'x.com', 'linkedin.com', 'youtube.com', 'tiktok.com'],
  ...['pinterest.com', 'threads.net', 'snapchat.com', 'vimeo.com'],
]);
const ADMIN = /^\/(?:wp-admin|wp-login\.php|administrator|phpmyadmin|typo3)(?:\/|$)/i;
/** Parameters that hold a secret, independent of their value. */
const SECRET =
  /^(?:password|passwd|pwd|api_?key|secret|client_?secret|private_key|(?:access|auth|refresh|id)_?token)$/i;
/** Parameters that hold a secret if the value is long. */
const SESSION = /^(?:auth|jwt|session|session_?id|sid|phpsessid|jsessionid|aspsessionid\w{0,20})$/i;
const MIN_SESSION_VALUE_LENGTH = 8;
/**
 * Parameters that must never be in a link, not even with the reader's own value: a token may be for one use, these stay
 * valid for long.
 */
const FORBIDDEN_PARAMETER =
  /^(?:password|passwd|pwd|session|session_?id|sid|phpsessid|jsessionid|aspsessionid\w{0,20})$/i;
/** A JSON Web Token in any parameter. */
const TOKEN = /(?<![\w-])eyJ[\w-]{10,4000}\.eyJ[\w-]{10,4000}\.[\w-]{10,4000}/;

/** What is wrong with a web address; null if nothing is. */
type AddressCheck = (address: WebAddress) => string | null;

const ADDRESS_CHECKS: readonly (readonly [RuleName, AddressCheck])[] = [
  ['link_address_blank', ({ text }) => (/[\t\n\r ]/.test(text) ? 'contains a space' : null)],
  ['link_tracking_repeated', ({ url }) => repeatedParameter(url.searchParams)],
  ['link_query_malformed', ({ text }) => queryProblem(text)],
  ['link_encoded_twice', ({ url }) => (/%25[\da-f]{2}/i.test(url.pathname) ? 'is encoded twice' : null)],
  ['link_port', ({ url }) => (url.port === '' ? null : `contains the port ${url.port}`)],
  [
    'link_staging',
    ({ text, url }) => (hostIsCertain(text) && isStaging(url.hostname) ? 'leads to a test system' : null),
  ],
  [
    'link_working_document',
    ({ text }) =>
      EDITABLE_DOCUMENTS.some((page) => page.test(text)) ? 'leads to an editable document' : null,
  ],
  ['link_program', ({ url }) => (PROGRAM.test(url.pathname) ? 'leads to an executable file' : null)],
  ['link_file', ({ url }) => (FILE.test(url.pathname) ? 'leads to a download' : null)],
  [
    'link_network_home',
    ({ text, url }) => (isNetworkHome(text, url) ? 'leads to the home page of a social network' : null),
  ],
  ['link_admin', ({ url }) => (ADMIN.test(url.pathname) ? 'leads to an administration page' : null)],
  ['link_secret', ({ text }) => secretIn(text)],
];

export function checkLinkAddresses(email: ParsedEmail): RuleFinding[] {
  return email.elements.flatMap((element): RuleFinding[] => {
    const href = element.attributes.get('href');
    if (href === undefined || (element.name !== 'a' && element.name !== 'area')) return [];
    const problems = judge(href);
    if (problems.length === 0) return [];
    const written = quote(writtenAttribute(email, element, 'href'));
    return problems.map(([rule, what]) => atElement(rule, element, `The link ${written} ${what}.`));
  });
}

function judge(href: string): (readonly [RuleName, string])[] {
  const problems: [RuleName, string][] = [];
  if (href.length > MAX_ADDRESS_LENGTH && !holdsExpression(href)) {
    problems.push(['link_address_long', `has ${href.length} characters`]);
  }
  if (/^[\t\n\r ]|[\t\n\r ]$/.test(href) && href.trim() !== '') {
    problems.push(['link_blank_around', 'has a space before or after its address']);
  }
  const scheme = /^\s*(tel|sms|mailto):(.*)$/is.exec(href.slice(0, MAX_ADDRESS_LENGTH));
  if (scheme) return [...problems, ...judgeOther(scheme[1]?.toLowerCase() ?? '', (scheme[2] ?? '').trim())];
  const address = webAddress(href);
  if (!address) return problems;
  for (const [rule, check] of ADDRESS_CHECKS) {
    const what = check(address);
    if (what !== null) problems.push([rule, what]);
  }
  return problems;
}

function judgeOther(scheme: string, rest: string): (readonly [RuleName, string])[] {
  // An address without any content is already reported as malformed.
  if (rest === '' || holdsExpression(rest)) return [];
  if (scheme !== 'mailto') {
    const number = rest.replace(/[;?].*$/s, '').replaceAll('%20', ' ');
    return /^[+\d\s().*#-]+$/.test(number) && /\d/.test(number)
      ? []
      : [['link_tel_malformed', 'is not a phone number']];
  }
  if (/\s/.test(rest)) return [['link_mailto_malformed', 'contains a space']];
  const addresses = (rest.split('?', 1)[0] ?? '').split(',').filter((address) => address !== '');
  const wrong = addresses.find((address) => address.includes('@') && !isAddress(address));
  return wrong === undefined
    ? []
    : [['link_mailto_malformed', `contains ${quote(wrong)}, which is not an address`]];
}

function isAddress(text: string): boolean {
  const address = text.replaceAll('%2B', '+').replaceAll('%40', '@');
  return isEmailAddress(address) && domainToASCII(address.slice(address.lastIndexOf('@') + 1)) !== '';
}

function repeatedParameter(parameters: URLSearchParams): string | null {
  const seen = new Set<string>();
  for (const name of parameters.keys()) {
    if (!/^(?:utm_[a-z_]{1,40}|gclid|fbclid)$/i.test(name)) continue;
    const folded = name.toLowerCase();
    if (seen.has(folded)) return `contains ${folded} twice`;
    seen.add(folded);
  }
  return null;
}

function queryProblem(text: string): string | null {
  const [address = ''] = text.split('#', 1);
  const mark = address.indexOf('?');
  if (mark < 0) return /&[a-z_]{1,30}=/i.test(address) ? 'has parameters without a leading ?' : null;
  const query = address.slice(mark + 1);
  // An address within a value may have its own question mark.
  const isSecond =
    /\?utm_/i.test(query) || (/\?[a-z_][\w.-]{0,40}=/i.test(query) && !/=https?:/i.test(query));
  return isSecond ? 'has a second ?' : null;
}

/** Whether the host contains no expression. */
function hostIsCertain(text: string): boolean {
  return !/^https?:\/\/[^/?#]*/i.exec(text)?.[0].includes(VALUE_MARK);
}

function isStaging(host: string): boolean {
  if (TUNNELS.test(host)) return true;
  const inner = host.slice(0, Math.max(0, host.length - registrableOf(host).length - 1));
  return inner.split('.').some((label) => STAGING.test(label));
}

function isNetworkHome(text: string, { hostname, pathname, search, hash }: URL): boolean {
  return (
    SOCIAL_NETWORKS.has(hostname.replace(/^(?:www|m)\./, '')) &&
    /^\/*$/.test(pathname) &&
    search + hash === '' &&
    hostIsCertain(text)
  );
}

/** A value from an expression is the reader's own. */
function secretIn(text: string): string | null {
  for (const { 1: name = '', 2: value = '' } of text.matchAll(/[?&]([a-z_]{1,40})=([^&#]*)/gi)) {
    if (value.includes(VALUE_MARK)) {
      if (FORBIDDEN_PARAMETER.test(name)) return `contains ${name}`;
    } else if (
      SECRET.test(name) ? value !== '' : SESSION.test(name) && value.length >= MIN_SESSION_VALUE_LENGTH
    ) {
      return `contains the same ${name} for all recipients`;
    }
  }
  return TOKEN.test(text) ? 'contains the same signed token for all recipients' : null;
}
