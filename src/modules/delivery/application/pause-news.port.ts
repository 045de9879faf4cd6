/**
 * Who tells the people of a workspace that its promotional mail has stopped by itself. A port, since what tells them is
 * mail itself; joined in processes/bindings.
 */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { PauseReason, SendingFigures } from '../domain/sending-pause.js';

/** A pause that begins. */
export interface BegunPause extends SendingFigures {
  readonly id: string;
  readonly reason: PauseReason;
  readonly pausedAt: Date;
}

export abstract class PauseNews {
  /** Hears of it in the transaction that pauses. */
  abstract paused(tx: Transaction, scope: TenantScope, pause: BegunPause): Promise<void>;
}
