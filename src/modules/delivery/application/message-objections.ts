/** Checks contacts' topic choices and pauses against messages to them, in the transaction that claims the messages. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { Objections } from '../../preferences/application/objections.js';
import type { Objection } from '../../preferences/domain/preferences.js';
import { TemplateTopics } from '../../templates/application/template-topics.js';
import type { ClaimedSend } from '../domain/claimed-send.js';
import { heedsChoices } from '../domain/send-decision.js';

/** The part of a message that contacts' choices depend on. */
type ObjectedMessage = Pick<ClaimedSend, 'id' | 'contactId' | 'templateSlug' | 'contentType' | 'options'>;

@Injectable()
export class MessageObjections {
  constructor(
    private readonly topics: TemplateTopics,
    private readonly objections: Objections,
  ) {}

  /** Returns objections by message. Transactional mail costs no query. */
  async against(
    tx: Transaction,
    scope: TenantScope,
    sends: readonly ObjectedMessage[],
    now: Date,
  ): Promise<ReadonlyMap<string, Objection>> {
    const asking = sends.filter(heedsChoices);
    const slugs = new Set(asking.map(({ templateSlug }) => templateSlug));
    const topics = await this.topics.of(tx, scope, [...slugs]);
    const asked = asking.map(({ contactId, templateSlug }) => ({
      contactId,
      topic: topics.get(templateSlug) ?? null,
    }));
    const found = await this.objections.against(tx, scope, asked, now);
    return new Map(
      asking.flatMap(({ id }, place) => {
        const objection = found[place];
        return objection ? [[id, objection] as const] : [];
      }),
    );
  }
}
