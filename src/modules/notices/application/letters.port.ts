/** Where mail of the product's own finds what a report shows: made once, and kept by whoever made it until all mail is over. */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Attachment } from '../../delivery/domain/mime/attachment.js';

export interface Letter {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** A report email, or a request to confirm one, that bounced for good or was reported as spam. */
export interface ReturnedLetter {
  readonly kind: 'report' | 'report_confirmation';
  /** The record that the mail is about. */
  readonly subjectId: string;
  readonly to: string;
  readonly status: 'bounced' | 'complained';
}

export abstract class Letters {
  /** A letter for a recipient; undefined where it has been called off, is long over, or may not go to the recipient. */
  abstract letter(scope: TenantScope, id: string, to: string): Promise<Letter | undefined>;

  /** Mail to a recipient came back. */
  abstract returned(tx: Transaction, scope: TenantScope, letter: ReturnedLetter, now: Date): Promise<void>;
}
