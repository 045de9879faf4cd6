/**
 * What is peculiar to a mail program, beyond the features that it lacks by the data of caniemail.com. Each program has a
 * file of its own beside this one; `client-page.ts` applies them.
 */
import { DEVICES, type Device } from '../runs/screenshot.js';
import { answerOf, FEATURES } from '../support/support-data.js';

/** A declaration that a program meets; `element` is null where it stands in a style sheet. */
export interface Met {
  readonly property: string;
  /** In lower case, without !important. */
  readonly text: string;
  readonly element: string | null;
}

/**
 * What becomes of colours in the dark: `kept` as they are; chosen by the message's own styles (`query`); light grounds
 * darkened and dark text lightened (`partial`); or all of them turned over (`full`).
 */
export type DarkWay = 'kept' | 'query' | 'partial' | 'full';

export interface ClientTraits {
  /** Family and app in the data. */
  readonly app: readonly [family: string, app: string];
  /** Whether comments of the form `[if mso]` are acted on. */
  readonly conditionals: boolean;
  /** Whether the message becomes a part of another page: its body is a division there, in a page of standards mode. */
  readonly embedded: boolean;
  /** What is put before classes and ids. */
  readonly prefix: string;
  /** Characters of all <style> together that are used; null is: all. */
  readonly mostStyle: number | null;
  /** Whether one error makes a whole <style> fall. */
  readonly strictStyle: boolean;
  /** Whether <style> counts in the body. */
  readonly bodyStyle: boolean;
  readonly dark: DarkWay;
  /** What it runs on: it is measured and pictured there alone. */
  readonly devices: readonly Device[];
  /** Features that the data calls unsupported and that are not dropped all the same. */
  readonly spares: ReadonlySet<string>;
  /** What else it does not heed of declarations. */
  readonly ignores: (met: Met) => boolean;
  /** Whether it heeds @media with these words, where it heeds @media. */
  readonly heedsMedia: (prelude: string) => boolean;
  /** Styles that hold whatever the message says. */
  readonly ownStyle: string;
}

/** A program that shows what it is sent. */
export const PLAIN: Omit<ClientTraits, 'app'> = {
  conditionals: false,
  embedded: false,
  prefix: '',
  mostStyle: null,
  strictStyle: false,
  bodyStyle: true,
  dark: 'kept',
  devices: DEVICES,
  spares: new Set(),
  ignores: () => false,
  heedsMedia: () => true,
  ownStyle: '',
};

/** Features that say nothing of how a message looks, or that are told of elsewhere. */
const UNSEEN = new Set([
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

/** The features that a program lacks. */
export function lackedBy({ app: [family, app], spares }: Pick<ClientTraits, 'app' | 'spares'>): Set<string> {
  return new Set(
    FEATURES.filter((slug) => answerOf(slug, family, app) === 'n' && !UNSEEN.has(slug) && !spares.has(slug)),
  );
}

/** Whether a margin or an indent is negative. */
export function isNegative({ property, text }: Met): boolean {
  return /^(margin(-\w+)?|text-indent)$/.test(property) && /(^|\s)-[\d.]/.test(text);
}

/** Whether a colour is written with blanks, as in `rgb(0 128 0 / 1)`. */
export function hasBlankColour({ text }: Met): boolean {
  return /\brgba?\(\s*[\d.%]+\s+[\d.%]/.test(text);
}
