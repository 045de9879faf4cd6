/** The browser of a process; it starts when somebody needs it, and ends with the process. */
import { Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../config/config.js';
import { LOGGER } from '../logging/logger.js';
import { hasNoSandbox } from './browser-process.js';
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
      // Node remembers an import that failed: this one fails at the start, or never.
      useFactory: async (config: RuntimeConfig, logger: Logger) => {
        if (config.browserPath !== undefined) {
          await import('puppeteer-core');
          if (hasNoSandbox())
            logger.warn(
              'BROWSER_PATH is set and the process runs as root, so Chromium runs as root without its sandbox. Start ' +
                'the service as another user.',
            );
        }
        return new Browser(config.browserPath, logger);
      },
    },
    BrowserEnd,
  ],
  exports: [Browser],
})
export class BrowserModule {}
