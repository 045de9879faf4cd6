/** The guard in a small application on the real platform, with a route for each kind of permission. */
import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller, Get, Module, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Principal } from '../../src/kernel/principal.js';
import { ApiKeysModule } from '../../src/modules/api-keys/api-keys.module.js';
import { AuthModule } from '../../src/modules/auth/auth.module.js';
import { CurrentPrincipal } from '../../src/modules/access/current-principal.decorator.js';
import { Public } from '../../src/modules/access/public.decorator.js';
import { Requires } from '../../src/modules/access/requires.decorator.js';
import { ContactsModule } from '../../src/modules/contacts/contacts.module.js';
import { SegmentsModule } from '../../src/modules/segments/segments.module.js';
import { TemplatesModule } from '../../src/modules/templates/templates.module.js';
import { WorkspacesModule } from '../../src/modules/workspaces/workspaces.module.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { HttpModule } from '../../src/platform/http/http.module.js';
import { makeLogger } from '../../src/platform/logging/logger.js';
import { PlatformModule } from '../../src/platform/platform.module.js';
import { ThreadsModule } from '../../src/platform/threads/threads.module.js';
import { ContactBindingsModule } from '../support/contact-bindings.js';
import { THREAD_ENTRY } from '../../src/processes/thread-entry.js';
import { completeConfig } from '../../src/processes/runtime.js';
import { SCHEMA } from '../../src/processes/schema.js';
import { createApp } from '../../src/processes/serve.js';
import { ManualClock } from '../support/clock.js';

@Controller('v1/probe')
class ProbeController {
  @Get('me')
  @Requires({ keyScopes: ['data', 'reporting', 'management'] })
  me(@CurrentPrincipal() principal: Principal): Principal {
    return principal;
  }

  @Get('contacts')
  @Requires({ permission: 'contacts:read', keyScopes: ['data'] })
  readContacts(): object {
    return {};
  }

  @Post('contacts')
  @Requires({ permission: 'contacts:write', keyScopes: ['data'], contactWrite: true })
  writeContacts(): object {
    return {};
  }

  @Get('analytics')
  @Requires({ permission: 'analytics:read', keyScopes: ['reporting'] })
  analytics(): object {
    return {};
  }

  @Post('flows')
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  flows(): object {
    return {};
  }

  @Get('members')
  @Requires({ permission: 'members:read' })
  members(): object {
    return {};
  }

  @Post('administration')
  @Requires({ roles: ['owner', 'admin'] })
  administration(): object {
    return {};
  }

  @Get('public')
  @Public()
  open(): object {
    return {};
  }

  @Get('forgotten')
  forgotten(): object {
    return {};
  }
}

@Module({ controllers: [ProbeController] })
class ProbeModule {}

export interface ProbeAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

export interface ProbeApp {
  readonly app: NestFastifyApplication;
  readonly url: string;
  readonly dataDir: string;
  readonly clock: ManualClock;
  /** Sends a request to a route below /v1/probe. */
  ask(method: string, path: string, headers?: Record<string, string>): Promise<ProbeAnswer>;
  close(): Promise<void>;
}

/**
 * Boots the application.
 * @param env variables in addition to the database's.
 * @param dataDir the folder of another application, to share its secrets.
 */
export async function bootProbe(
  adminUrl: string,
  env: Record<string, string> = {},
  dataDir?: string,
): Promise<ProbeApp> {
  const ownDir = dataDir === undefined ? mkdtempSync(join(tmpdir(), 'waypost-identity-')) : undefined;
  const folder = dataDir ?? ownDir ?? '';
  const config = completeConfig(
    loadConfig({ DATA_DIR: folder, DATABASE_URL: adminUrl, LOG_LEVEL: 'silent', ...env }),
    {
      databaseUrl: adminUrl,
      smtpUrl: 'smtp://127.0.0.1:1',
      sandboxSmtpUrl: undefined,
    },
  );
  const logger = makeLogger('test', 'silent');
  const clock = new ManualClock();
  const app = await createApp(
    {
      module: ProbeModule,
      imports: [
        PlatformModule.register({ config, logger, schema: SCHEMA, poolSize: 4, clock }),
        ThreadsModule.register(THREAD_ENTRY),
        HttpModule,
        AuthModule.register(config),
        ApiKeysModule,
        ContactBindingsModule,
        ContactsModule,
        SegmentsModule,
        TemplatesModule,
        WorkspacesModule,
      ],
    },
    logger,
  );
  await app.listen(0, '127.0.0.1');
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  return {
    app,
    url,
    dataDir: folder,
    clock,
    ask: async (method, path, headers = {}) => {
      const response = await fetch(`${url}/v1/probe/${path}`, { method, headers });
      return {
        status: response.status,
        body: (await response.json()) as Record<string, unknown>,
        headers: response.headers,
      };
    },
    close: async () => {
      await app.close();
      if (ownDir !== undefined) rmSync(ownDir, { recursive: true, force: true });
    },
  };
}
