/**
 * Determines the client's network of a request: behind the proxies that TRUSTED_PROXIES names, and in front of all
 * others.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../config/config.js';
import { clientNetwork, isWithin, type Network, networkFrom } from '../network/networks.js';

@Injectable()
export class ClientNetworks {
  private readonly proxies: readonly Network[];

  constructor(@Inject(RUNTIME_CONFIG) { trustedProxies }: Pick<RuntimeConfig, 'trustedProxies'>) {
    this.proxies = trustedProxies.flatMap((text) => {
      const network = networkFrom(text);
      return network ? [network] : [];
    });
  }

  /** The network that the request is counted under. */
  of({ raw }: FastifyRequest): string {
    const forwarded = raw.headers['x-forwarded-for'];
    return clientNetwork(raw.socket.remoteAddress ?? '', String(forwarded ?? ''), this.proxies);
  }

  /** Whether the address belongs to a trusted proxy. */
  isProxy(address: string): boolean {
    return isWithin(address, this.proxies);
  }
}
