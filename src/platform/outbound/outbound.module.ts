/**
 * Provides the fetcher of URLs that callers name. There is one per process, so that its limits apply to the whole
 * process.
 */
import { Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../config/config.js';
import { GuardedFetch } from './guarded-fetch.js';

/** Closes the connections after requests and jobs have finished. */
@Injectable()
class OutboundShutdown implements OnApplicationShutdown {
  constructor(@Inject(GuardedFetch) private readonly outbound: GuardedFetch) {}

  onApplicationShutdown(): void {
    this.outbound.close();
  }
}

@Module({
  providers: [
    {
      provide: GuardedFetch,
      inject: [RUNTIME_CONFIG],
      useFactory: ({ dnsServers }: RuntimeConfig) => new GuardedFetch({ dnsServers }),
    },
    OutboundShutdown,
  ],
  exports: [GuardedFetch],
})
export class OutboundModule {}
