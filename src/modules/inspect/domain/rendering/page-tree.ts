/** Helpers for trees of pages: bounded, and without recursion. */
import { defaultTreeAdapter, type DefaultTreeAdapterTypes as Tree } from 'parse5';

/**
 * Maximum number of elements of a rendered message; a parser repeats misnested ones in every paragraph that follows.
 */
export const MAX_ELEMENTS = 20_000;
/** Maximum depth of elements: serializing a tree recurses into it. */
const MAX_DEPTH = 400;

/** Maximum number of nodes of an element that are searched for its text. */
const MAX_NODES = 300;

export class TooManyElements extends Error {}

/** A tree adapter that builds a tree of at most MAX_ELEMENTS elements. */
export function boundedTreeAdapter(): typeof defaultTreeAdapter {
  let remaining = MAX_ELEMENTS;
  const depths = new WeakMap<object, number>();
  const descend = (parent: object, child: object): void => {
    const depth = (depths.get(parent) ?? 0) + 1;
    if (depth > MAX_DEPTH) throw new TooManyElements();
    depths.set(child, depth);
  };
  return {
    ...defaultTreeAdapter,
    createElement: (name, namespace, attributes) => {
      if (remaining-- <= 0) throw new TooManyElements();
      return defaultTreeAdapter.createElement(name, namespace, attributes);
    },
    appendChild: (parent, child) => {
      descend(parent, child);
      defaultTreeAdapter.appendChild(parent, child);
    },
    insertBefore: (parent, child, next) => {
      descend(parent, child);
      defaultTreeAdapter.insertBefore(parent, child, next);
    },
  };
}

/** The text in an element, with single blanks, of at most `maxLength` characters. */
export function textOfNode(element: Tree.Element, maxLength: number): string {
  let text = '';
  let steps = MAX_NODES;
  const waiting: Tree.ChildNode[] = element.childNodes.slice(0, MAX_NODES).reverse();
  for (let node = waiting.pop(); node && text.length < maxLength * 2 && steps-- > 0; node = waiting.pop()) {
    if (node.nodeName === '#text' && 'value' in node)
      text += maxLength === Infinity ? node.value : ` ${node.value}`;
    else if ('childNodes' in node && node.nodeName !== 'style' && node.nodeName !== 'script')
      waiting.push(...node.childNodes.slice(0, MAX_NODES).reverse());
  }
  return maxLength === Infinity
    ? text
    : text
        .replace(/[\s\u034f\u200b-\u200f\u00ad\ufeff]+/g, ' ')
        .trim()
        .slice(0, maxLength);
}

/**
 * Replaces an element with its content.
 * @returns the content.
 */
export function unwrap(element: Tree.Element): readonly Tree.ChildNode[] {
  const parent = element.parentNode;
  const children = [...element.childNodes];
  if (!parent) return [];
  for (const child of children) {
    defaultTreeAdapter.detachNode(child);
    defaultTreeAdapter.insertBefore(parent, child, element);
  }
  defaultTreeAdapter.detachNode(element);
  return children;
}
