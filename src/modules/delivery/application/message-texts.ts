/** Renders a message's parts for its recipient: the template and the step's subject, with the contact's data. */
import { Injectable } from '@nestjs/common';
import type { NameKey, RenderContext, RenderResult } from '../../../language/language.js';
import type { Contact } from '../../contacts/domain/contact.js';
import type { ReadyTemplate } from '../../templates/application/ready-template.js';
import type { ClaimedSend, SendEvent } from '../domain/claimed-send.js';
import { contextOfContact, joinParts, type RenderedMessage } from '../domain/rendered-message.js';
import { resolveSubject } from '../domain/subject.js';
import { SubjectTemplates } from './subject-templates.js';

/** The part of a message that its text depends on, besides its contact. */
export type MessageTextInput = Pick<ClaimedSend, 'options' | 'triggerEvent'>;

@Injectable()
export class MessageTexts {
  constructor(private readonly subjects: SubjectTemplates) {}

  /** The events that the message reads, besides the trigger event. */
  eventKeys(message: MessageTextInput, template: ReadyTemplate | undefined): readonly NameKey[] {
    const subject = stepSubject(message);
    return [...(template?.eventKeys ?? []), ...(subject === '' ? [] : this.subjects.eventKeys(subject))];
  }

  /**
   * Renders the parts of the message, without the footer that the law requires.
   * @param events the contact's latest events that the message reads.
   * @throws DomainError as ReadyTemplate.render.
   */
  async render(
    message: MessageTextInput,
    contact: Contact,
    template: ReadyTemplate,
    events: Record<string, SendEvent>,
    now: Date,
  ): Promise<RenderedMessage> {
    const context = contextOf(message, contact, events, now);
    const { subject, html, text } = await template.render(context);
    return joinParts({ subject: this.subject(message, subject, context), html, text });
  }

  private subject(
    message: MessageTextInput,
    stored: RenderResult | null,
    context: RenderContext,
  ): RenderResult {
    const source = stepSubject(message);
    const requested = source === '' ? undefined : this.subjects.render(source, context);
    // A subject that renders to nothing for this contact counts as absent.
    const isEmpty = requested?.kind === 'rendered' && requested.text.trim() === '';
    return (isEmpty ? stored : (requested ?? stored)) ?? { kind: 'rendered', text: '' };
  }
}

function stepSubject({ options }: MessageTextInput): string {
  return resolveSubject({ flowStep: options.subject });
}

function contextOf(
  { triggerEvent }: MessageTextInput,
  contact: Contact,
  events: Record<string, SendEvent>,
  now: Date,
): RenderContext {
  const context = { ...contextOfContact(contact, now), events };
  return triggerEvent ? { ...context, triggerEvent } : context;
}
