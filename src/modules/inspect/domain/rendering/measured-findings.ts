/** Finds faults in a page that a browser has laid out, at the given width and color scheme. */
import { contrastOf, hexOf, readColour, blend, type Colour } from '../email/colour.js';
import { quote } from '../findings/finding.js';
import { CLIENT_NAMES, type RenderClient } from './render-client.js';
import type { ColourScheme, Device } from '../runs/screenshot.js';
import { overflowCauses, overflows, WIDTH_TOLERANCE_PX } from './overflow-causes.js';
import type { Box, MeasuredPage } from './measured-page.js';
import type { Findings } from './rendered-source.js';

/** Where a page was measured, and which clients show it so. */
export interface MeasuredView {
  readonly device: Device;
  readonly scheme: ColourScheme;
  /** CSS pixels. */
  readonly width: number;
  readonly clients: readonly RenderClient[];
}

/** Below this contrast, text is unreadable; a better but still poor contrast is reported for the source. */
const MIN_READABLE_CONTRAST = 3;
const MIN_TEXT_PX = 12;
/** Text of this size and below is hidden on purpose. */
const MAX_HIDDEN_TEXT_PX = 2;
const MIN_TARGET_PX = 24;
/** Beyond this number of CSS pixels, a page on a phone is long: some ten screens. */
const MAX_PHONE_PAGE_PX = 8_000;
/** From this area, in square CSS pixels, a blocked image leaves a gap worth reporting; a smaller one is not noticed. */
const MIN_GAP_AREA_PX = 50 * 50;

export function measuredFindings(page: MeasuredPage, view: MeasuredView, findings: Findings): void {
  const texts = page.boxes.filter(isReadable);
  const isLight = view.scheme === 'light';
  checkTexts(texts, view, findings);
  // Dark mode changes only colors.
  if (!isLight) return;
  checkWidth(page, view, findings);
  checkClippedText(page, view, findings);
  checkImages(page, view, findings);
  if (view.device === 'phone') {
    checkTapTargets(page, view, findings);
    checkSizes(texts, view, findings);
    if (page.height > MAX_PHONE_PAGE_PX)
      findings.add(
        'page_too_long',
        `On a phone the message is ${Math.round(page.height)} pixels long.`,
        null,
        view.clients,
        'phone',
      );
  }
  if (texts.length === 0 && page.boxes.length > 0 && !page.isTruncated)
    findings.add('nothing_shown', `${clientNamesOf(view)} shows no text.`, null, view.clients, 'text');
}

function clientNamesOf({ clients }: MeasuredView): string {
  const [first, ...more] = clients.map((client) => CLIENT_NAMES[client]);
  return more.length === 0 ? `${first}` : `${first} and ${more.length} more`;
}

function isReadable(box: Box): boolean {
  return (
    box.name === '#text' &&
    box.visible &&
    box.text.replace(/[\s\u034f\u200b-\u200f\u00ad\u2060\ufeff]/g, '') !== '' &&
    Number.parseFloat(box.style('font-size')) > MAX_HIDDEN_TEXT_PX &&
    box.width > 0 &&
    box.x + box.width > 0 &&
    box.y + box.height > 0
  );
}

function checkTexts(texts: readonly Box[], view: MeasuredView, findings: Findings): void {
  const { scheme, clients } = view;
  for (const box of texts) {
    const colour = readColour(box.style('color'));
    if (!colour) continue;
    const found = lowContrast(colour, box.ground);
    if (found)
      findings.add(
        scheme === 'light' ? 'text_unreadable' : 'dark_text_unreadable',
        `${clientNamesOf(view)} shows ${quote(box.text)} in ${found}${scheme === 'dark' ? ' in dark mode' : ''}.`,
        box.offset,
        clients,
      );
    const blocked = box.ground === null ? lowContrast(colour, box.groundWithoutImages) : null;
    if (blocked)
      findings.add(
        scheme === 'light' ? 'text_unreadable_without_images' : 'dark_text_on_picture',
        `If images are blocked, ${quote(box.text)} is shown in ${blocked}.`,
        box.offset,
        clients,
      );
  }
}

/** A message that says which colors differ too little; null if they differ enough, or are unknown. */
function lowContrast(colour: Colour, background: Colour | null): string | null {
  // Transparent text is not meant to be read.
  if (!background || colour.alpha === 0) return null;
  const visible = blend(colour, background);
  const ratio = contrastOf(visible, background);
  if (ratio >= MIN_READABLE_CONTRAST) return null;
  return `${hexOf(visible)} on ${hexOf(background)}, a contrast of ${(Math.floor(ratio * 100) / 100).toFixed(2)}:1`;
}

