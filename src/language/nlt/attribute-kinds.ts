/** What the attributes of HTML and SVG hold, as far as a value in them must be written in a way of its own. */

/**
 * `script` is also what holds a document of its own (`srcdoc`); `picture` is an address that shows and opens nothing;
 * `refresh` a text in which addresses may stand, of where to go next.
 */
export type AttributeKind = 'plain' | 'link' | 'picture' | 'refresh' | 'style' | 'script';

const LINKS = new Set([
  'href',
  'xlink:href',
  'data',
  'action',
  'formaction',
  'cite',
  'longdesc',
  'ping',
  'manifest',
  'codebase',
  'classid',
  'profile',
]);
const PICTURES = new Set(['src', 'srcset', 'imagesrcset', 'lowsrc', 'dynsrc', 'background', 'poster']);
/** The attributes of SVG that give others their values: those may be links. */
const ANIMATED = new Set(['from', 'to', 'by']);
const ANIMATING = new Set(['animate', 'set']);

/** What `attribute` of `tag` holds; both in lower case. */
export function attributeKind(tag: string, attribute: string): AttributeKind {
  if (attribute.startsWith('on') || attribute === 'srcdoc') return 'script';
  if (attribute === 'style') return 'style';
  if (tag === 'meta' && attribute === 'content') return 'refresh';
  if (attribute === 'values' && ANIMATING.has(tag)) return 'refresh';
  if (LINKS.has(attribute) || (ANIMATED.has(attribute) && ANIMATING.has(tag))) return 'link';
  return PICTURES.has(attribute) ? 'picture' : 'plain';
}
