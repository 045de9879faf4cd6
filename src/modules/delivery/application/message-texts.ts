/** A message's parts as its person would read them: the template and the step's subject, with what is known of the person. */
import { Injectable } from '@nestjs/common';
import type { NameKey, RenderContext, RenderResult } from '../../../language/language.js';
import type { Contact } from '../../contacts/domain/contact.js';
import type { ReadyTemplate } from '../../templates/application/ready-template.js';
import type { ClaimedSend, SendEvent } from '../domain/claimed-send.js';
import { contextOfContact, joinParts, type RenderedMessage } from '../domain/rendered-message.js';
import { resolveSubject } from '../domain/subject.js';
import { SubjectTemplates } from './subject-templates.js';

/** What of a message its text depends on, beside its contact. */
export type TextOfMessage = Pick<ClaimedSend, 'options' | 'triggerEvent'>;

@Injectable()
export class MessageTexts {
  constructor(private readonly subjects: SubjectTemplates) {}

  /** The events, beside the trigger event, that the message reads. */
  eventKeys(message: TextOfMessage, template: ReadyTemplate | undefined): readonly NameKey[] {
    const subject = stepSubject(message);
    return [...(template?.eventKeys ?? []), ...(subject === '' ? [] : this.subjects.eventKeys(subject))];
  }

  /**
   * The parts of the message, without what the law adds to them.
   * @param events the contact's latest events that it reads.
   * @throws DomainError as ReadyTemplate.render.
   */
  async render(
    message: TextOfMessage,
    contact: Contact,
    template: ReadyTemplate,
    events: Record<string, SendEvent>,
    now: Date,
  ): Promise<RenderedMessage> {
    const context = contextOf(message, contact, events, now);
    const { subject, html, text } = await template.render(context);
    return joinParts({ subject: this.subject(message, subject, context), html, text });
  }

  private subject(message: TextOfMessage, stored: RenderResult | null, context: RenderContext): RenderResult {
    const source = stepSubject(message);
    const asked = source === '' ? undefined : this.subjects.render(source, context);
    // One that comes to nothing for this person is as good as none.
    const isEmpty = asked?.kind === 'rendered' && asked.text.trim() === '';
    return (isEmpty ? stored : (asked ?? stored)) ?? { kind: 'rendered', text: '' };
  }
}

function stepSubject({ options }: TextOfMessage): string {
  return resolveSubject({ flowStep: options.subject });
}

function contextOf(
  { triggerEvent }: TextOfMessage,
  contact: Contact,
  events: Record<string, SendEvent>,
  now: Date,
): RenderContext {
  const context = { ...contextOfContact(contact, now), events };
  return triggerEvent ? { ...context, triggerEvent } : context;
}
