/**
 * Handles the signed links with which a recipient stops or confirms a scheduled report. A link affects only that
 * schedule.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { SharedRuns } from '../../../kernel/shared-runs.js';
import { Database } from '../../../platform/database/database.js';
import { maskEmails } from '../../contacts/domain/masking.js';
import { noticeScope } from '../../notices/application/notices.js';
import { plainName } from '../../notices/domain/plain-name.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import type { StoredStatus } from '../domain/recipient-state.js';
import { ReportRecipientRepository } from '../persistence/report-recipient.repository.js';
import { RecipientLinks, type LinkedRecipient, type LinkKind } from './recipient-links.js';

export interface RecipientPage {
  /** Null if the report is deleted: then nothing is mailed any more. */
  readonly mailed: {
    readonly workspace: string;
    readonly report: string;
    /** Masked, since others may see the screen. */
    readonly address: string;
    readonly status: StoredStatus;
  } | null;
  /** The query string of each of the recipient's links. */
  readonly queries: Readonly<Record<LinkKind, string>>;
}

const STATUS_AFTER: Readonly<Record<LinkKind, StoredStatus>> = { stop: 'stopped', confirm: 'confirmed' };

@Injectable()
export class RecipientDecisions {
  /** Concurrent requests with the same link share one transaction. */
  private readonly runs = new SharedRuns<RecipientPage>();

  constructor(
    private readonly database: Database,
    private readonly recipients: ReportRecipientRepository,
    private readonly workspaces: WorkspaceService,
    private readonly links: RecipientLinks,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the page of a link; changes nothing.
   * @throws DomainError invalid_token.
   */
  async page(kind: LinkKind, token: string): Promise<RecipientPage> {
    return this.run('page', this.read(kind, token));
  }

  /**
   * Stops or confirms the report. Idempotent, and also works for deleted reports.
   * @throws DomainError invalid_token.
   */
  async decide(kind: LinkKind, token: string): Promise<RecipientPage> {
    return this.run(kind, this.read(kind, token));
  }

  private run(action: LinkKind | 'page', recipient: LinkedRecipient): Promise<RecipientPage> {
    return this.runs.do(`${action} ${recipient.workspaceId} ${recipient.recipientId}`, () =>
      this.work(action, recipient),
    );
  }

  private async work(action: LinkKind | 'page', recipient: LinkedRecipient): Promise<RecipientPage> {
    const scope = noticeScope(recipient);
    const { recipientId } = recipient;
    const queries = {
      stop: this.links.queryFor('stop', scope, recipientId),
      confirm: this.links.queryFor('confirm', scope, recipientId),
    };
    return this.database.inScope(scope, async (tx) => {
      if (action !== 'page')
        await this.recipients.change(tx, scope, recipientId, STATUS_AFTER[action], this.clock.now());
      const found = await this.recipients.find(tx, scope, recipientId);
      if (!found) return { mailed: null, queries };
      const mailed = {
        workspace: plainName(await this.workspaces.nameOf(tx, scope), 'a workspace'),
        report: plainName(found.report.name, 'a report'),
        address: maskEmails(found.address),
        status: found.status,
      };
      return { mailed, queries };
    });
  }

  private read(kind: LinkKind, token: string): LinkedRecipient {
    const recipient = this.links.read(kind, token);
    if (!recipient) throw new DomainError('invalid_token', 'The link is not valid.');
    return recipient;
  }
}
