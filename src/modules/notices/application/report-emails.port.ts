/** Loads the content of report mails. It is created once and kept by its owner until all mails are sent or given up. */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Attachment } from '../../delivery/domain/mime/attachment.js';

export interface ReportEmailMessage {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** A report email, or a request to confirm one, that bounced permanently or was reported as spam. */
export interface ReturnedReportEmail {
  readonly kind: 'report' | 'report_confirmation';
  /** The record that the mail is about. */
  readonly subjectId: string;
  readonly to: string;
  readonly status: 'bounced' | 'complained';
}

export abstract class ReportEmails {
  /** The report email for a recipient; undefined if it was cancelled, is long over, or may not go to the recipient. */
  abstract load(scope: TenantScope, id: string, to: string): Promise<ReportEmailMessage | undefined>;

  /** Handles a bounce or complaint of a recipient. */
  abstract handleReturned(
    tx: Transaction,
    scope: TenantScope,
    reportEmail: ReturnedReportEmail,
    now: Date,
  ): Promise<void>;
}
