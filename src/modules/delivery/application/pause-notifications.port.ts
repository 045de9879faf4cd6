/**
 * Notifies members that a workspace's promotional mail was paused automatically. A port, because these notifications
 * are mail themselves; bound in processes/bindings.
 */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { PauseReason, SendingCounts } from '../domain/sending-pause.js';

/** A pause that starts. */
export interface StartedPause extends SendingCounts {
  readonly id: string;
  readonly reason: PauseReason;
  readonly pausedAt: Date;
}

export abstract class PauseNotifications {
  /** Handles the pause in the transaction that starts it. */
  abstract notifyPaused(tx: Transaction, scope: TenantScope, pause: StartedPause): Promise<void>;
}
