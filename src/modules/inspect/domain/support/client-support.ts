/**
 * Reports parts of a template's HTML and CSS that many email clients ignore (section 4.3, email quality): one finding
 * per feature and position, with the clients and their share.
 *
 * Special cases:
 * - Additions for clients that support them, such as media queries or rounded corners, do no harm elsewhere: they are
 *   reported as information, whatever their share. What every good email has, such as `lang`, is not reported at all.
 * - Elements that preflight forbids are reported by their own rules, not here.
 */
import { CLIENTS } from '../rendering/clients.js';
import { RENDER_CLIENTS, type RenderClient } from '../rendering/render-client.js';
import { featuresOfAtRule, featuresOfDeclaration, featuresOfRule } from './css-features.js';
import type { CssDeclaration } from '../email/css-reader.js';
import { MAX_FINDINGS } from '../findings/bounded-findings.js';
import type { RuleFinding } from '../findings/finding.js';
import { featuresOfElement, imageFormatOf } from './html-features.js';
import type { ParsedEmail } from '../email/parsed-email.js';
import { endOf } from '../checks/element-findings.js';
import type { RuleName } from '../rules/catalogue.js';
import { SUPPORT, answerOf } from './support-data.js';

/** The share of client families without a feature from which it is a warning. */
export const POOR_SUPPORT_SHARE = 0.25;
/** Below this share, nothing is reported; partial support is mostly sufficient in email. */
const NEGLIGIBLE_SHARE = 0.1;
const MAX_NAMED_CLIENTS = 6;

const UNREPORTED_FEATURES = new Set([
  ...'align aria-describedby aria-hidden aria-label aria-labelledby aria-live body comments dir doctype form height'
    .split(' ')
    .map((name) => `html-${name}`),
  ...'lang object role style target valign width'.split(' ').map((name) => `html-${name}`),
  // Elements with their own rule.
  ...'audio base button-reset button-submit canvas dialog image-maps marquee meter progress select svg textarea video'
    .split(' ')
    .map((name) => `html-${name}`),
  // Features that the dark-mode rules ask for.
  'html-meta-color-scheme',
  'css-color-scheme',
  'css-comments',
  'css-important',
  'css-at-media',
]);

/** Features that are added for the clients that support them. */
const PROGRESSIVE_ENHANCEMENTS = new Set([
  ...['css-animation', 'css-transition', 'css-transform', 'css-filter', 'css-backdrop-filter'],
  ...['css-at-font-face', 'css-at-keyframes', 'css-at-supports'],
  ...['device-pixel-ratio', 'hover', 'orientation', 'prefers-color-scheme', 'prefers-reduced-motion'].map(
    (name) => `css-at-media-${name}`,
  ),
  ...['active', 'focus', 'hover', 'link', 'visited'].map((name) => `css-pseudo-class-${name}`),
  ...['accent-color', 'box-shadow', 'cursor', 'font-kerning', 'hyphens', 'mix-blend-mode'].map(
    (name) => `css-${name}`,
  ),
  ...['opacity', 'orphans', 'overflow-wrap', 'text-overflow', 'text-shadow', 'text-wrap', 'user-select'].map(
    (name) => `css-${name}`,
  ),
  ...['widows', 'word-break', 'function-light-dark', 'text-decoration-skip-ink', 'text-underline-offset'].map(
    (name) => `css-${name}`,
  ),
  ...['html-loading-attribute', 'html-srcset', 'html-abbr', 'html-wbr', 'html-semantics'],
]);

/** Where a feature is used: from the beginning of an element or a declaration to its end, as offsets. */
type FeatureRanges = Map<number, number>;

