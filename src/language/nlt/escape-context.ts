/** The escaping contexts of values in HTML, and the context that is safe if branches leave several possibilities. */
import type { AddressPart } from './address-state.js';

export type EscapeContext = SingleEscapeContext & {
  /** Whether it is also a comment, for programs that parse the document differently. */
  readonly isComment?: boolean;
};

type SingleEscapeContext =
  | {
      readonly kind: 'text';
      /** Whether a `<` directly precedes, which the first letter of the value would turn into a tag. */
      readonly afterLessThan: boolean;
    }
  /** Where letters could form a name: only digits are safe, in every context. */
  | { readonly kind: 'tag' }
  /** Content that is never shown, and that every text without `<` and `>` leaves unchanged. */
  | { readonly kind: 'comment' }
  /** Content that is executed, or that cannot be distinguished from it: escaped so that it is safe in every context. */
  | { readonly kind: 'script'; readonly quoted: boolean }
  | { readonly kind: 'style'; readonly quoted: boolean; readonly inElement: boolean }
  | { readonly kind: 'attribute'; readonly quoted: boolean }
  /** A text that may contain an address to navigate to. */
  | { readonly kind: 'refresh'; readonly quoted: boolean }
  | LinkContext
  /** A text, an attribute or a link: the preceding branches leave it open. */
  | { readonly kind: 'unsure' };

export interface LinkContext {
  readonly kind: 'link';
  readonly quoted: boolean;
  readonly part: AddressPart;
  /** Whether the preceding static text determines the scheme, so that a colon is harmless. */
  readonly anchored: boolean;
  /** Whether the address is shown and opens nothing. */
  readonly isPicture: boolean;
  /** Where the address is written: in HTML, or in a `url()` of CSS in an attribute or an element. */
  readonly within: 'html' | 'style attribute' | 'style element';
}

/** The context whose escaping is safe in both. */
export function safeInBoth(a: EscapeContext, b: EscapeContext): EscapeContext {
  if (a.kind === 'tag' || b.kind === 'tag') return { kind: 'tag' };
  if (a.kind === 'comment') return b;
  if (b.kind === 'comment') return a;
  if (a.kind === 'text' && b.kind === 'text')
    return { kind: 'text', afterLessThan: a.afterLessThan || b.afterLessThan };
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
  return isTextOrAddress(a) && isTextOrAddress(b) ? { kind: 'unsure' } : { kind: 'script', quoted };
}

/** Whether white space leaves the context open. */
function isQuoted(context: EscapeContext): boolean {
  return context.kind === 'text' || ('quoted' in context && context.quoted);
}

/** Whether a value escaped for both text and addresses is safe here. */
function isTextOrAddress(context: EscapeContext): boolean {
  if (context.kind === 'link') return context.within === 'html';
  return context.kind === 'text' || context.kind === 'attribute' || context.kind === 'unsure';
}
