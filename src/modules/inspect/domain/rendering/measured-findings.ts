/** Finds faults in a page that a browser has laid out, at the given width and color scheme. */
import { contrastOf, hexOf, readColour, upon, type Colour } from '../email/colour.js';
import { quote } from '../findings/finding.js';
import { CLIENT_NAMES, type RenderClient } from './render-client.js';
import type { ColourScheme, Device } from '../runs/screenshot.js';
import { causesOfWidth, sticksOut, WIDTH_SLACK } from './too-wide.js';
import type { Box, MeasuredPage } from './measured-page.js';
import type { Findings } from './rendered-source.js';

/** Where a page was measured, and which clients show it so. */
export interface Measuring {
  readonly device: Device;
  readonly scheme: ColourScheme;
  /** CSS pixels. */
  readonly width: number;
  readonly clients: readonly RenderClient[];
}

/** Below this contrast, text is unreadable; a better but still poor contrast is reported for the source. */
const UNREADABLE = 3;
const SMALLEST_TEXT = 12;
/** Text of this size and below is hidden on purpose. */
const HIDDEN_TEXT = 2;
const SMALLEST_TARGET = 24;
/** Beyond this number of CSS pixels, a page on a phone is long: some ten screens. */
const LONG_PAGE = 8_000;
/** From this area, in square CSS pixels, a blocked image leaves a gap worth reporting; a smaller one is not noticed. */
const LARGE_IMAGE = 50 * 50;

export function measuredFindings(page: MeasuredPage, measuring: Measuring, findings: Findings): void {
  const texts = page.boxes.filter(isReadable);
  const light = measuring.scheme === 'light';
  checkTexts(texts, measuring, findings);
  // Dark mode changes only colors.
  if (!light) return;
  checkWidth(page, measuring, findings);
  checkCuts(page, measuring, findings);
  checkImages(page, measuring, findings);
  if (measuring.device === 'phone') {
    checkTargets(page, measuring, findings);
    checkSizes(texts, measuring, findings);
    if (page.height > LONG_PAGE)
      findings.add(
        'page_too_long',
        `On a phone the message is ${Math.round(page.height)} pixels long.`,
        null,
        measuring.clients,
        'phone',
      );
  }
  if (texts.length === 0 && page.boxes.length > 0 && !page.cut)
    findings.add('nothing_shown', `${names(measuring)} shows no text.`, null, measuring.clients, 'text');
}

function names({ clients }: Measuring): string {
  const [first, ...more] = clients.map((client) => CLIENT_NAMES[client]);
  return more.length === 0 ? `${first}` : `${first} and ${more.length} more`;
}

function isReadable(box: Box): boolean {
  return (
    box.name === '#text' &&
    box.visible &&
    box.text.replace(/[\s\u034f\u200b-\u200f\u00ad\u2060\ufeff]/g, '') !== '' &&
    Number.parseFloat(box.style('font-size')) > HIDDEN_TEXT &&
    box.width > 0 &&
    box.x + box.width > 0 &&
    box.y + box.height > 0
  );
}

function checkTexts(texts: readonly Box[], measuring: Measuring, findings: Findings): void {
  const { scheme, clients } = measuring;
  for (const box of texts) {
    const colour = readColour(box.style('color'));
    if (!colour) continue;
    const found = faint(colour, box.ground);
    if (found)
      findings.add(
        scheme === 'light' ? 'text_unreadable' : 'dark_text_unreadable',
        `${names(measuring)} shows ${quote(box.text)} in ${found}${scheme === 'dark' ? ' in dark mode' : ''}.`,
        box.mark,
        clients,
      );
    const blocked = box.ground === null ? faint(colour, box.groundWithoutImages) : null;
    if (blocked)
      findings.add(
        scheme === 'light' ? 'text_unreadable_without_images' : 'dark_text_on_picture',
        `If images are blocked, ${quote(box.text)} is shown in ${blocked}.`,
        box.mark,
        clients,
      );
  }
}

/** A message that says which colors differ too little; null if they differ enough, or are unknown. */
function faint(colour: Colour, ground: Colour | null): string | null {
  // Transparent text is not meant to be read.
  if (!ground || colour.alpha === 0) return null;
  const seen = upon(colour, ground);
  const ratio = contrastOf(seen, ground);
  if (ratio >= UNREADABLE) return null;
  return `${hexOf(seen)} on ${hexOf(ground)}, a contrast of ${(Math.floor(ratio * 100) / 100).toFixed(2)}:1`;
}

