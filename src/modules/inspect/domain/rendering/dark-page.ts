/**
 * Rewrites a page for a client that inverts colors in dark mode: in sheets, style attributes and HTML's color
 * attributes. Pure.
 */
import {
  defaultTreeAdapter,
  html as names,
  parse as parseHtml,
  serialize,
  type DefaultTreeAdapterTypes as Tree,
} from 'parse5';
import { parse, walk, type CssNode } from 'css-tree';
import { hexOf, readAttributeColour, readColour, type Colour } from '../email/colour.js';
import { isTooDeep } from '../email/css-reader.js';
import type { DarkModeBehaviour } from './client-traits.js';
import { DARK_BACKGROUND, DARK_TEXT_COLOUR, darkColour, type ColourRole } from './dark-colours.js';
import { textOfNode } from './page-tree.js';

const BASE_STYLE = `html{background:${DARK_BACKGROUND};color:${DARK_TEXT_COLOUR}}a{color:#8ab4f8}`;
const ATTRIBUTES: Readonly<Record<string, ColourRole>> = { bgcolor: 'ground', text: 'text', color: 'text' };

/** @param html a page from `renderClientPage`. */
export function darkPage(html: string, behaviour: DarkModeBehaviour): string {
  const document = parseHtml(html);
  const known = new Map<string, string>();
  const attribute = (css: string): string => {
    const dark = known.get(css) ?? darkStyle(css, 'declarationList', behaviour);
    known.set(css, dark);
    return dark;
  };
  const pending: Tree.ChildNode[] = [...document.childNodes];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (!('tagName' in node)) continue;
    if (node.tagName === 'head') {
      const style = defaultTreeAdapter.createElement('style', names.NS.HTML, []);
      defaultTreeAdapter.insertText(style, BASE_STYLE);
      const [first] = node.childNodes;
      if (first) defaultTreeAdapter.insertBefore(node, style, first);
      else defaultTreeAdapter.appendChild(node, style);
      pending.push(...node.childNodes.filter((child) => child !== style));
      continue;
    }
    if (node.tagName === 'style') {
      const dark = darkStyle(textOfNode(node, Infinity), 'stylesheet', behaviour);
      node.childNodes = [];
      defaultTreeAdapter.insertText(node, dark);
      continue;
    }
    for (const each of node.attrs) {
      const role = Object.hasOwn(ATTRIBUTES, each.name) ? ATTRIBUTES[each.name] : undefined;
      if (each.name === 'style') each.value = attribute(each.value);
      else if (role) {
        const colour = readAttributeColour(each.value);
        if (colour) each.value = writtenColour(darkColour(colour, role, behaviour));
      }
    }
    pending.push(...node.childNodes);
  }
  return serialize(document);
}

/** Styles with their colors inverted; gradients and images do not change. */
function darkStyle(
  css: string,
  context: 'stylesheet' | 'declarationList',
  behaviour: DarkModeBehaviour,
): string {
  if (isTooDeep(css)) return css;
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  walk(parse(css, { context, positions: true, onParseError: () => undefined }), {
    visit: 'Declaration',
    enter: ({ property, value }) => {
      const role = roleOf(property.toLowerCase());
      if (!role || value.type !== 'Value') return;
      for (const node of value.children) {
        const { loc } = node;
        const text = loc ? css.slice(loc.start.offset, loc.end.offset) : '';
        const colour = isColour(node) ? readColour(text) : null;
        if (!loc || !colour || colour.alpha === 0) continue;
        const dark = darkColour(colour, role, behaviour);
        if (dark === colour) continue;
        edits.push({ start: loc.start.offset, end: loc.end.offset, text: writtenColour(dark) });
      }
    },
  });
  let text = '';
  let position = 0;
  for (const edit of edits.sort((a, b) => a.start - b.start)) {
    text += css.slice(position, edit.start) + edit.text;
    position = edit.end;
  }
  return text + css.slice(position);
}

function roleOf(property: string): ColourRole | null {
  if (/^(background(-color)?|border(-\w+)*|outline(-color)?|box-shadow)$/.test(property)) return 'ground';
  return /^(color|-webkit-text-fill-color|text-decoration-color|fill)$/.test(property) ? 'text' : null;
}

function isColour({ type }: CssNode): boolean {
  return type === 'Hash' || type === 'Identifier' || type === 'Function';
}

function writtenColour(colour: Colour): string {
  if (colour.alpha === 1) return hexOf(colour);
  const { red, green, blue, alpha } = colour;
  return `rgba(${Math.round(red)},${Math.round(green)},${Math.round(blue)},${alpha})`;
}
