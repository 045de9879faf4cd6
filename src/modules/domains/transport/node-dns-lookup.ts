/** DNS queries through Node's resolver: DNS_SERVERS, or the servers that the machine is configured with. */
import { Resolver } from 'node:dns/promises';
import { Inject, Injectable } from '@nestjs/common';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { DnsLookup } from '../application/dns-lookup.port.js';
import type { DnsAnswer, DnsQuestion } from '../domain/dns-record.js';

/** For one try at one server, in milliseconds; grows with further tries. */
const TRY_TIMEOUT_MS = 1_500;
const MAX_TRIES = 2;
/** For the whole answer, with any number of servers, in milliseconds: a process that shuts down waits for it. */
const LOOKUP_TIMEOUT_MS = 5_000;
/** Maximum number of an answer's values that are read, and of characters of each. */
const MAX_VALUES = 50;
const MAX_VALUE_CHARS = 4_096;

/** There is no such name, or it has no such record. */
const NO_RECORD_CODES = new Set(['ENOTFOUND', 'ENODATA']);

@Injectable()
export class NodeDnsLookup extends DnsLookup {
  private readonly resolver = new Resolver({ timeout: TRY_TIMEOUT_MS, tries: MAX_TRIES });

  constructor(@Inject(RUNTIME_CONFIG) { dnsServers }: Pick<RuntimeConfig, 'dnsServers'>) {
    super();
    if (dnsServers.length > 0) this.resolver.setServers(dnsServers);
  }

  override async query(question: DnsQuestion): Promise<DnsAnswer> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<DnsAnswer>((resolve) => {
      timer = setTimeout(() => resolve({ kind: 'failed', code: 'timeout' }), LOOKUP_TIMEOUT_MS);
    });
    try {
      return await Promise.race([this.answer(question), timeout]);
    } finally {
      clearTimeout(timer);
    }
  }

  private async answer(question: DnsQuestion): Promise<DnsAnswer> {
    try {
      const values = (await this.valuesOf(question)).slice(0, MAX_VALUES);
      if (values.length === 0) return { kind: 'none' };
      return { kind: 'values', values: values.map((value) => value.slice(0, MAX_VALUE_CHARS)) };
    } catch (error) {
      const { code = 'failed' } = error as NodeJS.ErrnoException;
      return NO_RECORD_CODES.has(code)
        ? { kind: 'none' }
        : { kind: 'failed', code: code.replace(/^E/, '').toLowerCase() };
    }
  }

  private async valuesOf({ type, host }: DnsQuestion): Promise<string[]> {
    switch (type) {
      case 'TXT':
        return (await this.resolver.resolveTxt(host)).map((parts) => parts.join(''));
      case 'CNAME':
        return this.resolver.resolveCname(host);
      case 'MX':
        return (await this.resolver.resolveMx(host)).map(({ exchange }) => exchange);
    }
  }
}
