/**
 * Decides which rules of the style sheets apply to an element: a cascade with the selectors that email uses (types,
 * classes, ids, descendants). Any other selector makes the properties that it sets unknown, so that no finding is
 * wrong.
 */
import type { CssNodePlain, SelectorPlain } from 'css-tree';
import type { CssDeclaration, CssRule } from './css-reader.js';
import type { EmailElement } from './parsed-email.js';

/** The winning declaration of a property; `unknown` if it cannot be determined. */
export type WinningDeclaration = CssDeclaration | 'unknown';

interface Compound {
  readonly types: readonly string[];
  readonly classes: readonly string[];
  readonly ids: readonly string[];
  /** Whether it contains parts that are not supported. */
  readonly isUncertain: boolean;
}

interface Selector {
  /** From right to left; `direct` means that a compound is the parent of the one before it. */
  readonly chain: readonly { readonly compound: Compound; readonly direct: boolean }[];
  readonly specificity: number;
  readonly order: number;
  readonly declarations: readonly CssDeclaration[];
}

/** Maximum number of comparisons of an element with a selector in one template. */
const MAX_COMPARISONS = 200_000;
/** States that do not apply when a message is opened; such rules have no effect on its look. */
const DYNAMIC_PSEUDO_CLASSES = new Set([
  'hover',
  'active',
  'focus',
  'visited',
  'target',
  'checked',
  'focus-within',
]);

export class StyleRules {
  private readonly byKey = new Map<string, Selector[]>();
  private remaining = MAX_COMPARISONS;

  /** @param properties the properties that matter; rules that set none of them are skipped. */
  constructor(
    rules: readonly CssRule[],
    private readonly properties: ReadonlySet<string>,
  ) {
    rules.forEach((rule, order) => this.add(rule, order));
  }

  /** Whether all elements so far could be compared with all rules. */
  get isComplete(): boolean {
    return this.remaining > 0;
  }

  /** The winning declarations for an element, including those of its style attribute. */
  declarationsFor(
    element: EmailElement,
    inline: readonly CssDeclaration[],
  ): ReadonlyMap<string, WinningDeclaration> {
    const ranked: { rank: number; order: number; winner: WinningDeclaration; property: string }[] = [];
    for (const selector of this.candidates(element)) {
      const match = this.matches(selector, element);
      if (match === 'no') continue;
      for (const declaration of selector.declarations) {
        const rank = selector.specificity + (declaration.important ? 1e9 : 0);
        ranked.push({
          rank,
          order: selector.order,
          winner: match === 'yes' ? declaration : 'unknown',
          property: declaration.property,
        });
      }
    }
    inline.forEach((declaration, order) => {
      if (!this.properties.has(declaration.property)) return;
      const rank = 1e8 + (declaration.important ? 1e9 : 0);
      ranked.push({ rank, order, winner: declaration, property: declaration.property });
    });
    ranked.sort((a, b) => a.rank - b.rank || a.order - b.order);
    return new Map(ranked.map(({ property, winner }) => [property, winner]));
  }

  private add(rule: CssRule, order: number): void {
    const declarations = rule.declarations.filter(({ property }) => this.properties.has(property));
    // Media queries describe other looks, which are not judged here; the default look stays.
    if (declarations.length === 0 || rule.conditional) return;
    for (const part of rule.selectors) {
      const selector = readSelector(part, order, declarations, rule.nested);
      if (!selector) continue;
      const key = keyOf(selector);
      const same = this.byKey.get(key);
      if (same) same.push(selector);
      else this.byKey.set(key, [selector]);
    }
  }

  private *candidates(element: EmailElement): Generator<Selector> {
    const keys = [
      '*',
      element.name,
      ...classesOf(element).map((name) => `.${name}`),
      `#${element.attributes.get('id') ?? ''}`,
    ];
    for (const key of new Set(keys)) {
      for (const selector of this.byKey.get(key) ?? []) {
        if (this.remaining-- <= 0) return;
        yield selector;
      }
    }
  }

