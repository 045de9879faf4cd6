/** Fetching of addresses that callers name, for the whole process: its bounds hold because there is one of it. */
import { Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../config/config.js';
import { GuardedFetch } from './guarded-fetch.js';

/** Ends the connections when requests and jobs are done with. */
@Injectable()
class OutboundEnd implements OnApplicationShutdown {
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
    OutboundEnd,
  ],
  exports: [GuardedFetch],
})
export class OutboundModule {}
