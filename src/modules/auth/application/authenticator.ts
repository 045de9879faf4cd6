/** Authenticates the caller by the credentials of a request, section 5 and "Identity" of the operations page. */
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError, invalidFields } from '../../../kernel/domain-error.js';
import type { Identity } from '../../../kernel/principal.js';
import { type Environment, ENVIRONMENTS } from '../../../kernel/tenant-scope.js';
import { ChangeFeed } from '../../../platform/database/change-feed.js';
import { ApiKeyService } from '../../api-keys/application/api-key.service.js';
import { KeyUses } from '../../api-keys/application/key-uses.js';
import { MemberService } from '../../workspaces/application/member.service.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import type { Member } from '../../workspaces/domain/member.js';
import type { Credentials } from '../domain/credentials.js';
import { type AuthenticatedCaller, KeyCallerCache } from './key-caller-cache.js';
import { TokenVerifier } from './token-verifier.js';

type KeyCredentials = Extract<Credentials, { kind: 'api_key' }>;
export type TokenCredentials = Extract<Credentials, { kind: 'token' }>;

@Injectable()
export class Authenticator {
  private readonly keyCallers: KeyCallerCache;

  constructor(
    private readonly keys: ApiKeyService,
    private readonly uses: KeyUses,
    private readonly members: MemberService,
    private readonly workspaces: WorkspaceService,
    private readonly tokens: TokenVerifier,
    changes: ChangeFeed,
  ) {
    this.keyCallers = new KeyCallerCache(changes);
  }

  /**
   * The caller, if it is known without waiting; undefined if `establish` must be called.
   * @throws DomainError as `establish`.
   */
  cached(credentials: Credentials): AuthenticatedCaller | undefined {
    if (credentials.kind === 'token') return undefined;
    const caller = this.keyCallers.get(this.digestOf(credentials));
    return caller && this.admit(caller, credentials);
  }

  /**
   * The caller.
   * @throws DomainError invalid_api_key, token_expired, invalid_token, missing_workspace_id (401),
   *   workspace_mismatch (403), invalid_field (422, the environment), auth_unavailable (503).
   */
  async establish(credentials: Credentials): Promise<AuthenticatedCaller> {
    return credentials.kind === 'api_key' ? this.keyCallerOf(credentials) : this.memberCallerOf(credentials);
  }

  /**
   * The person that a token names, whatever workspaces the person is a member of.
   * @throws DomainError token_expired, invalid_token, auth_unavailable.
   */
  async identify({ token }: TokenCredentials): Promise<Identity> {
    return this.tokens.verify(token);
  }

  /**
   * A digest that distinguishes credentials and grants no access.
   * @throws DomainError invalid_api_key.
   */
  fingerprintOf(credentials: Credentials): string {
    if (credentials.kind === 'api_key') return this.digestOf(credentials);
    return createHash('sha256').update(credentials.token).digest('base64');
  }

  /**
   * The caller as far as the credentials prove it without a remote call or query; undefined if they may be guessed.
   */
  async provenSubjectOf(credentials: Credentials): Promise<string | undefined> {
    if (credentials.kind === 'api_key') return undefined;
    return (await this.tokens.verifyWithCachedKeys(credentials.token))?.subject;
  }

  private async keyCallerOf(credentials: KeyCredentials): Promise<AuthenticatedCaller> {
    const digest = this.digestOf(credentials);
    const caller = await this.keyCallers.getOrLoad(digest, async () => {
      const key = await this.keys.findUsable(credentials.key);
      const workspace = key && (await this.workspaces.find(key));
      if (!workspace) return undefined;
      const { id, workspaceId, environment, scope, rateLimitPerMinute, expiresAt } = key;
      return {
        principal: {
          kind: 'api_key',
          keyId: id,
          workspaceId,
          environment,
          plan: workspace.plan,
          customRates: workspace.customRates,
          scope,
          rateLimitPerMinute,
        },
        suspended: workspace.status === 'suspended',
        ...(expiresAt && { until: expiresAt }),
      };
    });
    if (!caller) throw invalidApiKey();
    return this.admit(caller, credentials);
  }

  private admit(caller: AuthenticatedCaller, credentials: KeyCredentials): AuthenticatedCaller {
    const { principal } = requireWorkspace(caller, credentials);
    if (principal.kind === 'api_key') this.uses.record(principal.workspaceId, principal.keyId);
    return caller;
  }

  private digestOf({ key }: KeyCredentials): string {
    const digest = this.keys.digestOf(key);
    if (digest === undefined) throw invalidApiKey();
    return digest;
  }

  private async memberCallerOf({
    token,
    workspaceId,
    environment,
  }: TokenCredentials): Promise<AuthenticatedCaller> {
    const identity = await this.tokens.verify(token);
    const memberships = await this.members.membershipsOf(identity.subject, identity.verifiedEmail);
    const member = membershipIn(memberships, workspaceId);
    const workspace = await this.workspaces.find(member);
    if (!workspace) throw noMembership();
    return {
      principal: {
        kind: 'member',
        memberId: member.id,
        subject: identity.subject,
        email: member.email,
        role: member.role,
        workspaceId: member.workspaceId,
        environment: environmentOf(environment),
        plan: workspace.plan,
        customRates: workspace.customRates,
      },
      suspended: workspace.status === 'suspended',
    };
  }
}

function requireWorkspace(caller: AuthenticatedCaller, { workspaceId }: KeyCredentials): AuthenticatedCaller {
  if (
    caller.principal.workspaceId === workspaceId ||
    caller.principal.workspaceId === workspaceId.toLowerCase()
  )
    return caller;
  throw new DomainError('workspace_mismatch', 'The key does not belong to the workspace in X-WORKSPACE-ID.');
}

function membershipIn(memberships: readonly Member[], workspaceId: string | undefined): Member {
  if (workspaceId === undefined && memberships.length > 1)
    throw new DomainError(
      'missing_workspace_id',
      'You belong to several workspaces: set X-WORKSPACE-ID to one of them.',
    );
  const requestedId = workspaceId?.toLowerCase();
  const member = memberships.find((one) => requestedId === undefined || one.workspaceId === requestedId);
  if (!member) throw noMembership();
  return member;
}

function environmentOf(text: string | undefined): Environment {
  if (text === undefined) return 'live';
  const environment = ENVIRONMENTS.find((known) => known === text.toLowerCase());
  if (!environment) throw invalidFields([{ field: 'X-ENVIRONMENT', message: 'must be live or test' }]);
  return environment;
}

function invalidApiKey(): DomainError {
  return new DomainError('invalid_api_key', 'The API key matches no active key.');
}

function noMembership(): DomainError {
  return new DomainError('workspace_mismatch', 'You are not an active member of the workspace.');
}
