/** The browser of a process; it starts when somebody needs it, and ends with the process. */
import { Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../config/config.js';
import { LOGGER } from '../logging/logger.js';
import { Browser } from './browser.js';

/** Ends the browser when jobs are done with. */
@Injectable()
class BrowserEnd implements OnApplicationShutdown {
  constructor(@Inject(Browser) private readonly browser: Browser) {}

  async onApplicationShutdown(): Promise<void> {
    await this.browser.close();
  }
}

@Module({
  providers: [
    {
      provide: Browser,
      inject: [RUNTIME_CONFIG, LOGGER],
      useFactory: (config: RuntimeConfig, logger: Logger) => new Browser(config.browserPath, logger),
    },
    BrowserEnd,
  ],
  exports: [Browser],
})
export class BrowserModule {}
