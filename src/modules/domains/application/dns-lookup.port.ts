/**
 * The port for DNS queries. It has several implementations: the machine's resolver, or a server that the operator sets.
 */
import type { DnsAnswer, DnsQuestion } from '../domain/dns-record.js';

export abstract class DnsLookup {
  /** Answers within seconds, even if servers do not respond; never throws. */
  abstract query(question: DnsQuestion): Promise<DnsAnswer>;
}
