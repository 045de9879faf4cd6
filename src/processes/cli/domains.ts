/** Commands for sending domains: check a domain's DNS records now, and create a key for the shared domain. */
import { parseArgs } from 'node:util';
import { makeKey } from '../../modules/domains/application/domain-keys.js';
import { DomainChecks } from '../../modules/domains/application/domain-checks.js';
import { OPERATOR_AUTHOR } from '../../kernel/principal.js';
import { SendingDomainService } from '../../modules/domains/application/sending-domain.service.js';
import { dkimHost, dkimValue } from '../../modules/domains/domain/dns-record.js';
import { usableUntil } from '../../modules/domains/domain/domain-check.js';
import { domainStatusReason } from '../../modules/domains/domain/domain-messages.js';
import { findingOf, recordsOfDomain } from '../../modules/domains/domain/sending-domain.js';
import { UsageError } from '../operator-fault.js';
import type { CliContext } from './command.js';
import { workspaceNamed } from './workspace-named.js';

export async function checkDomain(args: string[], context: CliContext): Promise<unknown> {
  const { values } = parseArgs({
    args,
    options: { workspace: { type: 'string' }, domain: { type: 'string' } },
  });
  const { domain: name } = values;
  if (name === undefined) throw new UsageError('--domain is missing.');
  const { sharedSendingDomain } = context.config;
  return context.withServices(async (services) => {
    const { id: workspaceId } = await workspaceNamed(values.workspace, services);
    const domain = await services.get(SendingDomainService).named({ workspaceId }, name);
    const checked =
      domain && (await services.get(DomainChecks).check({ workspaceId }, domain, OPERATOR_AUTHOR));
    if (!checked) throw new UsageError(`The workspace has no domain ${name}.`);
    return {
      workspace_id: workspaceId,
      id: checked.id,
      domain: checked.domain,
      status: checked.status,
      reason: domainStatusReason(checked, sharedSendingDomain),
      grace_ends_at: usableUntil(checked),
      checked_at: checked.checkedAt,
      next_check_at: checked.checkAt,
      records: recordsOfDomain(checked, sharedSendingDomain).map((record) => {
        const { purpose, isRequired, type, host, value } = record;
        const { state, found } = findingOf(checked, record);
        return { purpose, is_required: isRequired, type, host, value, state, found };
      }),
    };
  });
}

export async function makeSharedKey(args: string[], context: CliContext): Promise<unknown> {
  parseArgs({ args });
  const { selector, publicKey, privateKey } = await makeKey();
  return {
    variables: { SHARED_DKIM_SELECTOR: selector, SHARED_DKIM_KEY: privateKey },
    record: {
      type: 'TXT',
      host: dkimHost(selector, context.config.sharedSendingDomain),
      value: dkimValue(publicKey),
    },
  };
}
