/** Classifies the attributes of HTML and SVG whose values need special escaping. */

/**
 * `script` includes attributes that contain a whole document (`srcdoc`); `picture` is an address that is shown and
 * never opened; `refresh` is a text that may contain addresses to navigate to.
 */
export type AttributeKind = 'plain' | 'link' | 'picture' | 'refresh' | 'style' | 'script';

const LINK_ATTRIBUTES = new Set([
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
const PICTURE_ATTRIBUTES = new Set([
  'src',
  'srcset',
  'imagesrcset',
  'lowsrc',
  'dynsrc',
  'background',
  'poster',
]);
/** SVG attributes that set the values of other attributes, which may be links. */
const ANIMATED_ATTRIBUTES = new Set(['from', 'to', 'by']);
const ANIMATION_TAGS = new Set(['animate', 'set']);

/** The kind of `attribute` on `tag`; both in lower case. */
export function attributeKind(tag: string, attribute: string): AttributeKind {
  if (attribute.startsWith('on') || attribute === 'srcdoc') return 'script';
  if (attribute === 'style') return 'style';
  if (tag === 'meta' && attribute === 'content') return 'refresh';
  if (attribute === 'values' && ANIMATION_TAGS.has(tag)) return 'refresh';
  if (LINK_ATTRIBUTES.has(attribute) || (ANIMATED_ATTRIBUTES.has(attribute) && ANIMATION_TAGS.has(tag)))
    return 'link';
  return PICTURE_ATTRIBUTES.has(attribute) ? 'picture' : 'plain';
}
