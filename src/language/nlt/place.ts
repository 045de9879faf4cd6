/** How a value is written at an expression's place in HTML, and what is safe where branches leave several places. */
import type { AddressPart } from './address-state.js';

export type Place = SinglePlace & {
  /** Whether it is a comment too, for programs that read the document in another way. */
  readonly isComment?: boolean;
};

type SinglePlace =
  | {
      readonly kind: 'text';
      /** Whether a `<` stands right before, which the value's first letter would make a tag. */
      readonly afterLess: boolean;
    }
  /** Where letters could name something: digits alone are safe, here and everywhere. */
  | { readonly kind: 'tag' }
  /** What nobody is shown, and whatever is written without `<` and `>` leaves as it is. */
  | { readonly kind: 'comment' }
  /** What runs, and whatever cannot be told from it: what is written for it is safe everywhere. */
  | { readonly kind: 'script'; readonly quoted: boolean }
  | { readonly kind: 'style'; readonly quoted: boolean; readonly inElement: boolean }
  | { readonly kind: 'attribute'; readonly quoted: boolean }
  /** A text in which an address may stand that is gone to. */
  | { readonly kind: 'refresh'; readonly quoted: boolean }
  | LinkPlace
  /** A text, an attribute or a link: the branches before leave it open. */
  | { readonly kind: 'unsure' };

export interface LinkPlace {
  readonly kind: 'link';
  readonly quoted: boolean;
  readonly part: AddressPart;
  /** Whether the static text before already settles the scheme, so that a colon is harmless. */
  readonly anchored: boolean;
  /** Whether the address is shown and opens nothing. */
  readonly isPicture: boolean;
  /** Where its letters stand: in HTML, or in a `url()` of CSS in an attribute or an element. */
  readonly within: 'html' | 'style attribute' | 'style element';
}

/** The place whose way of writing is safe in both. */
export function inBoth(a: Place, b: Place): Place {
  if (a.kind === 'tag' || b.kind === 'tag') return { kind: 'tag' };
  if (a.kind === 'comment') return b;
  if (b.kind === 'comment') return a;
  if (a.kind === 'text' && b.kind === 'text') return { kind: 'text', afterLess: a.afterLess || b.afterLess };
  const quoted = isQuoted(a) && isQuoted(b);
  if (a.kind === 'attribute' && b.kind === 'attribute') return { kind: 'attribute', quoted };
  if (a.kind === 'link' && b.kind === 'link' && a.within === b.within) {
    const part = (['reference', 'query', 'start', 'slash'] as const).find(
      (one) => a.part === one || b.part === one,
    );
    return {
      kind: 'link',
      quoted,
      part: part ?? 'path',
      anchored: a.anchored && b.anchored,
      isPicture: a.isPicture && b.isPicture,
      within: a.within,
    };
  }
  if (a.kind === 'refresh' && b.kind === 'refresh') return { kind: 'refresh', quoted };
  if (a.kind === 'style' && b.kind === 'style' && a.inElement === b.inElement) return { ...a, quoted };
  return isOpen(a) && isOpen(b) ? { kind: 'unsure' } : { kind: 'script', quoted };
}

/** Whether white space does not end the place. */
function isQuoted(place: Place): boolean {
  return place.kind === 'text' || ('quoted' in place && place.quoted);
}

/** Whether a value that is written for text and for addresses alike is safe here. */
function isOpen(place: Place): boolean {
  if (place.kind === 'link') return place.within === 'html';
  return place.kind === 'text' || place.kind === 'attribute' || place.kind === 'unsure';
}