export function checkClientSupport(email: ParsedEmail): RuleFinding[] {
  const uses = new Map<string, FeatureRanges>();
  const addUse = (slugs: readonly string[], at: number, until: number): void => {
    for (const slug of new Set(slugs)) {
      if (UNREPORTED_FEATURES.has(slug) || slug.startsWith('html-input-')) continue;
      const ranges = uses.get(slug) ?? new Map<number, number>();
      uses.set(slug, ranges);
      if (ranges.size < MAX_FINDINGS && !ranges.has(at)) ranges.set(at, until);
    }
  };
  for (const element of email.elements) {
    const format = element.name === 'img' ? imageFormatOf(element.attributes.get('src') ?? '') : undefined;
    const slugs = [...featuresOfElement(element), ...(format === undefined ? [] : [format])];
    addUse(slugs, element.offset, element.end);
  }
  const known = new Map<string, readonly string[]>();
  const addDeclaration = (declaration: CssDeclaration, at: number, until: number): void => {
    const key = `${declaration.property}:${declaration.text}${declaration.important ? '!' : ''}`;
    const slugs = known.get(key) ?? featuresOfDeclaration(declaration);
    known.set(key, slugs);
    addUse(slugs, at, until);
  };
  const addHead = (slugs: readonly string[], at: number): void => {
    if (slugs.length > 0) addUse(slugs, at, endOf(email.source, at, '{'));
  };
  for (const atRule of email.atRules) addHead(featuresOfAtRule(atRule), atRule.offset);
  for (const rule of email.rules) {
    addHead(featuresOfRule(rule), rule.offset);
    for (const declaration of rule.declarations) {
      addDeclaration(declaration, declaration.offset, declaration.end);
    }
  }
  for (const [element, declarations] of email.inline) {
    for (const declaration of declarations) addDeclaration(declaration, element.offset, element.end);
  }
  // The worst first, since there may be more than are shown, and one position of each feature before further ones.
  const share = (slug: string): number => SUPPORT.get(slug)?.unsupported ?? 0;
  const found = [...uses]
    .sort(([a], [b]) => share(b) - share(a))
    .map(([slug, ranges]) => findingsOf(slug, ranges));
  return [...found.flatMap((same) => same.slice(0, 1)), ...found.flatMap((same) => same.slice(1))];
}

/** The rules for features that many or some clients ignore, by the category of caniemail.com. */
const RULES_OF: Readonly<Record<string, readonly [RuleName, RuleName]>> = {
  html: ['html_support_poor', 'html_support_partial'],
  image: ['image_support_poor', 'image_support_partial'],
};

function findingsOf(slug: string, ranges: FeatureRanges): RuleFinding[] {
  const support = SUPPORT.get(slug);
  if (!support || support.unsupported < NEGLIGIBLE_SHARE) return [];
  const poor = support.unsupported >= POOR_SUPPORT_SHARE && !PROGRESSIVE_ENHANCEMENTS.has(slug);
  const [many, some] = RULES_OF[support.category] ?? ['client_support_poor', 'client_support_partial'];
  const rule = poor ? many : some;
  const message = `${support.title.trim()} is ${supportClause(slug)}.`;
  const concerned = affectedClients(slug);
  const clients = concerned.length > 0 ? { clients: concerned } : {};
  return [...ranges].map(([at, until]) => ({ rule, message, at, until, part: slug, ...clients }));
}

/**
 * The clients without and with partial support of a feature, such as `not supported by 50 % of …`; empty if all support
 * it.
 */
export function supportClause(slug: string): string {
  const support = SUPPORT.get(slug);
  if (!support) return '';
  const without = clause('not supported', support.unsupported, support.clientsWithout);
  const some = clause('partly supported', support.partial, support.clientsWithPartial);
  return [without, some].filter((text) => text !== '').join('; ');
}

function clause(what: string, share: number, clients: readonly string[]): string {
  if (clients.length === 0) return '';
  const rest = clients.length - MAX_NAMED_CLIENTS;
  const names = clients.slice(0, MAX_NAMED_CLIENTS).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return `${what} by ${Math.round(share * 100)} % of mail program families: ${names}`;
}

/** Finds the email clients of the renderings that lack a feature of the data, or support it only in part. */
export function affectedClients(slug: string): RenderClient[] {
  return RENDER_CLIENTS.filter((name) => {
    const answer = answerOf(slug, ...CLIENTS[name].app);
    return answer === 'n' || answer === 'a';
  });
}
