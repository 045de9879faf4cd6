/** The way to the DNS; it has several forms (the machine's resolver, a server of the operator's). */
import type { DnsAnswer, DnsQuestion } from '../domain/dns-record.js';

export abstract class DnsLookup {
  /** Answers within seconds, whatever servers do; never throws. */
  abstract ask(question: DnsQuestion): Promise<DnsAnswer>;
}
