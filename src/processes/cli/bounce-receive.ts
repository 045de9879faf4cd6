/** `cli bounce:receive`: reads one raw message that a mail server pipes in. */
import { parseArgs } from 'node:util';
import { MailReports } from '../../modules/feedback/application/mail-reports.js';
import type { CliContext } from './command.js';

/** Maximum message size in bytes. The rest of the input is read and discarded. */
const MAX_BYTES = 16 * 1024 * 1024;

export async function bounceReceive(args: string[], context: CliContext): Promise<unknown> {
  parseArgs({ args });
  const raw = await context.readInput(MAX_BYTES);
  return context.withServices(async (services) => {
    const { result, type, emailLogId, bounce } = await services.get(MailReports).process(raw);
    return { result, type, email_log_id: emailLogId, bounce };
  });
}
