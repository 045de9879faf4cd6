/** Sends the product's own mail, and deletes its rows. */
import { defineWork } from '../../../platform/queue/define-work.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { DeadLettersModule } from '../../dead-letters/dead-letters.module.js';
import { ProductMailModule } from '../../delivery/product-mail.module.js';
import { NoticeSender } from '../application/notice-sender.js';
import { NoticesModule } from '../notices.module.js';
import { NoticeRepository } from '../persistence/notice.repository.js';

/** Maximum rows that are read. Later ones follow when these are done. */
const MAX_ROWS = 1_000;

/**
 * The earliest rows, regardless of how many workspaces only have rows to delete. The environment is that of
 * `noticeScope`.
 */
const EARLIEST = `
SELECT workspace_id, 'live' AS environment, min(due_at) AS due_at FROM (
  SELECT workspace_id, due_at FROM notices ORDER BY due_at LIMIT ${MAX_ROWS}) AS earliest
GROUP BY workspace_id`;

export const WORK = defineWork({
  wakeUp: WAKE_UPS.notices,
  imports: [NoticesModule, ProductMailModule, DeadLettersModule],
  providers: [NoticeRepository, NoticeSender],
  dueTenants: EARLIEST,
  process: { with: NoticeSender, run: (sender, scope, mayContinue) => sender.drain(scope, mayContinue) },
});
