/** Commands for secret rotation: encrypt stored data again, and report what still needs an old secret. */
import { parseArgs } from 'node:util';
import { Refusals } from '../../modules/contacts/application/refusals.js';
import { KeyResealing } from '../../modules/domains/application/key-resealing.js';
import { CredentialResealing } from '../../modules/imports/application/credential-resealing.js';
import type { CliWorld } from './command.js';

export async function rotateSecrets(args: string[], world: CliWorld): Promise<unknown> {
  parseArgs({ args });
  return world.withServices(async (services) => {
    const { keys, resealed, unreadable } = await services.get(KeyResealing).resealAll();
    const credentials = await services.get(CredentialResealing).resealAll();
    const keepsRefusals = await services.get(Refusals).keysInUse();
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
      encryption_keys: keepsRefusals.map((isInUse, n) => ({
        place: n + 1,
        keeps_refusals: isInUse,
        may_be_removed: n > 0 && !isInUse,
      })),
    };
  });
}
