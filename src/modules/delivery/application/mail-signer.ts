/** Signs finished messages where a key of their From domain is there: the workspace's own, or the shared domain's. */
import { sign as signWithCallback, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { inPieces } from '../../../platform/threads/in-pieces.js';
import type { OwnDomains } from '../../domains/application/own-domains.js';
import { domainOf, type Mailbox } from '../domain/email-address.js';
import { prepareDkim, type DkimIdentity } from '../domain/mime/dkim.js';

/** On a thread of Node's own, so that nobody else waits for it. */
const sign = promisify<string, Buffer, KeyObject, Buffer>(signWithCallback);

@Injectable()
export class MailSigner {
  constructor(
    @Inject(RUNTIME_CONFIG)
    private readonly config: Pick<RuntimeConfig, 'sharedDkim' | 'sharedSendingDomain'>,
  ) {}

  /**
   * The message with its signature, or as it is where nothing signs its domain.
   * @param now when it is sent, which decides what is still the workspace's own.
   */
  async sign(message: Buffer, from: Mailbox, own: OwnDomains, now: Date): Promise<Buffer> {
    const signer = this.signerOf(domainOf(from.address), own, now);
    if (!signer) return message;
    const unsigned = await inPieces(prepareDkim(message, signer, now));
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
