/**
 * Maps Mailchimp's merge tags to NLT. Fields have the names that an import from Mailchimp gives them: a merge field is
 * the property of its name.
 */
import type { BinaryOperator, Comparison, Modifier, Reference } from '../nlt/tree.js';
import { ENCODING_NOTE } from './foreign-filters.js';
import type { Piece } from './foreign-source.js';
import { patternOfPhp } from './php-date.js';
import { contactField, addModifiers, piecesOf, shownOf } from './shown-value.js';
import { omitted, providedByFooter, unsupported } from './unsupported.js';

const FIELDS: ReadonlyMap<string, string> = new Map([
  ['FNAME', 'first_name'],
  ['LNAME', 'last_name'],
  ['EMAIL', 'email'],
  ['PHONE', 'phone'],
  ['MC_LANGUAGE', 'locale'],
  ['MERGE0', 'email'],
  ['MERGE1', 'first_name'],
  ['MERGE2', 'last_name'],
]);
/** A merge field by its number; its meaning differs from audience to audience. */
const NUMBERED_FIELD = /^MERGE\d+$/;

const MERGE_NAME = /^[a-z0-9_]{1,60}$/i;

const PREFERENCES_TAG = /^(?:UNSUB|UNSUBSCRIBE|UNSUB_LINK|UPDATE_PROFILE|MANAGE_PREFERENCES)$/;
const ADDRESS_TAG = /^(?:(?:HTML:)?LIST[:_]ADDRESS(?:LINE|_HTML|_VCARD|_VCARD_HREF)?)$/;
const OMITTED_TAGS: readonly (readonly [RegExp, string])[] = [
  [/^ARCHIVE(?:_LINK_SHORT)?$/, 'page that shows the message in the browser'],
  [/^(?:FORWARD|ABOUT_LIST)$/, 'page of this kind'],
  [/^(?:HTML:)?REWARDS(?:_TEXT)?$/, 'Mailchimp badge'],
  [/^MC_PREVIEW_TEXT$/, 'tag for the preview text: write the preview text itself there'],
  [/^MC:SUBJECT$/, 'tag for the subject'],
  [/^(?:SHARE|TWITTER|FACEBOOK|LINKEDIN|INSTAGRAM|PINTEREST|LIKE)(?::|$)/, 'social network buttons'],
  [/^MC:TOC(?:_TEXT)?$/, 'table of contents'],
];
/** Mailchimp's tags for content that the author has to write. */
const MAILCHIMP_ONLY_TAGS =
  /^(?:LIST|CAMPAIGN|RSS|FEED|RSSITEM|RSSFEED|FEEDBLOCK|FEEDITEM|INTERESTED|INTEREST|GROUP|POLL|SURVEY|SURVEYS|PROMO_CODE|PRODUCT|CART|ORDER|VIDEO|YOUTUBE|VIMEO|TRANSLATE|GEO|IMAGE|CONDITIONAL|MC|ECOMM|ABANDONED_CART|RECOMMENDED|PRODUCT_RECOMMENDATION|END)(?::|$)/;
const IDENTIFIER_TAG =
  /^(?:UNIQID|EMAIL_UID|CAMPAIGN_UID|USER_UID|LIST_UID|USER:.*|OPTIN_IP|OPTIN_DATE|CONFIRM_IP|CONFIRM_DATE)$/;

const CASES: ReadonlyMap<string, Modifier> = new Map<string, Modifier>([
  ['UPPER', { kind: 'case', letterCase: 'uppercase' }],
  ['LOWER', { kind: 'case', letterCase: 'lowercase' }],
  ['TITLE', { kind: 'case', letterCase: 'titlecase' }],
  ['HTML', { kind: 'as', format: 'html' }],
]);

