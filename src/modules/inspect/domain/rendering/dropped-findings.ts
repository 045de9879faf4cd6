/** Finds faults that appear once email clients have dropped what they do not support; needs no browser. */
import { quote, type RuleFinding } from '../findings/finding.js';
import { GMAIL_CLIP_BYTES } from '../checks/message-size.js';
import { CLIENT_NAMES, type RenderClient } from './render-client.js';
import type { ClientPage } from './client-page.js';
import { CLIENTS } from './clients.js';
import type { Dropped } from './dropped.js';
import { Findings, type RenderedSource } from './rendered-source.js';

const LAYOUT = new Set([
  'position',
  'float',
  'flex-direction',
  'grid-template-columns',
  'grid-template-areas',
]);
/** The declarations with which an author hides a text. */
const HIDING_STYLE =
  /(^|;)\s*(display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|(max-height|font-size|opacity)\s*:\s*0(px|pt)?\b\s*(!|;|$))/i;

/**
 * @param pages the page of each client.
 * @param addedBytes the bytes that delivery adds.
 */
export function droppedFindings(
  pages: ReadonlyMap<RenderClient, ClientPage>,
  source: RenderedSource,
  addedBytes: number,
): RuleFinding[] {
  const findings = new Findings(source);
  for (const [client, page] of pages) {
    for (const dropped of page.dropped) checkDropped(dropped, client, findings);
    if (client.startsWith('gmail')) checkClipping(page, addedBytes, client, findings);
    if (CLIENTS[client].devices.includes('phone')) checkMedia(page, client, findings);
  }
  return findings.list();
}

function checkDropped(dropped: Dropped, client: RenderClient, findings: Findings): void {
  const { kind, name, value, at, element, text } = dropped;
  const clientName = CLIENT_NAMES[client];
  const report = (rule: Parameters<Findings['add']>[0], message: string, target?: string): void => {
    findings.add(rule, message, at, [client], target);
  };
  if (kind === 'element' && dropped.lost && text !== '')
    report('text_lost', `${clientName} drops <${name}> with its text ${quote(text)}.`);
  if (kind === 'sheet') report('styles_lost', `${clientName} drops a whole <style> element: ${value}.`);
  if (kind === 'at_rule' && name === 'font-face')
    report(
      'web_font_lost',
      `${clientName} does not load fonts and shows the next family in font-family.`,
      'font-face',
    );
  if (kind === 'at_rule' && name === 'media' && /prefers-color-scheme/i.test(value))
    report('dark_styles_lost', `${clientName} does not support dark mode styles.`, 'prefers-color-scheme');
  if (kind === 'attribute' && name === 'hidden' && text !== '')
    report('hidden_text_shown', `${clientName} shows text hidden with the hidden attribute: ${quote(text)}.`);
  if (kind === 'attribute' && name === 'background' && text !== '')
    report('background_image_lost', `${clientName} does not show the background behind ${quote(text)}.`);
  if (kind !== 'declaration') return;
  const declared = `${name}: ${value}`;
  if (isHiding(dropped) && text !== '' && !HIDING_STYLE.test(dropped.remainingStyle))
    report('hidden_text_shown', `${clientName} does not support “${declared}” and shows ${quote(text)}.`);
  else if (isLayout(name, value))
    report(
      'layout_lost',
      `${clientName} does not support “${declared}”, so the elements are stacked or misplaced.`,
      element === 'style' ? declared : undefined,
    );
  if (/^background(-image)?$/.test(name) && /url\(|gradient\(/i.test(value) && text !== '') {
    const hasBackground = /(^|;)background(-color)?:/.test(dropped.remainingStyle);
    if (!hasBackground)
      report(
        'background_image_lost',
        `${clientName} shows no background behind ${quote(text)}: “${declared}”.`,
      );
  }
  if (/^padding/.test(name) && element === 'a' && /(^|;)background(-color)?:/.test(dropped.remainingStyle))
    report('button_padding_lost', `${clientName} gives the button ${quote(text)} no padding.`);
}

function isHiding({ name, value }: Dropped): boolean {
  return HIDING_STYLE.test(`${name}:${value}`);
}

function isLayout(name: string, value: string): boolean {
  if (name === 'display') return /^(inline-)?(flex|grid)$/i.test(value);
  if (name === 'position') return /absolute|fixed|sticky/i.test(value);
  return LAYOUT.has(name) && !/^(none|static|relative|row)$/i.test(value);
}

function checkClipping(
  { html }: ClientPage,
  addedBytes: number,
  client: RenderClient,
  findings: Findings,
): void {
  // Without the offset attributes that the page carries for measuring.
  const size = Buffer.byteLength(html.replace(/ data-wp="\d{1,9}"/g, '')) + addedBytes;
  if (size <= GMAIL_CLIP_BYTES) return;
  const message =
    `When sent and rewritten by Gmail, the message has ${(size / 1024).toFixed(1)} KB; everything after 102 ` +
    'KB is hidden.';
  findings.add('clipped_by_gmail', message, null, [client], 'gmail');
}

/** Styles for narrow screens that a client on phones does not apply. */
function checkMedia({ dropped }: ClientPage, client: RenderClient, findings: Findings): void {
  const narrow = dropped.find(
    ({ kind, name, value }) => kind === 'at_rule' && name === 'media' && /max-(device-)?width/i.test(value),
  );
  if (!narrow) return;
  const message = `${CLIENT_NAMES[client]} does not support media queries for narrow screens: @media ${narrow.value}.`;
  findings.add('narrow_styles_lost', message, narrow.at, [client], 'max-width');
}
