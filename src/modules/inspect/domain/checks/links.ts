/** Checks where links lead and what they say (section 4.3, preflight: links; email quality: phishing patterns). */
import { readAddresses, type Address } from '../email/address.js';
import { holdsExpression } from '../email/blanked-source.js';
import { decodedText } from '../email/web-address.js';
import { registrableOf, type HostTrait } from '../email/host.js';
import {
  isElement,
  textIn,
  subtreeOf,
  writtenAttribute,
  type EmailElement,
  type ParsedEmail,
} from '../email/parsed-email.js';
import { privateHostOf } from '../findings/allowed-hosts.js';
import { quote, type RuleFinding } from '../findings/finding.js';
import type { RuleName } from '../rules/catalogue.js';

/** Schemes that execute code, or that no reader's machine can open. */
const DANGEROUS_SCHEMES = new Set([
  'javascript',
  'vbscript',
  'livescript',
  'data',
  'file',
  'blob',
  'about',
  'filesystem',
]);
/** Schemes that email clients keep. */
const COMMON_SCHEMES = new Set([
  'mailto',
  'tel',
  'sms',
  'callto',
  'facetime',
  'geo',
  'maps',
  'cid',
  'xmpp',
  'skype',
  'whatsapp',
]);

const HOST_TRAIT_RULES: Readonly<Record<HostTrait, readonly [RuleName, string]>> = {
  private: ['link_private', 'leads to a private address'],
  example: ['link_example', 'leads to an example address'],
  ip: ['link_ip_address', 'leads to a bare IP address'],
  shortener: ['link_shortener', 'leads through a URL shortener'],
  lookalike: ['link_lookalike', 'leads to a domain that imitates another one'],
  international: ['link_international', 'leads to a domain with non-ASCII characters'],
};

/** Maximum number of characters of a link text that is checked for vague wording. */
const MAX_VAGUE_LENGTH = 200;
const VAGUE_TEXTS = new Set([
  ...['click', 'click here', 'click this', 'here', 'link', 'this link', 'more', 'read more', 'learn more'],
  ...[
    'see more',
    'go',
    'this',
    'details',
    'info',
    'hier',
    'hier klicken',
    'mehr',
    'weiter',
    'ici',
    'cliquez ici',
  ],
  ...['en savoir plus', 'aquí', 'haz clic aquí', 'clicca qui', 'qui', 'klik hier', 'lees meer'],
]);

export function checkLinks(email: ParsedEmail): RuleFinding[] {
  const ids = new Set<string>();
  for (const { attributes } of email.elements) {
    for (const name of ['id', 'name']) if (attributes.has(name)) ids.add(attributes.get(name) ?? '');
  }
  return email.elements.flatMap((element) =>
    element.name === 'a' || element.name === 'area' ? checkLink(email, element, ids) : [],
  );
}

function checkLink(email: ParsedEmail, element: EmailElement, ids: ReadonlySet<string>): RuleFinding[] {
  const href = element.attributes.get('href');
  if (href === undefined) {
    const isTarget = element.attributes.has('name') || element.attributes.has('id');
    // An expression among the attributes may produce the address.
    if (isTarget || [...element.attributes.keys()].some(holdsExpression) || element.name === 'area')
      return [];
    return [
      { rule: 'link_without_target', message: 'A link has no href.', at: element.offset, until: element.end },
    ];
  }
  const { offset: offset, end: until } = element;
  const written = writtenAttribute(email, element, 'href');
  const addresses = readAddresses(href);
  const found = addresses.flatMap((address) =>
    judge(address, ids).map(([rule, what]): RuleFinding => {
      const message = `The link ${quote(written)} ${what}.`;
      return { rule, message, at: offset, until, ...privateHostOf(address) };
    }),
  );
  return element.name === 'a' ? [...found, ...checkText(element, addresses)] : found;
}

