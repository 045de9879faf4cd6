/** Provides the process's browser. It starts on first use and ends with the process. */
import { Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../config/config.js';
import { LOGGER } from '../logging/logger.js';
import { hasNoSandbox } from './browser-process.js';
import { Browser } from './browser.js';

/** Closes the browser after all jobs have finished. */
@Injectable()
class BrowserShutdown implements OnApplicationShutdown {
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
      // Node caches a failed import, so import at startup, where a failure is reported.
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
    BrowserShutdown,
  ],
  exports: [Browser],
})
export class BrowserModule {}
