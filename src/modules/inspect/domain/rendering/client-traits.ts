/**
 * The traits of an email client beyond the features that it lacks by the data of caniemail.com. Each client has its own
 * file in this folder; `client-page.ts` applies them.
 */
import { DEVICES, type Device } from '../runs/screenshot.js';
import { answerOf, FEATURES } from '../support/support-data.js';

/** A declaration to be judged; `element` is null if it is in a style sheet. */
export interface RenderedDeclaration {
  readonly property: string;
  /** In lower case, without !important. */
  readonly text: string;
  readonly element: string | null;
}

/**
 * How colors change in dark mode: not at all (`kept`); by the message's own styles (`query`); light backgrounds are
 * darkened and dark text is lightened (`partial`); or all colors are inverted (`full`).
 */
export type DarkModeBehaviour = 'kept' | 'query' | 'partial' | 'full';

export interface ClientTraits {
  /** Family and app in the data of caniemail.com. */
  readonly app: readonly [family: string, app: string];
  /** Whether it interprets comments of the form `[if mso]`. */
  readonly conditionals: boolean;
  /** Whether the message becomes part of another page: its body is a division there, in a page of standards mode. */
  readonly embedded: boolean;
  /** The prefix that it adds to classes and ids. */
  readonly prefix: string;
  /** Maximum number of characters of all <style> elements together that it uses; null for no limit. */
  readonly maxStyleLength: number | null;
  /** Whether one error makes it drop a whole <style> element. */
  readonly strictStyle: boolean;
  /** Whether it applies <style> elements in the body. */
  readonly bodyStyle: boolean;
  readonly dark: DarkModeBehaviour;
  /** The devices that it runs on: it is measured and captured only there. */
  readonly devices: readonly Device[];
  /** Features that are unsupported by the data but are not dropped. */
  readonly spares: ReadonlySet<string>;
  /** Other declarations that it ignores. */
  readonly ignores: (declaration: RenderedDeclaration) => boolean;
  /** Whether it applies @media with this prelude, if it supports @media. */
  readonly appliesMedia: (prelude: string) => boolean;
  /** Styles that apply to every message. */
  readonly ownStyle: string;
}

/** A client that shows a message as it is. */
export const DEFAULT_TRAITS: Omit<ClientTraits, 'app'> = {
  conditionals: false,
  embedded: false,
  prefix: '',
  maxStyleLength: null,
  strictStyle: false,
  bodyStyle: true,
  dark: 'kept',
  devices: DEVICES,
  spares: new Set(),
  ignores: () => false,
  appliesMedia: () => true,
  ownStyle: '',
};

/** Features that do not affect how a message looks, or that are reported elsewhere. */
const INVISIBLE_FEATURES = new Set([
  ...['html-target', 'html-doctype', 'html-style', 'html-body', 'html-anchor-links', 'html-mailto-links'],
  ...[
    'css-comments',
    'css-important',
    'html-comments',
    'html-lang',
    'html-role',
    'html-img',
    'html-required',
  ],
  ...['label', 'labelledby', 'describedby', 'hidden', 'live'].map((name) => `html-aria-${name}`),
]);

/** The features that a client lacks. */
export function unsupportedFeatures({
  app: [family, app],
  spares,
}: Pick<ClientTraits, 'app' | 'spares'>): Set<string> {
  return new Set(
    FEATURES.filter(
      (slug) => answerOf(slug, family, app) === 'n' && !INVISIBLE_FEATURES.has(slug) && !spares.has(slug),
    ),
  );
}

/** Whether a margin or an indent is negative. */
export function isNegative({ property, text }: RenderedDeclaration): boolean {
  return /^(margin(-\w+)?|text-indent)$/.test(property) && /(^|\s)-[\d.]/.test(text);
}

/** Whether a color is written with spaces, as in `rgb(0 128 0 / 1)`. */
export function hasBlankColour({ text }: RenderedDeclaration): boolean {
  return /\brgba?\(\s*[\d.%]+\s+[\d.%]/.test(text);
}
