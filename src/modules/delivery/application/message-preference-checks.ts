/** Checks contacts' topic choices and pauses against messages to them, in the transaction that claims the messages. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { PreferenceChecks } from '../../preferences/application/preference-checks.js';
import type { PreferenceBlock } from '../../preferences/domain/preferences.js';
import { TemplateTopics } from '../../templates/application/template-topics.js';
import type { ClaimedSend } from '../domain/claimed-send.js';
import { respectsPreferences } from '../domain/send-decision.js';

/** The part of a message that contacts' choices depend on. */
type PreferenceCheckedMessage = Pick<
  ClaimedSend,
  'id' | 'contactId' | 'templateSlug' | 'contentType' | 'options'
>;

@Injectable()
export class MessagePreferenceChecks {
  constructor(
    private readonly topics: TemplateTopics,
    private readonly preferences: PreferenceChecks,
  ) {}

  /** Returns objections by message. Transactional mail costs no query. */
  async against(
    tx: Transaction,
    scope: TenantScope,
    sends: readonly PreferenceCheckedMessage[],
    now: Date,
  ): Promise<ReadonlyMap<string, PreferenceBlock>> {
    const affected = sends.filter(respectsPreferences);
    const slugs = new Set(affected.map(({ templateSlug }) => templateSlug));
    const topics = await this.topics.of(tx, scope, [...slugs]);
    const queries = affected.map(({ contactId, templateSlug }) => ({
      contactId,
      topic: topics.get(templateSlug) ?? null,
    }));
    const found = await this.preferences.check(tx, scope, queries, now);
    return new Map(
      affected.flatMap(({ id }, index) => {
        const block = found[index];
        return block ? [[id, block] as const] : [];
      }),
    );
  }
}
