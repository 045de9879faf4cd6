/** Commands for secret rotation: encrypt stored data again, and report what still needs an old secret. */
import { parseArgs } from 'node:util';
import { OptOuts } from '../../modules/contacts/application/opt-outs.js';
import { KeyResealing } from '../../modules/domains/application/key-resealing.js';
import { CredentialResealing } from '../../modules/imports/application/credential-resealing.js';
import type { CliContext } from './command.js';

export async function rotateSecrets(args: string[], context: CliContext): Promise<unknown> {
  parseArgs({ args });
  return context.withServices(async (services) => {
    const { keys, resealed, unreadable } = await services.get(KeyResealing).resealAll();
    const credentials = await services.get(CredentialResealing).resealAll();
    const optOutKeysInUse = await services.get(OptOuts).keysInUse();
    return {
      sending_domain_keys: {
        sealed: keys,
        sealed_anew: resealed,
        unreadable: unreadable.map(({ workspaceId, domain, selector }) => ({
          workspace_id: workspaceId,
          domain,
          selector,
        })),
      },
      migration_credentials: {
        sealed: credentials.sealed,
        sealed_anew: credentials.resealed,
        unreadable: credentials.unreadable.map((id) => ({ migration_id: id })),
      },
      encryption_keys: optOutKeysInUse.map((isInUse, n) => ({
        place: n + 1,
        keeps_refusals: isInUse,
        may_be_removed: n > 0 && !isInUse,
      })),
    };
  });
}