/** What a merge tag shows; `note` explains any difference. @throws Unfit */
export function mergeTagOf(inner: string): {
  readonly pieces: readonly Piece[];
  readonly note: string | null;
} {
  const name = inner.toUpperCase();
  if (PREFERENCES_TAG.test(name)) return providedByFooter('an unsubscribe or preferences link');
  if (ADDRESS_TAG.test(name)) return providedByFooter('the sender’s postal address');
  for (const [pattern, what] of OMITTED_TAGS) if (pattern.test(name)) return omitted(what);
  if (name === 'CURRENT_YEAR') return { pieces: dated('yyyy'), note: null };
  if (name === 'MC:DATE')
    return {
      pieces: dated('date'),
      note: 'Waypost formats dates according to the contact’s language.',
    };
  if (name.startsWith('DATE:')) {
    const pattern = patternOfPhp(inner.slice('DATE:'.length).trim(), 'php');
    return pattern === null
      ? unsupported('Waypost has no such date format.')
      : { pieces: dated(pattern), note: null };
  }
  const [prefix = '', ...rest] = inner.split(':');
  if (rest.length === 1 && prefix.toUpperCase() === 'URL')
    return { pieces: piecesOf(shownOf(fieldOf(rest[0] ?? ''))), note: ENCODING_NOTE };
  const modifier = rest.length === 1 ? CASES.get(prefix.toUpperCase()) : undefined;
  const field = fieldOf(modifier === undefined ? inner : (rest[0] ?? ''));
  const shown = shownOf(field);
  return { pieces: piecesOf(modifier === undefined ? shown : addModifiers(shown, modifier)), note: null };
}

function dated(format: string): readonly Piece[] {
  return piecesOf(addModifiers(shownOf({ kind: 'moment', name: 'now' }), { kind: 'as', format }));
}

function fieldOf(written: string): Reference {
  const name = written.trim();
  const upper = name.toUpperCase();
  if (MAILCHIMP_ONLY_TAGS.test(upper))
    return unsupported('Only Mailchimp has this: write what it would show.');
  if (IDENTIFIER_TAG.test(upper)) return unsupported('Waypost does not know this Mailchimp identifier.');
  if (NUMBERED_FIELD.test(upper) && !FIELDS.has(upper))
    return unsupported('Only the audience determines which field this is: write the field’s tag.');
  if (!MERGE_NAME.test(name)) return unsupported('This is not a known merge tag.');
  return contactField([FIELDS.get(upper) ?? name]);
}

/** Conditions that are false for every Waypost email: pages, badges and texts that Waypost does not have. */
const ALWAYS_FALSE_CONDITION = /^(?:ARCHIVE_PAGE|ARCHIVE|REWARDS|MC_PREVIEW_TEXT|FORWARD)$/;

const OPERATORS: readonly (readonly [string, BinaryOperator])[] = [
  ['!=', 'is not'],
  ['<>', 'is not'],
  ['>=', 'is at least'],
  ['<=', 'is at most'],
  ['==', 'is'],
  ['=', 'is'],
  ['>', 'is greater than'],
  ['<', 'is less than'],
];

/**
 * The condition after `IF:` or `ELSEIF:`; a boolean if it is constant.
 * @param negated whether it follows `IFNOT:`.
 * @throws Unfit
 */
export function mergeConditionOf(written: string, negated: boolean): Comparison | boolean {
  const [, name = '', sign, value = ''] =
    /^\s*([^=<>!]+?)\s*(?:(!=|<>|>=|<=|==|=|>|<)\s*([^]*?)\s*)?$/.exec(written) ?? [];
  if (sign === undefined && ALWAYS_FALSE_CONDITION.test(name.toUpperCase())) return negated;
  const left = { value: fieldOf(name), modifiers: [] } as const;
  if (sign === undefined || value === '') {
    const testsEmpty = sign === '=' || sign === '==';
    if (sign !== undefined && sign !== '!=' && sign !== '<>' && !testsEmpty)
      return unsupported('This does not parse.', 'unreadable');
    return {
      kind: 'unary',
      negated: false,
      left,
      operator: testsEmpty === negated ? 'is not empty' : 'is empty',
    };
  }
  if (/\|\||&&/.test(value)) return unsupported('Waypost does not know this condition.');
  const operator = OPERATORS.find(([known]) => known === sign)?.[1] ?? 'is';
  const isNumber = /^-?\d+(?:\.\d+)?$/.test(value);
  const right = isNumber
    ? ({ kind: 'number', digits: value } as const)
    : ({ kind: 'text', text: value } as const);
  return { kind: 'binary', negated, left, operator, right: { value: right, modifiers: [] } };
}
