/** `cli token`: creates a bearer token of the installation's own issuer. */
import { parseArgs } from 'node:util';
import { isEmailAddress } from '../../kernel/email-address.js';
import { isUuid } from '../../kernel/tenant-scope.js';
import { LocalIssuer } from '../../modules/auth/application/local-issuer.js';
import { UsageError } from '../operator-fault.js';
import type { CliContext } from './command.js';

export async function token(args: string[], context: CliContext): Promise<unknown> {
  const { values } = parseArgs({
    args,
    options: {
      email: { type: 'string' },
      name: { type: 'string' },
      workspace: { type: 'string' },
      hours: { type: 'string', default: '12' },
    },
  });
  const { email, name, workspace } = values;
  const hours = Number(values.hours);
  if (context.config.identityProvider)
    throw new UsageError('AUTH_JWKS_URL is set: get tokens from your identity provider.');
  if (email === undefined || !isEmailAddress(email))
    throw new UsageError('--email must be an email address.');
  if (!(hours > 0 && hours <= 8_760))
    throw new UsageError('--hours must be a number above 0 and at most 8760.');
  if (workspace !== undefined && !isUuid(workspace))
    throw new UsageError('--workspace must be the ID of a workspace.');
  const issuer = await LocalIssuer.open(context.config.dataDir);
  const issued = await issuer.issue({ email, name }, hours, context.now());
  return {
    token: issued.token,
    email,
    subject: issued.subject,
    expires_at: issued.expiresAt.toISOString(),
    headers: {
      Authorization: `Bearer ${issued.token}`,
      ...(workspace === undefined ? {} : { 'X-WORKSPACE-ID': workspace }),
    },
  };
}
