/** Signs finished messages if a key for their From domain exists: the workspace's own domain or the shared domain. */
import { sign as signWithCallback, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { runCooperatively } from '../../../platform/threads/run-cooperatively.js';
import type { OwnDomains } from '../../domains/application/own-domains.js';
import { domainOf, type Mailbox } from '../domain/email-address.js';
import { prepareDkim, type DkimIdentity } from '../domain/mime/dkim.js';

/** On a thread of Node's pool, so the event loop stays free. */
const sign = promisify<string, Buffer, KeyObject, Buffer>(signWithCallback);

@Injectable()
export class MailSigner {
  constructor(
    @Inject(RUNTIME_CONFIG)
    private readonly config: Pick<RuntimeConfig, 'sharedDkim' | 'sharedSendingDomain'>,
  ) {}

  /**
   * Returns the signed message, or the message unchanged if no key exists for its domain.
   * @param now the time of sending, which decides which domains still belong to the workspace.
   */
  async sign(message: Buffer, from: Mailbox, own: OwnDomains, now: Date): Promise<Buffer> {
    const signer = this.signerOf(domainOf(from.address), own, now);
    if (!signer) return message;
    const unsigned = await runCooperatively(prepareDkim(message, signer, now));
    const signature = await sign('sha256', unsigned.data, signer.privateKey);
    return Buffer.concat([Buffer.from(unsigned.field(signature), 'latin1'), message]);
  }

  private signerOf(
    domain: string,
    own: OwnDomains,
    now: Date,
  ): (DkimIdentity & { readonly privateKey: KeyObject }) | undefined {
    const { sharedDkim, sharedSendingDomain } = this.config;
    if (domain === sharedSendingDomain) return sharedDkim && { domain, ...sharedDkim };
    return own.find(domain, now);
  }
}
