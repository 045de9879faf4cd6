/** Names the features of CSS that rules and declarations use, by the slugs of caniemail.com. */
import { walk, type CssNode, type CssNodePlain, type SelectorPlain } from 'css-tree';
import type { CssAtRule, CssDeclaration, CssRule } from '../email/css-reader.js';
import { SUPPORT } from './support-data.js';

/** Slugs that begin like a property but are none. */
const NO_PROPERTY =
  /^css-(at|unit|pseudo|selector|function)-|^css-(comments|important|nesting|variables|rgba?)$/;

const SIDES = ['top', 'right', 'bottom', 'left'];
const PROPERTY_ALIASES: ReadonlyMap<string, string> = new Map([
  ...SIDES.flatMap((side): [string, string][] => [
    [side, 'css-left-right-top-bottom'],
    [`margin-${side}`, 'css-margin'],
    [`padding-${side}`, 'css-padding'],
    [`border-${side}`, 'css-border'],
  ]),
  ['column-gap', 'css-gap'],
  ['row-gap', 'css-gap'],
  ['grid-gap', 'css-gap'],
  ['grid-template-columns', 'css-grid-template'],
  ['grid-template-rows', 'css-grid-template'],
  ['grid-template-areas', 'css-grid-template'],
  ['columns', 'css-column-layout-properties'],
  ['column-width', 'css-column-layout-properties'],
  ['column-rule', 'css-column-layout-properties'],
  ['margin-inline', 'css-margin-inline-block'],
  ['margin-block', 'css-margin-inline-block'],
  ['margin-inline-start', 'css-margin-inline-start-end'],
  ['margin-inline-end', 'css-margin-inline-start-end'],
  ['margin-block-start', 'css-margin-block-start-end'],
  ['margin-block-end', 'css-margin-block-start-end'],
  ['padding-inline', 'css-padding-inline-block'],
  ['padding-block', 'css-padding-inline-block'],
  ['padding-inline-start', 'css-padding-inline-start-end'],
  ['padding-inline-end', 'css-padding-inline-start-end'],
  ['padding-block-start', 'css-padding-block-start-end'],
  ['padding-block-end', 'css-padding-block-start-end'],
  ['animation-name', 'css-animation'],
  ['transition-property', 'css-transition'],
]);

/** Values that are separate features. `display` and similar properties count only by value. */
const BY_VALUE: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  [
    'display',
    new Map([
      ['flex', 'css-display-flex'],
      ['inline-flex', 'css-display-flex'],
      ['grid', 'css-display-grid'],
      ['inline-grid', 'css-display-grid'],
      ['none', 'css-display-none'],
    ]),
  ],
  [
    'flex-direction',
    new Map([
      ['column', 'css-flex-direction'],
      ['column-reverse', 'css-flex-direction'],
    ]),
  ],
  ['flex-wrap', new Map([['wrap', 'css-flex-wrap']])],
]);

const FUNCTIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    clamp: 'css-function-clamp',
    max: 'css-function-max',
    min: 'css-function-min',
    'light-dark': 'css-function-light-dark',
    calc: 'css-unit-calc',
    var: 'css-variables',
    'linear-gradient': 'css-linear-gradient',
    'radial-gradient': 'css-radial-gradient',
    'conic-gradient': 'css-conic-gradient',
    rgb: 'css-rgb',
    rgba: 'css-rgba',
    lch: 'css-modern-color',
    oklch: 'css-modern-color',
    lab: 'css-modern-color',
    oklab: 'css-modern-color',
  }),
);

const COMBINATORS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ' ': 'css-selector-descendant',
    '>': 'css-selector-child',
    '+': 'css-selector-adjacent-sibling',
    '~': 'css-selector-general-sibling',
  }),
);

const MEDIA_FEATURES = {
  'css-at-media-device-pixel-ratio': /-webkit-(min-|max-)?device-pixel-ratio/i,
  'css-at-media-hover': /\((any-)?hover\b/i,
  'css-at-media-orientation': /\(orientation\b/i,
  'css-at-media-prefers-color-scheme': /\(prefers-color-scheme\b/i,
  'css-at-media-prefers-reduced-motion': /\(prefers-reduced-motion\b/i,
};

/** The features of a declaration. */
export function featuresOfDeclaration({
  property,
  value,
  text,
  important,
}: Omit<CssDeclaration, 'offset' | 'end'>): string[] {
  if (property.startsWith('--')) return ['css-variables'];
  const word = text.toLowerCase();
  const table = BY_VALUE.get(property);
  const own = PROPERTY_ALIASES.get(property) ?? `css-${property}`;
  const slugs: (string | undefined)[] = table ? [table.get(word)] : NO_PROPERTY.test(own) ? [] : [own];
  if (important) slugs.push('css-important');
  if (word === 'initial') slugs.push('css-unit-initial');
  // The walk reads arrays as well as lists, but its types declare only lists.
  walk(value as CssNode, (node) => {
    if (node.type === 'Function') slugs.push(FUNCTIONS.get(node.name.toLowerCase()));
    if (node.type === 'Dimension') slugs.push(`css-unit-${node.unit.toLowerCase()}`);
  });
  return knownFeatures(slugs);
}

/** The features of a rule's selectors. */
export function featuresOfRule({ selectors, nested }: Pick<CssRule, 'selectors' | 'nested'>): string[] {
  const slugs = selectors.flatMap(featuresOfSelector);
  if (selectors.length > 1) slugs.push('css-selector-grouping');
  if (nested) slugs.push('css-nesting');
  return knownFeatures(slugs);
}

function featuresOfSelector({ children }: SelectorPlain): string[] {
  return children.flatMap((part, index): string[] => {
    const before = children[index - 1];
    const chained = part.type === 'ClassSelector' && before !== undefined && before.type !== 'Combinator';
    return [...featureOfPart(part), ...(chained ? ['css-selector-chaining'] : [])];
  });
}

function featureOfPart(part: CssNodePlain): string[] {
  switch (part.type) {
    case 'PseudoClassSelector':
      return [`css-pseudo-class-${part.name.toLowerCase()}`, `css-pseudo-element-${part.name.toLowerCase()}`];
    case 'PseudoElementSelector':
      return [`css-pseudo-element-${part.name.toLowerCase()}`];
    case 'Combinator':
      return [COMBINATORS.get(part.name) ?? ''];
    case 'AttributeSelector':
      return ['css-selector-attribute'];
    case 'ClassSelector':
      return ['css-selector-class'];
    case 'IdSelector':
      return ['css-selector-id'];
    case 'TypeSelector':
      return [part.name === '*' ? 'css-selector-universal' : 'css-selector-type'];
    default:
      return [];
  }
}

/** The features of an at-rule. */
export function featuresOfAtRule({ name, prelude }: Pick<CssAtRule, 'name' | 'prelude'>): string[] {
  const media = Object.entries(MEDIA_FEATURES).filter(
    ([, pattern]) => name === 'media' && pattern.test(prelude),
  );
  return knownFeatures([`css-at-${name.replace(/^-\w+-/, '')}`, ...media.map(([slug]) => slug)]);
}

function knownFeatures(slugs: readonly (string | undefined)[]): string[] {
  return slugs.filter((slug): slug is string => slug !== undefined && SUPPORT.has(slug));
}
