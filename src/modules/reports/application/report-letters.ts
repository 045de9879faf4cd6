/**
 * Supplies report emails to the product's mail queue: with the chart, the file, and the recipient's link that stops
 * them.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Clock } from '../../../kernel/clock.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { listUnsubscribeHeaders } from '../../delivery/domain/compliance.js';
import { Letters, type Letter, type ReturnedLetter } from '../../notices/application/letters.port.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import { whyOf, withRemarks, withStopLink } from '../domain/mailed-letter.js';
import { ReportLetterRepository } from '../persistence/report-letter.repository.js';
import { RecipientLinks } from './recipient-links.js';
import { ScheduleRecipients } from './schedule-recipients.js';

@Injectable()
export class ReportLetters extends Letters {
  constructor(
    private readonly database: Database,
    private readonly letters: ReportLetterRepository,
    private readonly workspaces: WorkspaceService,
    private readonly recipients: ScheduleRecipients,
    private readonly links: RecipientLinks,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async letter(scope: TenantScope, id: string, to: string): Promise<Letter | undefined> {
    return this.database.inScope(scope, async (tx) => {
      const kept = await this.letters.find(tx, scope, id);
      if (!kept?.frequency) return undefined;
      const recipientId = await this.recipients.idToMail(tx, scope, kept.reportId, to, this.clock.now());
      if (recipientId === undefined) return undefined;
      const stopUrl = this.links.urlFor('stop', scope, recipientId);
      const why = whyOf(await this.workspaces.nameOf(tx, scope), kept.frequency);
      const { subject, html, text } = withStopLink(withRemarks(kept, [why]), stopUrl);
      const { chart, csv, fileName } = kept;
      return {
        ...{ subject, html, text },
        attachments: [
          ...(chart ? [picture(chart)] : []),
          ...(csv ? [file(csv, fileName ?? 'report.csv')] : []),
        ],
        headers: listUnsubscribeHeaders(stopUrl),
      };
    });
  }

  override returned(tx: Transaction, scope: TenantScope, letter: ReturnedLetter, now: Date): Promise<void> {
    return this.recipients.returned(tx, scope, letter, now);
  }
}

function picture(content: Buffer): Letter['attachments'][number] {
  return { name: 'chart.png', contentType: 'image/png', content, contentId: 'chart' };
}

function file(content: Buffer, name: string): Letter['attachments'][number] {
  return { name, contentType: 'text/csv', content, contentId: null };
}
