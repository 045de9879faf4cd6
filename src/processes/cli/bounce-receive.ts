/** `cli bounce:receive`: one message from the pipe of a mail server, as it came. */
import { parseArgs } from 'node:util';
import { MailReports } from '../../modules/feedback/application/mail-reports.js';
import type { CliWorld } from './command.js';

/** Bytes of a message that are taken from the pipe; what is behind them is read past. */
const MOST_BYTES = 16 * 1024 * 1024;

export async function bounceReceive(args: string[], world: CliWorld): Promise<unknown> {
  parseArgs({ args });
  const raw = await world.readInput(MOST_BYTES);
  return world.withServices(async (services) => {
    const { result, type, emailLogId, bounce } = await services.get(MailReports).take(raw);
    return { result, type, email_log_id: emailLogId, bounce };
  });
}