  /** Follows the chain outwards. A chain of descendants takes the nearest match, which email never needs to revise. */
  private matches(selector: Selector, element: EmailElement): 'yes' | 'no' | 'maybe' {
    let isUncertain = false;
    let current: EmailElement | null = element;
    for (const [index, { compound, direct }] of selector.chain.entries()) {
      if (index > 0) current = current?.parent ?? null;
      while (current && !matchesCompound(compound, current)) {
        if (direct || index === 0) return 'no';
        this.remaining--;
        current = current.parent;
      }
      if (!current) return 'no';
      isUncertain ||= compound.isUncertain;
    }
    return isUncertain ? 'maybe' : 'yes';
  }
}

function matchesCompound({ types, classes, ids }: Compound, element: EmailElement): boolean {
  if (!types.every((name) => name === element.name)) return false;
  if (!ids.every((id) => id === element.attributes.get('id'))) return false;
  if (classes.length === 0) return true;
  const own = classesOf(element);
  return classes.every((name) => own.includes(name));
}

function classesOf(element: EmailElement): string[] {
  return (element.attributes.get('class') ?? '')
    .slice(0, 1_000)
    .split(/\s+/)
    .filter((name) => name !== '')
    .slice(0, 50);
}

function keyOf({ chain }: Selector): string {
  const compound = chain[0]?.compound;
  if (compound?.ids[0] !== undefined) return `#${compound.ids[0]}`;
  if (compound?.classes[0] !== undefined) return `.${compound.classes[0]}`;
  return compound?.types[0] ?? '*';
}

/** Null for a selector that has no effect on how the message looks when it is opened. */
function readSelector(
  { children }: SelectorPlain,
  order: number,
  declarations: readonly CssDeclaration[],
  nested: boolean,
): Selector | null {
  const chain: { compound: Compound; direct: boolean }[] = [];
  let parts: CssNodePlain[] = [];
  let isUncertain = nested;
  for (const part of children) {
    if (part.type === 'PseudoElementSelector') return null;
    if (part.type === 'PseudoClassSelector' && DYNAMIC_PSEUDO_CLASSES.has(part.name.toLowerCase()))
      return null;
    if (part.type !== 'Combinator') {
      parts.push(part);
      continue;
    }
    // Siblings are not supported: the part before them is left out.
    const sibling = part.name === '+' || part.name === '~';
    if (sibling) isUncertain = true;
    else chain.unshift({ compound: readCompound(parts, isUncertain), direct: part.name === '>' });
    parts = [];
  }
  chain.unshift({ compound: readCompound(parts, isUncertain), direct: false });
  return { chain, specificity: specificityOf(children), order, declarations };
}

function readCompound(parts: readonly CssNodePlain[], isUncertain: boolean): Compound {
  const types: string[] = [];
  const classes: string[] = [];
  const ids: string[] = [];
  let hasUnsupportedPart = isUncertain;
  for (const part of parts) {
    if (part.type === 'TypeSelector') {
      if (part.name !== '*') types.push(part.name.toLowerCase());
    } else if (part.type === 'ClassSelector') classes.push(part.name);
    else if (part.type === 'IdSelector') ids.push(part.name);
    else if (!(part.type === 'PseudoClassSelector' && part.name.toLowerCase() === 'link'))
      hasUnsupportedPart = true;
  }
  return { types, classes, ids, isUncertain: hasUnsupportedPart };
}

function specificityOf(children: readonly CssNodePlain[]): number {
  let specificity = 0;
  for (const { type } of children) {
    if (type === 'IdSelector') specificity += 10_000;
    else if (type === 'ClassSelector' || type === 'AttributeSelector' || type === 'PseudoClassSelector')
      specificity += 100;
    else if (type === 'TypeSelector') specificity += 1;
  }
  return specificity;
}
