/** Letters as the product's own mail sends them: with the chart that they show, their file, and why somebody gets them. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { Letters, type Letter } from '../../notices/application/letters.port.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import { whyOf, withRemarks } from '../domain/mailed-letter.js';
import { ReportLetterRepository } from '../persistence/report-letter.repository.js';

@Injectable()
export class ReportLetters extends Letters {
  constructor(
    private readonly database: Database,
    private readonly letters: ReportLetterRepository,
    private readonly workspaces: WorkspaceService,
  ) {
    super();
  }

  override async letter(scope: TenantScope, id: string): Promise<Letter | undefined> {
    return this.database.inScope(scope, async (tx) => {
      const kept = await this.letters.find(tx, scope, id);
      if (!kept?.frequency) return undefined;
      const why = whyOf(await this.workspaces.nameOf(tx, scope), kept.frequency);
      const { subject, html, text } = withRemarks(kept, [why]);
      const { chart, csv, fileName } = kept;
      return {
        ...{ subject, html, text },
        attachments: [
          ...(chart ? [picture(chart)] : []),
          ...(csv ? [file(csv, fileName ?? 'report.csv')] : []),
        ],
      };
    });
  }
}

function picture(content: Buffer): Letter['attachments'][number] {
  return { name: 'chart.png', contentType: 'image/png', content, contentId: 'chart' };
}

function file(content: Buffer, name: string): Letter['attachments'][number] {
  return { name, contentType: 'text/csv', content, contentId: null };
}
