/**
 * Removes a recipient from a report whose mail bounced permanently or was reported as spam. For other mail nothing
 * happens.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { Database } from '../../../platform/database/database.js';
import {
  ProductMailFeedback,
  type ProductMailEvent,
} from '../../feedback/application/product-mail-feedback.port.js';
import { NoticeRepository } from '../persistence/notice.repository.js';
import { ReportEmails } from './report-emails.port.js';
import { noticeScope } from './notices.js';

@Injectable()
export class ReturnedNotices extends ProductMailFeedback {
  constructor(
    private readonly database: Database,
    private readonly notices: NoticeRepository,
    private readonly reportEmails: ReportEmails,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async handle(candidates: readonly string[], event: ProductMailEvent): Promise<boolean> {
    const found = await this.notices.workspacesOf(candidates);
    const mail = candidates.flatMap((id) => found.find((one) => one.id === id) ?? [])[0];
    if (!mail) return false;
    const status = statusOf(event);
    if (!status) return true;
    const scope = noticeScope(mail);
    await this.database.inScope(scope, async (tx) => {
      const notice = await this.notices.find(tx, scope, mail.id);
      if (notice?.kind !== 'report' && notice?.kind !== 'report_confirmation') return;
      const { kind, subjectId, to } = notice;
      await this.reportEmails.handleReturned(tx, scope, { kind, subjectId, to, status }, this.clock.now());
    });
    return true;
  }
}

function statusOf({ kind, bounce }: ProductMailEvent): 'bounced' | 'complained' | undefined {
  if (kind === 'complained') return kind;
  // A bounce without a known kind counts as hard, as in the ledger.
  return kind === 'bounced' && bounce?.kind !== 'soft' ? kind : undefined;
}
