/** Loads the tenant's data for rehearsals of sending (domain/send-rehearsal), and previews messages. */
import { Inject, Injectable } from '@nestjs/common';
import type { ContentType } from '../../../kernel/email-settings.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { Database } from '../../../platform/database/database.js';
import { runCooperatively } from '../../../platform/threads/run-cooperatively.js';
import type { Contact } from '../../contacts/domain/contact.js';
import { TopicService } from '../../preferences/application/topic.service.js';
import type { TopicRule } from '../../preferences/domain/preferences.js';
import type { ReadyTemplate } from '../../templates/application/ready-template.js';
import { TemplateCatalogue } from '../../templates/application/template-catalogue.js';
import { TemplateTopics } from '../../templates/application/template-topics.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import type { SendEvent } from '../domain/claimed-send.js';
import { complianceFooter, withFooter } from '../domain/compliance.js';
import type { SendOptions } from '../domain/email-log.js';
import { latestEventNames } from '../domain/latest-events.js';
import type { RenderedMessage } from '../domain/rendered-message.js';
import { unsentText } from '../domain/send-decision.js';
import type { SendSimulationInputs } from '../domain/send-simulation.js';
import type { Throttle } from '../domain/throttle.js';
import { LatestEventsRepository } from '../persistence/latest-events.repository.js';
import { MessageTexts } from './message-texts.js';

/** A message to preview without sending it. */
export interface PreviewedMessage {
  readonly contact: Contact;
  readonly contentType: ContentType;
  readonly templateSlug: string;
  readonly options: SendOptions;
  readonly triggerEvent: SendEvent | null;
}

/** The data that a message is rendered from. */
export type RenderInputs = Pick<PreviewedMessage, 'contact' | 'options' | 'triggerEvent'>;

/** The texts are null if the message would not be sent. */
export interface EmailPreview {
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
  /** Such as `missing_required_field: …` or a rendering error; null if the message can be shown. */
  readonly unsentReason: string | null;
}

/** Replaces the unsubscribe link: a working link is only for its recipient. */
const PLACEHOLDER_LINK = '#unsubscribe';
/** A workspace that goes live later counts as live from the beginning. */
const SINCE_ALWAYS = new Date(0);

@Injectable()
export class SendSimulations {
  constructor(
    private readonly database: Database,
    private readonly workspaces: WorkspaceService,
    private readonly templates: TemplateCatalogue,
    private readonly templateTopics: TemplateTopics,
    private readonly topics: TopicService,
    private readonly texts: MessageTexts,
    private readonly events: LatestEventsRepository,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  /**
   * The tenant as it is today. A workspace that is live today counts as always live. Which of its domains are verified
   * changes nothing in a rehearsal.
   * @throws DomainError as TemplateCatalogue.ready.
   */
  async inputs(
    scope: TenantScope,
    contentType: ContentType,
    templateSlugs: readonly string[],
    throttle: Throttle | null,
  ): Promise<SendSimulationInputs> {
    const workspace = await this.workspaces.get(scope);
    return {
      environment: scope.environment,
      contentType,
      workspace: { ...workspace, liveAt: workspace.liveAt && SINCE_ALWAYS },
      templates: await this.templates.ready(scope, templateSlugs),
      topics: await this.topicsOf(scope, templateSlugs),
      throttle,
      domains: { shared: this.config.sharedSendingDomain, own: () => undefined },
    };
  }

  /**
   * Renders a message as it would be sent at a given time, with the contact's current latest events and without a
   * working unsubscribe link.
   */
  async preview(scope: TenantScope, message: PreviewedMessage, at: Date): Promise<EmailPreview> {
    const { contact, contentType, templateSlug } = message;
    const template = (await this.templates.ready(scope, [templateSlug])).get(templateSlug);
    if (!template) return unsentPreview('template_not_found');
    const rendered = await this.render(scope, message, template, at);
    if (rendered.kind !== 'rendered') {
      const decision = unsentText(rendered);
      return unsentPreview(decision.kind === 'suppress' ? decision.reason : decision.detail);
    }
    const { subject, html, text } = rendered;
    if (contentType !== 'promotional') return { subject, html, text, unsentReason: null };
    const { company } = await this.workspaces.get(scope);
    const footer = complianceFooter(company, PLACEHOLDER_LINK, contact.locale);
    return { subject, ...(await runCooperatively(withFooter({ html, text }, footer))), unsentReason: null };
  }

  /**
   * Renders a message with the contact's current latest events, without the footer that the law requires.
   * @throws DomainError as ReadyTemplate.render.
   */
  async render(
    scope: TenantScope,
    message: RenderInputs,
    template: ReadyTemplate,
    at: Date,
  ): Promise<RenderedMessage> {
    const events = await this.latestEvents(scope, message, template);
    return this.texts.render(message, message.contact, template, events, at);
  }

  private async topicsOf(
    scope: TenantScope,
    slugs: readonly string[],
  ): Promise<ReadonlyMap<string, TopicRule>> {
    return this.database.inScope(scope, async (tx) => {
      const keys = await this.templateTopics.of(tx, scope, slugs);
      if (keys.size === 0) return new Map<string, TopicRule>();
      const topics = new Map((await this.topics.all(tx, scope)).map((topic) => [topic.key, topic]));
      return new Map(
        [...keys].flatMap(([slug, key]) => {
          const topic = topics.get(key);
          return topic ? [[slug, topic] as const] : [];
        }),
      );
    });
  }

  private async latestEvents(
    scope: TenantScope,
    message: RenderInputs,
    template: ReadyTemplate,
  ): Promise<Record<string, SendEvent>> {
    const keys = this.texts.eventKeys(message, template);
    if (keys.length === 0) return {};
    const { externalId } = message.contact;
    const found = await this.database.listInScope(scope, (tx) =>
      this.events.of(tx, scope, [externalId], latestEventNames(keys)),
    );
    return found.get(externalId) ?? {};
  }
}

function unsentPreview(unsentReason: string): EmailPreview {
  return { subject: null, html: null, text: null, unsentReason };
}
