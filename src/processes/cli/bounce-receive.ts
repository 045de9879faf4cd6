/** `cli bounce:receive`: reads one raw message that a mail server pipes in. */
import { parseArgs } from 'node:util';
import { MailReports } from '../../modules/feedback/application/mail-reports.js';
import type { CliWorld } from './command.js';

/** Maximum message size in bytes. The rest of the input is read and discarded. */
const MOST_BYTES = 16 * 1024 * 1024;

export async function bounceReceive(args: string[], world: CliWorld): Promise<unknown> {
  parseArgs({ args });
  const raw = await world.readInput(MOST_BYTES);
  return world.withServices(async (services) => {
    const { result, type, emailLogId, bounce } = await services.get(MailReports).take(raw);
    return { result, type, email_log_id: emailLogId, bounce };
  });
}