function checkWidth(page: MeasuredPage, view: MeasuredView, findings: Findings): void {
  if (page.width <= view.width + WIDTH_TOLERANCE_PX) return;
  const rule = view.device === 'phone' ? 'too_wide_for_phone' : 'too_wide_for_desktop';
  const wide = page.boxes.filter(
    (box) => box.offset !== null && box.name !== '#text' && overflows(box, view.width),
  );
  for (const box of overflowCauses(wide, view.width))
    findings.add(
      rule,
      `<${box.name}> extends to ${Math.round(box.x + box.width)} pixels, but only ${view.width} are ` +
        'available.',
      box.offset,
      view.clients,
    );
}

function checkClippedText({ boxes }: MeasuredPage, view: MeasuredView, findings: Findings): void {
  for (const box of boxes) {
    const { scroll } = box;
    if (!scroll || !box.visible || box.offset === null || !/hidden|clip/.test(box.style('overflow-y')))
      continue;
    // Boxes without height hide on purpose.
    if (scroll.visibleHeight < MIN_TEXT_PX || scroll.fullHeight - scroll.visibleHeight < MIN_TEXT_PX / 2)
      continue;
    findings.add(
      'text_cut_off',
      `<${box.name}> shows ${Math.round(scroll.visibleHeight)} of the ${Math.round(scroll.fullHeight)} pixels of its content.`,
      box.offset,
      view.clients,
    );
  }
}

function checkImages({ boxes }: MeasuredPage, { clients }: MeasuredView, findings: Findings): void {
  const linksNamedByText = linksWithText(boxes);
  for (const box of boxes) {
    if (box.name !== 'img' || box.offset === null || !box.visible) continue;
    const alt = (box.attributes.get('alt') ?? '').trim();
    if (alt !== '') continue;
    const width = Number.parseInt(box.attributes.get('width') ?? '', 10) || box.width;
    const height = Number.parseInt(box.attributes.get('height') ?? '', 10) || box.height;
    const link = linkAround(box);
    if (link && !linksNamedByText.has(link))
      findings.add(
        'link_shows_nothing',
        `The link to ${quote(link.attributes.get('href') ?? '')} only contains an image without alt text.`,
        link.offset,
        clients,
      );
    else if (width * height >= MIN_GAP_AREA_PX)
      findings.add(
        'image_leaves_gap',
        `An image without alt text leaves ${Math.round(width)} × ${Math.round(height)} pixels empty.`,
        box.offset,
        clients,
      );
  }
}

function linkAround(box: Box): Box | null {
  let outer: Box | null = box;
  for (let steps = 0; outer && steps < 100; steps++) {
    if (outer.name === 'a' && outer.attributes.has('href')) return outer;
    outer = outer.parent;
  }
  return null;
}

/** Links with readable content: a text, or the alt of an image. */
function linksWithText(boxes: readonly Box[]): ReadonlySet<Box> {
  const links = new Set<Box>();
  for (const box of boxes) {
    const hasContent =
      isReadable(box) || (box.name === 'img' && (box.attributes.get('alt') ?? '').trim() !== '');
    const link = hasContent ? linkAround(box) : null;
    if (link) links.add(link);
  }
  return links;
}

/** Links within running text may be as small as the text. */
function checkTapTargets({ boxes }: MeasuredPage, { clients }: MeasuredView, findings: Findings): void {
  const hasOnlyLinks = new Map<Box, boolean>();
  for (const box of boxes) {
    if (!isReadable(box)) continue;
    const link = linkAround(box);
    const block = blockOf(link ?? box);
    if (block && !link) hasOnlyLinks.set(block, false);
    else if (block && !hasOnlyLinks.has(block)) hasOnlyLinks.set(block, true);
  }
  for (const box of boxes) {
    if (box.name !== 'a' || box.offset === null || !box.visible || !box.attributes.has('href')) continue;
    if (box.width < 1 || box.height < 1) continue;
    const block = blockOf(box);
    if (!block || hasOnlyLinks.get(block) !== true) continue;
    if (Math.min(box.width, box.height) >= MIN_TARGET_PX) continue;
    if (block.name === 'td' && block.height >= MIN_TARGET_PX * 1.5) continue;
    findings.add(
      'tap_target_small',
      `On a phone the link to ${quote(box.attributes.get('href') ?? '')} is ${Math.round(box.width)} × ${Math.round(box.height)} pixels.`,
      box.offset,
      clients,
    );
  }
}

const INLINE = new Set('a span b strong i em u font small sub sup img #text'.split(' '));

function blockOf(box: Box): Box | null {
  let outer: Box | null = box;
  for (let steps = 0; outer && steps < 100 && INLINE.has(outer.name); steps++) outer = outer.parent;
  return outer;
}

function checkSizes(texts: readonly Box[], { clients }: MeasuredView, findings: Findings): void {
  for (const box of texts) {
    const size = Number.parseFloat(box.style('font-size'));
    if (size >= MIN_TEXT_PX) continue;
    findings.add(
      'text_small_as_shown',
      `On a phone ${quote(box.text)} has ${Number(size.toFixed(1))} pixels.`,
      box.offset,
      clients,
    );
  }
}
