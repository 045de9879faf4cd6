/** Where mail of the product's own finds what a report shows: made once, and kept by whoever made it until all mail is over. */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Attachment } from '../../delivery/domain/mime/attachment.js';

export interface Letter {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export abstract class Letters {
  /** A letter as it was made; undefined where it has been called off or is long over. */
  abstract letter(scope: TenantScope, id: string): Promise<Letter | undefined>;
}
