/** Combines the rendered parts of one message. A message has all of them, or is not sent (section 4.3, `required`). */
import type { RenderContext, RenderResult } from '../../../language/language.js';
import type { Contact } from '../../contacts/domain/contact.js';

const PARTS = ['subject', 'html', 'text'] as const;

export type MessageText = Readonly<Record<(typeof PARTS)[number], string>>;

/** The result of the first part that could not be rendered. */
export type UnrenderedMessage = Exclude<RenderResult, { readonly kind: 'rendered' }>;

export type RenderedMessage = ({ readonly kind: 'rendered' } & MessageText) | UnrenderedMessage;

/** All parts, or the result of the first one that could not be rendered. */
export function joinParts(results: Readonly<Record<keyof MessageText, RenderResult>>): RenderedMessage {
  const text = { subject: '', html: '', text: '' };
  for (const part of PARTS) {
    const result = results[part];
    if (result.kind !== 'rendered') return result;
    text[part] = result.text;
  }
  return { kind: 'rendered', ...text };
}

/** The context for rendering a message to a contact, without events. */
export function contextOfContact(contact: Contact, now: Date): RenderContext {
  return {
    contact: { ...contact },
    now,
    ...(contact.locale === null ? {} : { locale: contact.locale }),
    ...(contact.timezone === null ? {} : { timeZone: contact.timezone }),
  };
}
