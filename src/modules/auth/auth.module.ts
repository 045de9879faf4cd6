/** Authentication and authorization: the guard of every route and resolver of the API. */
import { type DynamicModule, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { RuntimeConfig } from '../../platform/config/config.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AccessGuard } from './access.guard.js';
import { Authenticator } from './application/authenticator.js';
import { CredentialWindow } from './application/credential-window.js';
import { KeySet } from './application/key-set.port.js';
import { LocalIssuer } from './application/local-issuer.js';
import { fetchPublishedKeys } from './application/published-keys.js';
import { RemoteKeySet } from './application/remote-key-set.js';
import { TokenVerifier } from './application/token-verifier.js';
import { KeySetController } from './http/key-set.controller.js';

@Injectable()
class KeySetShutdown implements OnApplicationShutdown {
  constructor(@Inject(KeySet) private readonly keySet: KeySet) {}

  onApplicationShutdown(): void {
    this.keySet.close();
  }
}

@Module({})
export class AuthModule {
  static register({ identityProvider, dataDir }: RuntimeConfig): DynamicModule {
    const keySets = identityProvider
      ? [
          {
            provide: KeySet,
            useFactory: (): KeySet =>
              new RemoteKeySet(identityProvider, () => fetchPublishedKeys(identityProvider.jwksUrl)),
          },
        ]
      : [
          { provide: LocalIssuer, useFactory: () => LocalIssuer.open(dataDir) },
          { provide: KeySet, useExisting: LocalIssuer },
        ];
    return {
      module: AuthModule,
      imports: [ApiKeysModule, LimitsModule, WorkspacesModule],
      controllers: identityProvider ? [] : [KeySetController],
      providers: [
        ...keySets,
        KeySetShutdown,
        TokenVerifier,
        Authenticator,
        CredentialWindow,
        { provide: APP_GUARD, useClass: AccessGuard },
      ],
    };
  }
}
