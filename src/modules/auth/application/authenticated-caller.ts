/** What the guard knows of an authenticated caller. */
import type { Principal } from '../../../kernel/principal.js';

export interface AuthenticatedCaller {
  readonly principal: Principal;
  /** The caller's workspace is read-only. */
  readonly suspended: boolean;
  /** When the credentials expire, if they were issued here and expire. */
  readonly until?: Date;
}