function checkWidth(page: MeasuredPage, measuring: Measuring, findings: Findings): void {
  if (page.width <= measuring.width + WIDTH_SLACK) return;
  const rule = measuring.device === 'phone' ? 'too_wide_for_phone' : 'too_wide_for_desktop';
  const wide = page.boxes.filter(
    (box) => box.mark !== null && box.name !== '#text' && sticksOut(box, measuring.width),
  );
  for (const box of causesOfWidth(wide, measuring.width))
    findings.add(
      rule,
      `<${box.name}> extends to ${Math.round(box.x + box.width)} pixels, but only ${measuring.width} are ` +
        'available.',
      box.mark,
      measuring.clients,
    );
}

function checkCuts({ boxes }: MeasuredPage, measuring: Measuring, findings: Findings): void {
  for (const box of boxes) {
    const { scroll } = box;
    if (!scroll || !box.visible || box.mark === null || !/hidden|clip/.test(box.style('overflow-y')))
      continue;
    // Boxes without height hide on purpose.
    if (scroll.seen < SMALLEST_TEXT || scroll.whole - scroll.seen < SMALLEST_TEXT / 2) continue;
    findings.add(
      'text_cut_off',
      `<${box.name}> shows ${Math.round(scroll.seen)} of the ${Math.round(scroll.whole)} pixels of its content.`,
      box.mark,
      measuring.clients,
    );
  }
}

function checkImages({ boxes }: MeasuredPage, { clients }: Measuring, findings: Findings): void {
  const textual = linksWithText(boxes);
  for (const box of boxes) {
    if (box.name !== 'img' || box.mark === null || !box.visible) continue;
    const alt = (box.attributes.get('alt') ?? '').trim();
    if (alt !== '') continue;
    const width = Number.parseInt(box.attributes.get('width') ?? '', 10) || box.width;
    const height = Number.parseInt(box.attributes.get('height') ?? '', 10) || box.height;
    const link = linkAround(box);
    if (link && !textual.has(link))
      findings.add(
        'link_shows_nothing',
        `The link to ${quote(link.attributes.get('href') ?? '')} only contains an image without alt text.`,
        link.mark,
        clients,
      );
    else if (width * height >= LARGE_IMAGE)
      findings.add(
        'image_leaves_gap',
        `An image without alt text leaves ${Math.round(width)} × ${Math.round(height)} pixels empty.`,
        box.mark,
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
    const speaks = isReadable(box) || (box.name === 'img' && (box.attributes.get('alt') ?? '').trim() !== '');
    const link = speaks ? linkAround(box) : null;
    if (link) links.add(link);
  }
  return links;
}

/** Links within running text may be as small as the text. */
function checkTargets({ boxes }: MeasuredPage, { clients }: Measuring, findings: Findings): void {
  const alone = new Map<Box, boolean>();
  for (const box of boxes) {
    if (!isReadable(box)) continue;
    const link = linkAround(box);
    const block = blockOf(link ?? box);
    if (block && !link) alone.set(block, false);
    else if (block && !alone.has(block)) alone.set(block, true);
  }
  for (const box of boxes) {
    if (box.name !== 'a' || box.mark === null || !box.visible || !box.attributes.has('href')) continue;
    if (box.width < 1 || box.height < 1) continue;
    const block = blockOf(box);
    if (!block || alone.get(block) !== true) continue;
    if (Math.min(box.width, box.height) >= SMALLEST_TARGET) continue;
    if (block.name === 'td' && block.height >= SMALLEST_TARGET * 1.5) continue;
    findings.add(
      'tap_target_small',
      `On a phone the link to ${quote(box.attributes.get('href') ?? '')} is ${Math.round(box.width)} × ${Math.round(box.height)} pixels.`,
      box.mark,
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

function checkSizes(texts: readonly Box[], { clients }: Measuring, findings: Findings): void {
  for (const box of texts) {
    const size = Number.parseFloat(box.style('font-size'));
    if (size >= SMALLEST_TEXT) continue;
    findings.add(
      'text_small_as_shown',
      `On a phone ${quote(box.text)} has ${Number(size.toFixed(1))} pixels.`,
      box.mark,
      clients,
    );
  }
}
