/** Checks for elements that behave differently in a message than on a page, or do nothing (section 4.7, html). */
import { supportClause, affectedClients } from '../support/client-support.js';
import type { RuleFinding } from '../findings/finding.js';
import type { EmailElement, ParsedEmail } from '../email/parsed-email.js';
import type { RuleName } from '../rules/catalogue.js';
import { atElement, isInside } from './element-findings.js';

const OBSOLETE = new Set(
  'acronym basefont bgsound big dir isindex listing multicol nextid nobr noembed plaintext rb spacer strike tt xmp'.split(
    ' ',
  ),
);
const FIELDS = new Set(['input', 'select', 'textarea']);
const FORM = new Set(['form']);

/** Elements with their own rule, and the feature of caniemail.com to mention with it. */
const ELEMENT_RULES: Readonly<Record<string, readonly [RuleName, string]>> = {
  form: ['form_in_email', 'html-form'],
  button: ['button_element', 'html-button-submit'],
  video: ['video_element', 'html-video'],
  audio: ['audio_element', 'html-audio'],
  svg: ['svg_inline', 'html-svg'],
  canvas: ['canvas_element', ''],
  dialog: ['canvas_element', 'html-dialog'],
  progress: ['canvas_element', 'html-progress'],
  meter: ['canvas_element', 'html-meter'],
  marquee: ['marquee_element', 'html-marquee'],
  blink: ['marquee_element', ''],
  map: ['image_map', 'html-image-maps'],
};

export function checkElements({ elements }: ParsedEmail): RuleFinding[] {
  return elements.flatMap((element): RuleFinding[] => {
    const { name } = element;
    if (!element.isWritten) return [];
    if (OBSOLETE.has(name)) return [atElement('element_obsolete', element, `<${name}> is obsolete.`)];
    if (FIELDS.has(name)) return fieldOutsideForm(element);
    const known = Object.hasOwn(ELEMENT_RULES, name) ? ELEMENT_RULES[name] : undefined;
    if (!known) return [];
    const [rule, slug] = known;
    const clause = supportClause(slug);
    const message = `There is a <${name}>${clause === '' ? '' : `; it is ${clause}`}.`;
    const clients = affectedClients(slug);
    return [{ ...atElement(rule, element, message), ...(clients.length > 0 ? { clients } : {}) }];
  });
}

/** Within a form, only the form is reported. */
function fieldOutsideForm(element: EmailElement): RuleFinding[] {
  if (element.attributes.get('type')?.toLowerCase() === 'hidden' || isInside(element, FORM)) return [];
  const message = `The message contains a form field, <${element.name}>.`;
  return [{ ...atElement('form_in_email', element, message), clients: affectedClients('html-form') }];
}
