/** What the guard knows of a caller once it has been established. */
import type { Principal } from '../../../kernel/principal.js';

export interface Established {
  readonly principal: Principal;
  /** The caller's workspace is read-only. */
  readonly suspended: boolean;
  /** When the credentials end, where they were issued here and do. */
  readonly until?: Date;
}