function judge(address: Address, ids: ReadonlySet<string>): (readonly [RuleName, string])[] {
  switch (address.kind) {
    case 'unknown':
      return [];
    case 'empty':
      return [['link_empty', 'leads nowhere']];
    case 'anchor':
      return ids.has(decodedText(address.id)) || ids.has(address.id)
        ? []
        : [['link_anchor_missing', 'leads to an anchor that does not exist']];
    case 'relative':
      return [['link_relative', address.why]];
    case 'malformed':
      return [['link_malformed', address.why]];
    case 'scheme':
      return judgeScheme(address.scheme, address.rest);
    case 'web':
      return [
        ...(address.secure ? [] : [['link_insecure', 'is not encrypted (http)'] as const]),
        ...(address.trait ? [HOST_TRAIT_RULES[address.trait]] : []),
        ...(address.credentials ? [['link_credentials', 'contains an @ before its host'] as const] : []),
      ];
  }
}

function judgeScheme(scheme: string, rest: string): (readonly [RuleName, string])[] {
  if (DANGEROUS_SCHEMES.has(scheme)) return [['link_dangerous', `has the dangerous scheme ${scheme}:`]];
  if (!COMMON_SCHEMES.has(scheme)) return [['link_scheme_unusual', `has the unusual scheme ${scheme}:`]];
  if (rest.trim() === '') return [['link_malformed', `has nothing after ${scheme}:`]];
  if (scheme === 'mailto' && !/[@?]/.test(decodedText(rest)) && !holdsExpression(rest)) {
    return [['link_malformed', 'has no email address after mailto:']];
  }
  return [];
}

function checkText(element: EmailElement, addresses: readonly Address[]): RuleFinding[] {
  const { offset: offset, end: until } = element;
  const text = textIn(element).replace(/\s+/g, ' ').trim();
  if (text === '') {
    const named = isUnnamed(element)
      ? [
          {
            rule: 'link_unnamed',
            message: 'A link has neither text nor an image with alt text.',
            at: offset,
            until,
          } as const,
        ]
      : [];
    return named;
  }
  const findings: RuleFinding[] = [];
  const normalizedText = text
    .slice(0, MAX_VAGUE_LENGTH)
    .toLowerCase()
    .replace(/[\s.!…›»>→:]+$/u, '');
  if (VAGUE_TEXTS.has(normalizedText)) {
    findings.push({
      rule: 'link_text_vague',
      message: `The link text ${quote(text)} does not say where it leads.`,
      at: offset,
      until,
    });
  }
  const shown = shownHost(text);
  const [address] = addresses;
  if (shown !== null && address?.kind === 'web' && address.host !== null) {
    if (registrableOf(shown) !== registrableOf(address.host)) {
      const message = `The link text shows ${quote(shown)}, but the link leads to ${quote(address.host)}.`;
      findings.push({ rule: 'link_text_mismatch', message, at: offset, until });
    }
  }
  return findings;
}

/** Whether neither the link nor an image in it has a name that a screen reader could read. */
function isUnnamed(element: EmailElement): boolean {
  for (const node of subtreeOf(element)) {
    if (!isElement(node)) continue;
    const names = ['aria-label', 'aria-labelledby', 'title', ...(node.name === 'img' ? ['alt'] : [])];
    if (names.some((name) => (node.attributes.get(name) ?? '').trim() !== '')) return false;
    // Drawings may contain a title, which is not checked.
    if (node.name === 'svg') return false;
  }
  return true;
}

/** The host that a link's text shows, if the text is an address; in ASCII. */
function shownHost(text: string): string | null {
  if (text.length > 300 || holdsExpression(text)) return null;
  const match = /^(?:https?:\/\/)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,24})(?:[:/?#]\S*)?$/iu.exec(text);
  const host = match?.[1];
  if (host === undefined) return null;
  // A file name is not a host.
  if (/\.(pdf|png|jpe?g|gif|docx?|xlsx?|zip|html?|txt|csv|js|md)$/i.test(text)) return null;
  return URL.canParse(`https://${host}`) ? new URL(`https://${host}`).hostname : null;
}
