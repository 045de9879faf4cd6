/**
 * Supplies report emails to the product's mail queue: with the chart, the file, and the recipient's link that stops
 * them.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Clock } from '../../../kernel/clock.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { listUnsubscribeHeaders } from '../../delivery/domain/compliance.js';
import {
  ReportEmails,
  type ReportEmailMessage,
  type ReturnedReportEmail,
} from '../../notices/application/report-emails.port.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import { reasonText, withRemarks, withStopLink } from '../domain/composed-report-email.js';
import { ReportEmailRepository } from '../persistence/report-email.repository.js';
import { RecipientLinks } from './recipient-links.js';
import { ScheduleRecipients } from './schedule-recipients.js';

@Injectable()
export class ReportEmailLoader extends ReportEmails {
  constructor(
    private readonly database: Database,
    private readonly repository: ReportEmailRepository,
    private readonly workspaces: WorkspaceService,
    private readonly recipients: ScheduleRecipients,
    private readonly links: RecipientLinks,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async load(scope: TenantScope, id: string, to: string): Promise<ReportEmailMessage | undefined> {
    return this.database.inScope(scope, async (tx) => {
      const stored = await this.repository.find(tx, scope, id);
      if (!stored?.frequency) return undefined;
      const recipientId = await this.recipients.idToMail(tx, scope, stored.reportId, to, this.clock.now());
      if (recipientId === undefined) return undefined;
      const stopUrl = this.links.urlFor('stop', scope, recipientId);
      const reason = reasonText(await this.workspaces.nameOf(tx, scope), stored.frequency);
      const { subject, html, text } = withStopLink(withRemarks(stored, [reason]), stopUrl);
      const { chart, csv, fileName } = stored;
      return {
        ...{ subject, html, text },
        attachments: [
          ...(chart ? [chartAttachment(chart)] : []),
          ...(csv ? [csvAttachment(csv, fileName ?? 'report.csv')] : []),
        ],
        headers: listUnsubscribeHeaders(stopUrl),
      };
    });
  }

  override handleReturned(
    tx: Transaction,
    scope: TenantScope,
    reportEmail: ReturnedReportEmail,
    now: Date,
  ): Promise<void> {
    return this.recipients.handleReturned(tx, scope, reportEmail, now);
  }
}

function chartAttachment(content: Buffer): ReportEmailMessage['attachments'][number] {
  return { name: 'chart.png', contentType: 'image/png', content, contentId: 'chart' };
}

function csvAttachment(content: Buffer, name: string): ReportEmailMessage['attachments'][number] {
  return { name, contentType: 'text/csv', content, contentId: null };
}
