/** Names the features of HTML and the image formats that an element uses, by the slugs of caniemail.com. */
import type { EmailElement } from '../email/parsed-email.js';
import { SUPPORT } from './support-data.js';

const ELEMENTS: ReadonlyMap<string, string> = new Map([
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name): [string, string] => [name, 'html-h1-h6']),
  ...['ul', 'ol', 'dl'].map((name): [string, string] => [name, 'html-lists']),
  ...'article aside details figcaption figure footer header main mark nav section summary time'
    .split(' ')
    .map((name): [string, string] => [name, 'html-semantics']),
  ['map', 'html-image-maps'],
]);

/** Attributes with an entry in the data; those that every good email has are left out. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  background: 'html-background',
  hidden: 'html-hidden',
  loading: 'html-loading-attribute',
  popover: 'html-popover',
  required: 'html-required',
  srcset: 'html-srcset',
};

const IMAGE_FORMATS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    apng: 'image-apng',
    avif: 'image-avif',
    bmp: 'image-bmp',
    hdr: 'image-hdr',
    heic: 'image-heif',
    heif: 'image-heif',
    ico: 'image-ico',
    mp4: 'image-mp4',
    svg: 'image-svg',
    tif: 'image-tiff',
    tiff: 'image-tiff',
    webp: 'image-webp',
  }),
);

/** The features of an element and its attributes. */
export function featuresOfElement(element: EmailElement): string[] {
  const { name, attributes, isWritten } = element;
  if (!isWritten) return [];
  const slugs = [featureOfTag(element)];
  for (const attribute of attributes.keys()) slugs.push(featureOfAttribute(attribute) ?? '');
  if (name === 'meta' && attributes.get('name')?.toLowerCase() === 'color-scheme') {
    slugs.push('html-meta-color-scheme');
  }
  if (name === 'a') slugs.push(...linkSlugs(attributes.get('href')?.trim().toLowerCase() ?? ''));
  return slugs.filter((slug) => SUPPORT.has(slug));
}

/** The feature of an element by itself. */
export function featureOfTag({ name, attributes }: Pick<EmailElement, 'name' | 'attributes'>): string {
  const shared = ELEMENTS.get(name);
  if (shared !== undefined) return shared;
  const type = attributes.get('type')?.toLowerCase();
  if (name === 'input') return `html-input-${type ?? 'text'}`;
  if (name === 'button') return `html-button-${type ?? 'submit'}`;
  return `html-${name}`;
}

/** The feature of an attribute; undefined if it has no entry in the data. */
export function featureOfAttribute(attribute: string): string | undefined {
  return Object.hasOwn(ATTRIBUTES, attribute) ? ATTRIBUTES[attribute] : undefined;
}

function linkSlugs(href: string): string[] {
  if (href.startsWith('mailto:')) return ['html-mailto-links'];
  return href.startsWith('#') && href.length > 1 ? ['html-anchor-links'] : [];
}

/** The format of an image by its address; undefined for common ones and if the address does not show it. */
export function imageFormatOf(source: string): string | undefined {
  const embedded = /^\s*data:image\/([a-z]+)/i.exec(source)?.[1];
  const ending = embedded ?? /\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(source.slice(-2_000))?.[1];
  return IMAGE_FORMATS.get(ending?.toLowerCase() ?? '');
}
